// Searching the owner's replies, authors, and ratings up to a number, over HTTP, by MCP and on the page.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WordQuery } from '../../src/model/word-query.ts';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const [SAID, REPLIED, BOTH, OTHER] = [4, 3, 2, 1].map((number) => ulidOf(number));
const reply = (text: string) => ({ text, date: '2024-02-01' });

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(
    await snapshotOf([
      review({ id: SAID!, author: 'Zoë O’Neil', rating: 1, text: 'They refunded the deposit.' }),
      review({
        id: REPLIED!,
        author: 'Ann Lee',
        rating: 2,
        text: 'Never came back.',
        ownerReply: reply('We are sorry, and have sent you a "refund" of the deposit.'),
      }),
      review({
        id: BOTH!,
        author: 'Leo Zoeller',
        rating: 4,
        text: 'A refund! At last.',
        ownerReply: reply('The refund was due.'),
      }),
      review({ id: OTHER!, author: 'Bo', rating: 5, text: 'Good.', ownerReply: reply('Thanks!') }),
    ]),
  );
});
afterAll(() => server.close());

const search = (query: string) => server.json(`/api/reviews/search?${query}`);
const idsOf = ({ reviews }: { reviews: { id: string }[] }) => reviews.map(({ id }) => id);

describe('in', () => {
  test.each([
    ['words=refund', [BOTH, SAID]],
    ['words=refund&in=text', [BOTH, SAID]],
    ['words=refund&in=reply', [BOTH, REPLIED]],
    ['words=refund&in=all', [BOTH, REPLIED, SAID]],
    ['words=refund&in=all&sort=newest', [SAID, REPLIED, BOTH]],
    ['words="sent+you"&in=all', [REPLIED]],
    ['words=refund+-due&in=reply', [REPLIED]],
    ['words=refnud&in=reply', [BOTH, REPLIED]],
    ['query=deposit&in=reply', [REPLIED]],
    ['query=DEPOSIT&in=all', [SAID, REPLIED]],
    ['query=a+%22refund%22&in=reply', [REPLIED]],
    // Without anything to search for it selects nothing.
    ['in=reply', [SAID, REPLIED, BOTH, OTHER]],
    ['in=', [SAID, REPLIED, BOTH, OTHER]],
  ])('%s finds %j', async (query, ids) => {
    const answer = await search(query);
    expect([idsOf(answer), answer.matched]).toEqual([ids, ids.length]);
  });

  test('reviews with all words come first, in the text or in the reply', async () => {
    const { matched, related, match } = await search('words=deposit+refund&in=all');
    expect([matched, related]).toEqual([2, 1]);
    expect(match).toEqual({ [SAID!]: 'all', [REPLIED!]: 'all', [BOTH!]: 'some' });
  });

  test('a phrase that only replies have is ranked by the replies', async () => {
    const long = `${'Well, '.repeat(60)}the refund was due.`;
    const replies = [long, 'The refund was due.', 'The refund was due. The refund!'];
    const reviews = replies.map((text, at) =>
      review({ id: ulidOf(9 - at), text: 'Fine.', ownerReply: reply(text) }),
    );
    const snapshot = await snapshotOf(reviews);
    const inAll = snapshot.search({
      limit: 5,
      in: 'all',
      words: WordQuery.parse('"was due" refund'),
    });
    expect([inAll.positions, inAll.reasons]).toEqual([
      [2, 1, 0],
      ['all', 'all', 'all'],
    ]);
  });

  test('highlights are in what was searched', async () => {
    const inReplies = await search('words=refund&in=reply&highlight=true');
    expect([inReplies.highlights, inReplies.reply_highlights]).toEqual([
      {},
      { [REPLIED!]: [[35, 41]], [BOTH!]: [[4, 10]] },
    ]);
    const inAll = await search('words=refund&in=all&highlight=true&limit=1');
    expect([inAll.highlights, inAll.reply_highlights]).toEqual([
      { [BOTH!]: [[2, 8]] },
      { [BOTH!]: [[4, 10]] },
    ]);
    expect(await search('words=refund&highlight=true')).not.toHaveProperty('reply_highlights');
    const page = await server.ask('/reviews?words=refund&in=reply');
    expect(page.text).toContain('The <mark>refund</mark> was due.');
    expect(page.text).toContain('A refund! At last.');
  });

  test('the tool answers the same', async () => {
    const { structuredContent } = await callTool(server, 'search_reviews', {
      words: 'refund',
      in: 'reply',
      max_rating: 3,
      author: 'LEE',
      detail: 'full',
    });
    const same = await search('words=refund&in=reply&max_rating=3&author=LEE');
    expect(structuredContent).toMatchObject(same);
    expect(idsOf(structuredContent)).toEqual([REPLIED]);
  });

  test('without replies finds nothing in them', async () => {
    const snapshot = await snapshotOf([review({ text: 'refund' })]);
    expect(snapshot.search({ limit: 5, in: 'reply', query: 'refund' }).matched).toBe(0);
    expect(snapshot.search({ limit: 5, in: 'all', query: 'refund' }).matched).toBe(1);
  });

  test('of another value is refused', async () => {
    const { issues } = await search('in=title');
    expect(issues[0].message).toBe('expected text, reply, all, got "title"');
  });
});

describe('author', () => {
  test.each([
    ['zoe', [SAID, BOTH]],
    ["O'NEIL", [SAID]],
    ['lee', [REPLIED]],
    ['%20ann%20%20lee%20', [REPLIED]],
    ['', [SAID, REPLIED, BOTH, OTHER]],
    ['nobody', []],
  ])('%s finds %j', async (author, ids) => {
    expect(idsOf(await search(`author=${author}`))).toEqual(ids);
  });

  test('holds beside words', async () => {
    expect(idsOf(await search('author=zo&words=refund&max_rating=3'))).toEqual([SAID]);
  });
});

describe('max_rating', () => {
  test.each([
    ['max_rating=2', [SAID, REPLIED]],
    ['max_rating=3.9', [SAID, REPLIED]],
    ['max_rating=5', [SAID, REPLIED, BOTH, OTHER]],
    ['max_rating=4&min_rating=2', [REPLIED, BOTH]],
    ['max_rating=1&rating=2', []],
  ])('%s finds %j', async (query, ids) => {
    expect(idsOf(await search(query))).toEqual(ids);
  });

  test.each(['0', '5.1', 'x', ''])('of %j is refused', async (value) => {
    expect((await search(`max_rating=${value}`)).status).toBe(400);
  });
});

test('a period on the page becomes a date, so that its links mean the same later', async () => {
  const answer = await server.ask('/reviews?since=30d&rating=5');
  const day = Date.parse(answer.headers.location!.match(/since=([\d-]{10})&rating=5$/)![1]!);
  expect([answer.status, Math.round((Date.now() - day) / 86_400_000)]).toEqual([
    302,
    expect.toBeOneOf([30, 31]),
  ]);
  expect((await server.ask('/reviews?since=30x')).status).toBe(400);
});
