import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BENCHMARKS } from '../../bench/benchmarks.ts';
import { replaceSection } from '../../bench/page.ts';

const PAGE = `# Performance

Prose before.

<!-- results of search -->

old

<!-- end of search -->

Prose between.

<!-- results of search-index -->

kept

<!-- end of search-index -->
`;

describe('the page of results', () => {
  test('gets a new section instead of the old one, and everything else is unchanged', () => {
    expect(replaceSection(PAGE, 'search', '\nnew $& \n')).toBe(PAGE.replace('old', () => 'new $&'));
    expect(replaceSection(PAGE, 'search-index', 'new')).toBe(PAGE.replace('kept', 'new'));
  });

  test('does not change if the same section is written again', () => {
    const once = replaceSection(PAGE, 'search', 'new');
    expect(replaceSection(once, 'search', 'new')).toBe(once);
    const appended = replaceSection(PAGE, 'mcp', 'new');
    expect(replaceSection(appended, 'mcp', 'new')).toBe(appended);
  });

  test('without markers gets the section at its end', () => {
    expect(replaceSection(PAGE, 'mcp', 'new')).toBe(
      `${PAGE}\n## mcp\n\n<!-- results of mcp -->\n\nnew\n\n<!-- end of mcp -->\n`,
    );
  });

  test('is not changed if one of the two markers is missing', () => {
    const broken = PAGE.replace('<!-- end of search -->\n', '');
    expect(() => replaceSection(broken, 'search', 'new')).toThrow('expected two markers of search');
  });
});

test('docs/performance.md has a section for every benchmark, and no other', () => {
  const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  // `npm run evaluate` prints the table of relevance.
  const names = (marker: RegExp) =>
    [...page.matchAll(marker)]
      .map(([, name]) => name)
      .filter((name) => name !== 'evaluate')
      .toSorted();
  expect(names(/^<!-- results of (.+) -->$/gm)).toEqual(Object.keys(BENCHMARKS).toSorted());
  expect(names(/^<!-- end of (.+) -->$/gm)).toEqual(Object.keys(BENCHMARKS).toSorted());
});
