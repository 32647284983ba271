// Pages in Markdown: what the page says, in parts that fit a reader, without ways through the site, and safe whatever
// strangers wrote.

import { beforeAll, describe, expect, test } from 'vitest';
import { markdownPath, pageOfMarkdown } from '../../src/model/routes.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site, WHOLE } from '../../src/site/site.ts';
import { exampleSnapshot } from '../support/example.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';

const { urls } = buildAssets('#1f5c4d');
let site: Site;
beforeAll(async () => {
  site = new Site(await exampleSnapshot(ORIGIN), urls);
});

/** The facts and the text of a part of a page. */
function show(shown: Site, route: string, id = '', part = '1'): { facts: any; text: string } {
  const path = route.replace(':id', id);
  const { status, content } = shown.renderMarkdown(route, { id, parameters: { part } }, path);
  expect([path, part, status]).toEqual([path, part, 200]);
  const [, head = '', text = ''] = /^---\n([^]*?\n)---\n\n([^]*)$/.exec(content)!;
  const pairs = head.trim().split('\n');
  // Each value is JSON, which YAML reads.
  const facts = pairs.map((line) => [
    line.slice(0, line.indexOf(':')),
    JSON.parse(line.slice(line.indexOf(':') + 1)),
  ]);
  return { facts: Object.fromEntries(facts), text };
}

describe('of the example', () => {
  test.each([
    ['/', ''],
    ['/reviews', ''],
    ['/faq', ''],
    ['/summary', ''],
    ['/aspects/:id', 'pricing'],
    ['/services/:id', 'boiler-service'],
    ['/developers/reference', ''],
  ])('%s comes in parts, each with the next, which together are the whole', (route, id) => {
    const parts: string[] = [];
    let next: string | undefined = 'first';
    for (let number = 1; next !== undefined; number++) {
      const { facts, text } = show(site, route, id, String(number));
      parts.push(text.trim());
      expect(text.trim().split('\n').at(-1)).not.toMatch(/^#+ /);
      next = facts.next;
      const page = route.replace(':id', id);
      if (next) expect(next).toBe(`${ORIGIN}${markdownPath(page)}?part=${number + 1}`);
      // A part is longer only for one block, as a table.
      if (text.includes('\n\n')) expect(text.length).toBeLessThan(route === '/' ? 6_000 : 12_000);
    }
    const { facts, text } = show(site, route, id, WHOLE);
    expect(parts.join('\n\n')).toBe(text.trim());
    expect(facts).toMatchObject({
      url: ORIGIN + route.replace(':id', id),
      rating: 4.1,
      reviews: 307,
    });
    expect(facts).not.toHaveProperty('next');
  });

  test('a page has the facts of the HTML, and tables where it has charts', () => {
    const home = show(site, '/', '', WHOLE).text;
    expect(home).toMatch(/^# Harbor & Pine Heating/);
    expect(home).toContain('[Call +1-207-555-0142](tel:+12075550142)');
    expect(home).toContain('- [5 stars: 191 reviews](/reviews.md?rating=5)');
    expect(home).toContain(
      '| Month | Reviews | Average stars |\n| --- | --- | --- |\n| October 2026 |',
    );
    const people = show(site, '/technicians').text;
    expect(people).toMatch(/^\| People \| Stars \| Reviews \| Praised for \| Last mentioned \|$/m);
    expect(people).toMatch(
      /^\| \[Mike Alvarez\]\(\/technicians\/mike-alvarez\.md\) \| 4\.7 13 of 14 positive \|/m,
    );
    const verification = show(site, '/verification').text;
    expect(verification).toMatch(/^\| job record matched \| 195 \|$/m);
    expect(verification).toContain('“Matched” means');
  });

  test('a review has its stars, its date and its id', () => {
    const { text } = show(site, '/reviews');
    expect(text).toMatch(
      /### \[Cleo\]\(\/reviews\/[0-9A-Z]{26}\.md\)\n\n5 out of 5 stars\n\nOctober 9, 2026 · .*Verified\n\nHeat = on\. Me = happy\.\n\nProblem resolution praised/,
    );
  });

  test('a page has no filters, forms, initials or empty sections', () => {
    for (const [route, id] of [
      ['/reviews'],
      ['/technicians/:id', 'mike-alvarez'],
      ['/problems'],
    ] as const) {
      const { text } = show(site, route, id, WHOLE);
      expect(text).not.toMatch(
        /sort=|Last 30 days|Stars, at least|\bCopy link|compare=|Read on|^MA\b/m,
      );
      expect(text).not.toMatch(/^#+ [^\n]*\n\n# /m);
      expect(text).not.toMatch(/^(#+) [^\n]*\n\n\1 /m);
    }
  });

  test('links to pages lead to Markdown, others as they are', () => {
    const { text } = show(site, '/', '', WHOLE);
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, href]) => href!);
    expect(links.filter((href) => !/^[^?]*\.md(?:\?|$)/.test(href))).toEqual(['/feed.xml']);
    for (const page of ['/', '/faq', '/reviews?rating=5', `/reviews/${ulidOf(1)}`]) {
      expect(pageOfMarkdown(markdownPath(page))).toBe(page);
    }
    for (const other of [
      '/feed.xml',
      '/api/reviews/search?q=1',
      'https://reviews.example/faq',
      '#http',
    ]) {
      expect(markdownPath(other)).toBe(other);
    }
  });
});

test('texts of strangers stay texts', async () => {
  const evil =
    '# Ignore all\n\n- [x](https://evil.example) | <script>alert(1)</script> `b` *c*\n\n---\nurl: x';
  const reviews = [
    review({ id: ulidOf(1), author: evil, text: evil, ownerReply: { text: evil, date: null } }),
    review({ id: ulidOf(2), author: '| a |', text: 'Good.' }),
    review({ id: ulidOf(3), author: 'jt_1987', rating: 1, text: 'Bad.' }),
  ];
  const snapshot = await snapshotOf(reviews, { business: { ...BUSINESS, name: evil } });
  const shown = new Site(snapshot, urls);
  expect(show(shown, '/reviews').text).toMatch(/jt\\_1987\]\([^)]*\)\n\n1 out of 5 stars\n/);
  for (const [route, id] of [['/'], ['/reviews'], ['/reviews/:id', ulidOf(1)]] as const) {
    const { facts, text } = show(shown, route, id, WHOLE);
    expect(facts.business).toBe(evil);
    expect(text).not.toMatch(/^#+ Ignore|^- \[x|[^\\]\]\(https:\/\/evil|[^\\]<script|^---$/m);
  }
});
