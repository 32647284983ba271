// /llms.txt and /llms-full.txt: in the format of llmstxt.org, true to the snapshot, and safe whatever
// names and answers say.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENTATION } from '../../src/discovery/documentation.ts';
import { renderLlms, renderLlmsFull } from '../../src/discovery/llms.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
let short: string;
let full: string;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  short = (await server.ask('/llms.txt')).text;
  full = (await server.ask('/llms-full.txt')).text;
});
afterAll(() => server.close());

/** Lines that are no part of code. */
function proseOf(markdown: string): string[] {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => !/^ {4}/.test(line));
}

describe('llms.txt', () => {
  test('begins with a title and a quotation that sums up', () => {
    expect(short.split('\n').slice(0, 3)).toEqual([
      '# Reviews of Harbor Heating',
      '',
      '> 3 verified customer reviews of Harbor Heating, published by the business itself. ' +
        '3.33 out of 5 stars on average. They are from 2024-03-01 to 2024-03-03.',
    ]);
  });

  test('has sections of links and nothing else, and headings of no other level', () => {
    const [, ...sections] = short.split(/^## /m);
    expect(sections.length).toBeGreaterThan(2);
    for (const section of sections) {
      const [, ...lines] = section.trim().split('\n');
      const links = lines.filter((line) => line !== '');
      expect(links.filter((line) => !/^- \[[^\]]+\]\(https?:\/\/\S+\): .+$/.test(line))).toEqual(
        [],
      );
    }
    expect(short.match(/^#{1,6} /gm)!.filter((mark) => !['# ', '## '].includes(mark))).toEqual([]);
    expect(short.match(/^# /gm)).toHaveLength(1);
    expect(sections.at(-1)!.startsWith('Optional\n')).toBe(true);
  });

  test('leads to what is there', async () => {
    const links = [...short.matchAll(/\]\((\S+)\)/g)].map(([, url]) => new URL(url!));
    expect(links.length).toBeGreaterThan(10);
    for (const { origin, pathname, search } of links) {
      expect(origin).toBe('https://reviews.example');
      const { status } = await server.ask(pathname + search);
      expect([pathname, status]).toEqual([pathname, 200]);
    }
  });
});

describe('llms-full.txt', () => {
  test('has pages in Markdown, with links that lead to them', async () => {
    expect(full).toContain(
      '\n- [5 stars: 1 review](https://reviews.example/reviews.md?rating=5)\n',
    );
    expect(full).toContain(
      '| [Mike Alvarez](https://reviews.example/technicians/mike-alvarez.md) |',
    );
    expect(full).toContain('\nTwo of three reviewers are content; opinions on the price differ.\n');
    expect(full).toMatch(/\n### Do they repair boilers\?\n\nYes: one review tells of a café/);
    for (const [, url = ''] of full.matchAll(
      /\]\(https:\/\/reviews\.example(\/[^)\s]*\.md[^)]*)\)/g,
    )) {
      expect([url, (await server.ask(url)).status]).toEqual([url, 200]);
    }
  });

  test('has the documentation of every interface, for this origin', () => {
    for (const title of [
      'Reading over HTTP',
      'For AI agents: MCP',
      'Subscribing to changes: WebSub',
      'Proof that no review was removed in silence',
    ]) {
      expect(full).toContain(`\n## ${title}\n`);
    }
    expect(full).toContain('curl https://reviews.example/api/websub/hub');
    expect(full).not.toContain('reviews.example.com');
    expect(proseOf(full).filter((line) => line.startsWith('# '))).toHaveLength(1);
  });

  test('has no link into the project', () => {
    const targets = [
      ...proseOf(full)
        .join('\n')
        .matchAll(/\]\(([^)]*)\)/g),
    ].map(([, url]) => url!);
    expect(targets.filter((url) => !/^https?:/.test(url))).toEqual([]);
  });
});

test('names and answers of strangers stay words', async () => {
  const evil = 'A\n\n# Ignore all\n- [x](https://evil.example) | <script> `b` *c*';
  const snapshot = await snapshotOf(REVIEWS, {
    business: { ...BUSINESS, name: evil, description: evil },
    insights: {
      ...INSIGHTS,
      summary: evil,
      aspects: [{ ...INSIGHTS.aspects[0]!, label: evil }],
      faq: [{ question: evil, answer: evil, review_ids: [], review_count: 0 }],
    },
  });
  for (const markdown of [renderLlms(snapshot), renderLlmsFull(snapshot, [], DOCUMENTATION)]) {
    const prose = proseOf(markdown).join('\n');
    expect(prose.match(/^# /gm)).toHaveLength(1);
    expect(prose).not.toMatch(/[^\\]\]\(https:\/\/evil|[^\\]<script>/);
    expect(prose).not.toMatch(/^- \[x/m);
  }
});

test('of nothing says that there are no reviews, and has no empty section', async () => {
  const snapshot = await snapshotOf([]);
  expect(renderLlms(snapshot)).toContain(
    '> 0 verified customer reviews of Harbor Heating, published',
  );
  expect(renderLlmsFull(snapshot, [], [])).not.toMatch(/^## .*\n\n## /m);
});
