// The logs that a failing test prints (failure-report.ts). Programs that no runner runs may register theirs too.

interface Source {
  readonly title: string;
  readonly read: () => string;
  isClosed: boolean;
}

export const sources = new Set<Source>();

/** Prints `read()` under `title` when a test fails. The returned function stops this after the current test. */
export function reportOnFailure(title: string, read: () => string): () => void {
  const source: Source = { title, read, isClosed: false };
  sources.add(source);
  return () => {
    source.isClosed = true;
  };
}
