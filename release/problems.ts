// What keeps a version from being released.

export interface ReleaseState {
  readonly version: string;
  readonly changelog: string;
  /** The output of `git status --porcelain`. */
  readonly uncommitted: string;
}

/** A line for each problem; none if the version can be released. */
export function releaseProblems({ version, changelog, uncommitted }: ReleaseState): string[] {
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version)) {
    problems.push(`package.json: expected a version such as 1.2.3, got ${version}`);
  }
  const headings = changelog.split('\n').filter((line) => line.startsWith('## '));
  if (headings[0] !== `## ${version}`) {
    problems.push(
      `CHANGELOG.md: expected "## ${version}" as the first section, got "${headings[0] ?? ''}"`,
    );
  }
  if (uncommitted.trim() !== '') {
    problems.push(`expected a clean checkout, got changes:\n${uncommitted.trimEnd()}`);
  }
  return problems;
}
