// What a failing test prints in addition to its assertion: the logs of its processes and subscribers, and the
// command that runs it alone. The vitest configuration loads this before each file.

import { relative } from 'node:path';
import { afterEach, type TestContext } from 'vitest';

interface Source {
  readonly title: string;
  readonly read: () => string;
  isClosed: boolean;
}

const sources = new Set<Source>();

/** Prints `read()` under `title` when a test fails. The returned function stops this after the current test. */
export function reportOnFailure(title: string, read: () => string): () => void {
  const source: Source = { title, read, isClosed: false };
  sources.add(source);
  return () => {
    source.isClosed = true;
  };
}

// Registered before the hooks of the test file, so it runs after them.
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(describeFailure(task));
  for (const source of sources) if (source.isClosed) sources.delete(source);
});

function describeFailure({ file, name }: TestContext['task']): string {
  const logs = [...sources].map(
    ({ title, read }) => `--- ${title}\n${read().trim() || '(nothing)'}`,
  );
  const path = relative(process.cwd(), file.filepath);
  const alone = `npm test -- --project ${file.projectName} ${path} -t ${JSON.stringify(name)}`;
  return [...logs, `--- to run it alone`, alone].join('\n');
}
