// The order of the test files: in each project the longest first, so that no worker is left with a long one
// at the end. On its own the runner knows how long files take only from an earlier run in the same folder.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take several seconds, the longest first. A name that is missing here costs only time. */
const LONGEST = [
  'rules/gate',
  'journey/kill',
  'site/browser',
  'deploy/package',
  'journey/postgres-replicas',
  'journey/broken-publish',
  'journey/workers',
  'journey/serve',
  'journey/websub-restart',
  'journey/workers-start',
  'journey/postgres-outage',
  'faults/publish-process',
  'faults/commands',
  'journey/websub-deliver',
  'publishing/publish-content',
  'publishing/process',
  'journey/import',
  'journey/log',
  'store/sqlite-log',
  'store/postgres-hangs',
  'faults/running-server',
  'publishing/publish',
  'journey/workers-hub',
  'hostile/connections',
  'snapshot/documents',
  'snapshot/since',
  'journey/websub-failures',
  'store/postgres-listener',
  'mcp/isolation',
  'journey/websub-kill',
  'store/sqlite-locks',
  'openapi/fuzz',
  'hostile/floods',
  'site/html',
  'mcp/resources',
  'journey/size',
  'journey/export',
  'http/large',
  'hub/fairness',
  'store/removals',
  'store/identity',
  'journey/mcp',
  'rules/lint',
  'publishing/log',
  'search/search',
  'journey/websub-operating',
  'commands/backup',
  'insights/derive',
  'snapshot/walk',
  'journey/bad-input',
  'publishing/log-kill',
  'journey/sqlite',
  'journey/websub-verify',
  'snapshot/blocks',
  'journey/postgres-copy',
  'mcp/conformance',
  'hub/resolver',
  'store/older-store',
  'site/reference',
  'snapshot/atom',
  'store/subscriptions-model',
  'commands/import',
  'hub/callback-bodies',
  'journey/example',
  'hub/callback',
  'http/principle',
  'site/embed',
  'store/merge',
  'hub/dispatcher',
  'discovery/sitemap',
  'snapshot/json-feed',
  'journey/logo',
  'intake/rows',
  'intake/readers-properties',
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
