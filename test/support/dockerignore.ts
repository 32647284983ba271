// The rules of .dockerignore.

/** Docker's rules: a matched folder includes its content, and the last match decides. */
export function parseDockerignore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      const pattern = line.slice(isException ? 1 : 0).replace(/^\/|\/$/g, '');
      const source = pattern
        .replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
        .replaceAll(/\*\*\/|\*\*|\*|\?/g, (wildcard) => WILDCARDS[wildcard]!);
      return { isException, regExp: new RegExp(`^${source}(?:/.*)?$`) };
    });
  return (path) => rules.findLast(({ regExp }) => regExp.test(path))?.isException === false;
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
