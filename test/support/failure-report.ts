// What a failing test prints in addition to its assertion: the logs of its processes and subscribers, and the
// command that runs it alone. The vitest configuration loads this before each file.

import { relative } from 'node:path';
import { afterAll, afterEach, type TestContext } from 'vitest';
import { sources } from './failure-logs.ts';

// Registered before the hooks of the test file, so it runs after them.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(describeFailure(task));
  for (const source of sources) if (source.isClosed) sources.delete(source);
});

// A hook that fails before the first test. Registered before the hooks of the test file, so it runs after them.
// oxlint-disable-next-line no-empty-pattern -- the runner takes fixtures from the first parameter
afterAll(({}, { file }) => {
  const hasFailed = file.result?.state === 'fail';
  if (hasFailed && sources.size > 0)
    console.error([...logsOf(sources), ...commandFor(file)].join('\n'));
  sources.clear();
});

function describeFailure({ file, name }: TestContext['task']): string {
  return [...logsOf(sources), ...commandFor(file, '-t', JSON.stringify(name))].join('\n');
}

function logsOf(all: typeof sources): string[] {
  return [...all].map(({ title, read }) => `--- ${title}\n${read().trim() || '(nothing)'}`);
}

function commandFor(file: TestContext['task']['file'], ...filter: string[]): string[] {
  const path = relative(process.cwd(), file.filepath);
  const command = ['npm test -- --project', file.projectName, path, ...filter];
  return ['--- to run it alone', command.join(' ')];
}
