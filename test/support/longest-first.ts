// The order of the test files: in each project the longest first, so that no worker is left with a long one
// at the end. On its own the runner knows how long files take only from an earlier run in the same folder.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take several seconds, the longest first. A name that is missing here costs only time. */
const LONGEST = [
  'journey/postgres-outage',
  'journey/postgres-replicas',
  'site/browser',
  'journey/serve',
  'journey/kill',
  'deploy/package',
  'journey/import',
  'journey/workers',
  'store/postgres-hangs',
  'journey/postgres-copy',
  'hub/fairness',
  'hub/no-weapon',
  'journey/broken-publish',
  'journey/websub-restart',
  'rules/gate',
  'journey/workers-start',
  'publishing/log-kill',
  'publishing/publish-content',
  'publishing/publish',
  'publishing/process',
  'journey/websub-deliver',
  'store/postgres-listener',
  'journey/export',
  'journey/websub-failures',
  'journey/size',
  'journey/logo',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of the sequencer
    const sorted = await super.sort(files);
    // The runner's order keeps the files of a project together.
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap((group) =>
      group.toSorted((one, other) => rankOf(one) - rankOf(other)),
    );
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank < 0 ? LONGEST.length : rank;
}
