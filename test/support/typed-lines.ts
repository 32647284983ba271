// What the documentation has its readers type.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** All pages but decisions and the changelog, which tell of the past. */
export const PAGES = globSync('{*.md,docs/*.md}', { cwd: ROOT }).filter(
  (page) => page !== 'CHANGELOG.md',
);

export interface TypedLine {
  readonly page: string;
  readonly line: string;
  /** Whether `<!-- outside: ... -->` stands above its block. */
  readonly isMarked: boolean;
}

/** The lines of the indented blocks of all pages. */
export function typedLines(): TypedLine[] {
  return PAGES.flatMap((page) => {
    let above = '';
    return readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .flatMap((text) => {
        const line = /^ {4}(\S.*)/.exec(text)?.[1];
        if (!/^ {4}/.test(text) && text.trim() !== '') above = text;
        const isMarked = above.startsWith('<!-- outside: ');
        return line === undefined ? [] : [{ page, line, isMarked }];
      });
  });
}
