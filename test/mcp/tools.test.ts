// The tools: answers, schemas, and faults that reveal no internals.

import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../../src/config.ts';
import { reviewToJson } from '../../src/model/review.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import { searchFilterSchema } from '../../src/model/search.ts';
import { OLD_TOOLS, type Tool, TOOLS } from '../../src/mcp/tools.ts';
import { DETAILS } from '../../src/snapshot/passages.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { type Json, TestServer } from '../support/http.ts';
import { BLAME, INSIGHTS, PRAISE, REVIEWS, SILENT, richInsightsOf } from '../support/by-hand.ts';
import { openTestMcp } from '../support/mcp.ts';
import { anyReviews, review, ulidOf } from '../support/reviews.ts';
import { ask, callTool } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const ERAS = ['legacy', 'modern'] as const;
const reviewJson = (id: string) => reviewToJson(REVIEWS.find((one) => one.id === id)!);
const pageOf = (id: string) => `https://reviews.example/reviews/${id}`;
const idsOf = ({ reviews }: Json) => reviews.map(({ id }: Json) => id);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
});
afterAll(() => server.close());

async function answerOf(name: string, args?: Record<string, unknown>): Promise<Json> {
  const { structuredContent, content } = await callTool(server, name, args);
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  const { data, facts: _, ...published } = structuredContent;
  const isDated = /^(?!get_(?:review|faq|summary)$)(?:get|search)_|^list_topics/.test(name);
  const { earliest, latest } = INSIGHTS.date_range;
  expect(data).toEqual(
    isDated && args?.['detail'] !== 'full' ? { reviews: 3, earliest, latest } : undefined,
  );
  return published;
}

describe.each(ERAS)('tools/list (%s)', (era) => {
  let tools: Json[];
  beforeAll(async () => {
    ({ tools } = (await ask(server, era, 'tools/list')).result);
  });

  test('lists the tools of the contract in a stable order', () => {
    expect(tools.map(({ name }) => name)).toEqual([
      'get_business',
      'search_reviews',
      'get_review',
      'get_verification',
      'get_aspect_sentiment',
      'get_technician',
      'get_service',
      'list_topics',
      'get_faq',
      'get_summary',
      'get_trend',
    ]);
  });

  test('annotates each tool as read-only and closed-world', () => {
    for (const { name, title, description, annotations } of tools) {
      expect([name, annotations]).toEqual([
        name,
        { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ]);
      expect(title).toMatch(/^[A-Z]/);
      expect(description.length).toBeGreaterThan(80);
    }
  });

  test('warns of untrusted text in every tool that returns reviews', () => {
    const warned = tools.filter(({ description }) => description.includes('words of strangers'));
    expect(warned.map(({ name }) => name)).toEqual([
      'search_reviews',
      'get_review',
      'get_technician',
      'get_service',
    ]);
  });

  test('has flat schemas', () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema]) {
        expect([name, schema.type]).toEqual([name, 'object']);
        for (const key of ['oneOf', 'allOf', 'anyOf', 'if']) expect(schema).not.toHaveProperty(key);
      }
      // A newer version may add members while clients still cache this schema.
      expect(JSON.stringify(outputSchema)).not.toContain('"additionalProperties":false');
      expect(Object.keys(outputSchema.properties)).not.toEqual([]);
      for (const [argument, schema] of Object.entries<Json>(inputSchema.properties)) {
        expect([name, argument, schema.description]).toEqual([
          name,
          argument,
          expect.stringMatching(/\w/),
        ]);
      }
    }
  });

  test("is under 18,000 characters, 4,000 tokens, because it fills an agent's context", () => {
    expect(JSON.stringify(tools).length).toBeLessThan(18_000);
  });
});

describe('get_business', () => {
  test('returns business and rating as in the dataset', async () => {
    const { business, aggregate_rating: rating } = await server.json('/reviews.json');
    expect(await answerOf('get_business')).toEqual({
      business,
      aggregate_rating: rating,
      review_count: 3,
      prices: INSIGHTS.prices.medians,
      transparency: {
        log: 'https://reviews.example/log/checkpoint',
        entries: 4,
        published: 3,
        withheld: 3,
        removed: 0,
      },
    });
  });
});

const TOO_LONG = 'x'.repeat(MCP_LIMITS.textCharacters + 1);

describe('search_reviews', () => {
  test('treats empty text filters as absent, like HTTP', async () => {
    const empty = { query: '', mentions_technician: '', mentions_service: '', source: '' };
    const { matched, filters } = await answerOf('search_reviews', empty);
    expect([matched, filters]).toEqual([3, { limit: 20 }]);
  });

  test('treats null and empty text as absent in optional arguments', async () => {
    const names = Object.keys(searchFilterSchema.shape);
    for (const nothing of [null, '']) {
      const args = Object.fromEntries(names.map((name) => [name, nothing]));
      const { matched, filters } = await answerOf('search_reviews', args);
      expect([nothing, matched, filters]).toEqual([nothing, 3, { limit: 20 }]);
      const since = { date: '2024-03-02', limit: nothing, cursor: nothing };
      expect((await answerOf('list_reviews_since', since)).matched).toBe(2);
      expect((await answerOf('get_faq', { query: nothing })).faq).toHaveLength(2);
    }
  });

  test.each([
    ['get_faq', { quer: null }, '- quer: expected only the arguments query'],
    ['get_service', { service: null }, '- service: expected'],
    ['list_reviews_since', { date: '' }, '- date: expected'],
    ['search_reviews', { since: ' ' }, '- since: expected'],
    ['get_faq', { query: TOO_LONG }, '- query: expected at most 1000 characters'],
    ['get_technician', { name: TOO_LONG }, '- name: expected at most 1000 characters'],
    ['get_service', { service: TOO_LONG }, '- service: expected at most 1000 characters'],
    ['get_aspect_sentiment', { aspect: TOO_LONG }, '- aspect: expected at most 1000 characters'],
  ])('%s still rejects %j', async (name, args, line) => {
    const { isError, content } = await callTool(server, name, args);
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining(line)]);
  });

  test.each(['boiler', 'BOILER', 'boiler-repair'])('finds the service %j', async (service) => {
    const answer = await answerOf('search_reviews', { mentions_service: service });
    expect(idsOf(answer)).toEqual([PRAISE]);
  });

  test('is paged with its cursor', async () => {
    const first = await answerOf('search_reviews', { limit: 2 });
    expect(idsOf(first)).toEqual([SILENT, BLAME]);
    const cursor = first.next_cursor;
    const second = await answerOf('search_reviews', { limit: 2, cursor });
    expect([idsOf(second), second.next_cursor]).toEqual([[PRAISE], null]);
  });
});

describe('search_reviews by detail', () => {
  const MIDDLE = 'The boiler, they said, would be mended by noon. It was not.';
  const long = `${'They came on a Monday and had a look. '.repeat(20)}${MIDDLE}${' Then it rained.'.repeat(30)}`;
  const pumps = `${'The pump is in the cellar of the house. '.repeat(9)}That pump was $700. ${'Rain. '.repeat(30)}`;
  const texts = [long, 'A boiler.', `${'é'.repeat(19_000)} boiler`, null, pumps];
  let target: TestServer;
  beforeAll(async () => {
    const many = Array.from({ length: 40 }, (_, number) =>
      review({ id: ulidOf(100 + number), date: '2020-01-01', text: 'Fine work. '.repeat(100) }),
    );
    const some = texts.map((text, number) => review({ id: ulidOf(number), text }));
    target = await TestServer.open(await snapshotOf([...some, ...many]));
  });
  afterAll(() => target.close());
  const find = async (args: Record<string, unknown>): Promise<Json> =>
    (await callTool(target, 'search_reviews', args)).structuredContent;
  const reviewOf = async (id: number, args: Record<string, unknown>): Promise<Json> =>
    (await find(args)).reviews.find((one: Json) => one.id === ulidOf(id));

  test('gives the sentences that match, and what was found in them', async () => {
    const found = await reviewOf(0, { words: 'boiler' });
    // What follows is often the answer.
    expect(found.text).toBe('… The boiler, they said, would be mended by noon. It was not. …');
    expect(found).toMatchObject({ excerpt: true, marked: ['boiler'], match: 'all' });
    expect(found.url).toBe(`https://reviews.example/reviews/${ulidOf(0)}`);
    const whole = (await target.json(`/api/reviews/${ulidOf(0)}`)) as object;
    expect(Object.keys(found)).toEqual(expect.arrayContaining(Object.keys(whole)));
  });

  test('prefers the sentence that has what the others lack', async () => {
    expect((await reviewOf(4, { words: 'was the pump in the cellar' })).text).toMatch(/cellar/);
    expect((await reviewOf(4, { words: 'pump $700' })).text).toContain('That pump was $700.');
  });

  test('without words gives the first sentences; short texts are whole', async () => {
    expect((await reviewOf(0, {})).text).toMatch(/^They came on a Monday.* …$/);
    expect(await reviewOf(1, {})).not.toHaveProperty('excerpt');
    expect((await reviewOf(1, {})).text).toBe('A boiler.');
    expect((await reviewOf(3, {})).text).toBeNull();
  });

  test('cuts a sentence that is too long around its hit', async () => {
    const { text } = await reviewOf(2, { words: 'boiler' });
    expect(text).toMatch(/^… é+ boiler$/);
    expect(text.length).toBeLessThan(300);
  });

  test('short has only what is needed to cite, full whole texts', async () => {
    const short = await reviewOf(0, { words: 'boiler', detail: 'short' });
    expect(Object.keys(short)).toEqual(['id', 'rating', 'date', 'text', 'match', 'url']);
    expect((await reviewOf(0, { query: 'by noon', detail: 'full' })).text).toBe(long);
    // Ranges are of whole texts.
    const { reviews, highlights } = await find({ query: 'by noon', highlight: true });
    const [[start, end]] = highlights[ulidOf(0)];
    const { text } = reviews.find((one: Json) => one.id === ulidOf(0));
    expect(text.slice(start, end)).toBe('by noon');
  });

  test('one review that is larger than an answer may be is given alone', async () => {
    const { returned, next_cursor: cursor } = await find({ query: 'éé', detail: 'full', limit: 5 });
    expect([returned, cursor]).toEqual([1, null]);
  });

  test('says what is not known', async () => {
    expect((await find({ words: 'submarine' })).note).toContain('do not guess');
    expect((await find({ words: 'boiler submarine' })).note).toContain('No review has all');
    expect(await find({ words: 'boiler' })).not.toHaveProperty('note');
    const byLabel = await answerOf('search_reviews', { aspect: 'price' });
    expect(byLabel.note).toContain('Counted by the label');
  });

  test('takes attributes and part scores as texts and as objects', async () => {
    for (const args of [{ min_ratings: ['seat=4'] }, { min_ratings: { seat: 4 } }]) {
      const { isError, content } = await callTool(target, 'search_reviews', args);
      expect([isError, content[0].text]).toEqual([
        true,
        expect.stringContaining(
          '- min_ratings.seat: expected no part score, because no review has one',
        ),
      ]);
    }
    const wrong: [Record<string, unknown>, string][] = [
      [{ attributes: ['seat'] }, 'attributes: expected a list such as ["route=London to Rome"]'],
      [{ attributes: [null] }, 'attributes: expected a list'],
      [{ attributes: 'seat=4' }, 'expected a list such as ["route=London to Rome"], got "seat=4"'],
      [{ min_ratings: ['seat'] }, 'min_ratings: expected a list such as ["seat=4"], got ["seat"]'],
      [{ attributes: [{ name: 'route' }] }, 'expected a list such as ["route=London to Rome"]'],
    ];
    for (const [args, text] of wrong) {
      const { content } = await callTool(target, 'search_reviews', args);
      expect(content[0].text).toMatch(/^search_reviews was not called/);
      expect(content[0].text).toContain(text);
    }
  });
});

describe('get_review', () => {
  test('returns the review and its insights', async () => {
    expect(await answerOf('get_review', { id: PRAISE })).toEqual({
      review: { ...reviewJson(PRAISE), url: pageOf(PRAISE) },
      insights: INSIGHTS.per_review[PRAISE],
    });
  });

  test('returns null for an unknown id', async () => {
    expect(await answerOf('get_review', { id: ulidOf(999) })).toEqual({
      review: null,
      insights: null,
    });
  });
});

describe('get_verification', () => {
  test('says how a review was verified, that it is in the log, and the counts of all', async () => {
    const answer = await answerOf('get_verification', { id: PRAISE });
    expect(answer).toMatchObject({
      verified: true,
      problem: null,
      proof: null,
      review: { id: PRAISE, verified: true, method: null },
      counts: { version: 1, withheld: { total: 0, by_reason: {} } },
    });
    const proof = await server.json(`/api/reviews/${PRAISE}/proof`);
    expect((await answerOf('get_verification', { id: PRAISE, detail: 'full' })).proof).toEqual(
      proof,
    );
    // The name of earlier versions, with its answer.
    expect(await answerOf('verify_review', { id: PRAISE })).toEqual({
      verified: true,
      problem: null,
      proof,
    });
  });

  test('has no review without an id, or for an unknown one', async () => {
    for (const args of [{}, { id: ulidOf(999) }]) {
      const { review: none, verified } = await answerOf('get_verification', args);
      expect([none, verified]).toEqual([null, null]);
    }
    expect(await answerOf('verify_review', { id: ulidOf(999) })).toEqual({
      verified: null,
      problem: null,
      proof: null,
    });
  });
});

describe('list_reviews_since, which is no longer listed,', () => {
  test('returns the search from that date on', async () => {
    const answer = await answerOf('list_reviews_since', { date: '2024-03-02', limit: 1 });
    expect(answer).toEqual({
      matched: 2,
      returned: 1,
      filters: { since: '2024-03-02', limit: 1 },
      next_cursor: `2024-03-03.${SILENT}`,
      reviews: [{ ...reviewJson(SILENT), url: pageOf(SILENT) }],
    });
    const cursor = answer.next_cursor;
    const rest = await answerOf('list_reviews_since', { date: '2024-03-02', limit: 1, cursor });
    expect([idsOf(rest), rest.next_cursor]).toEqual([[BLAME], null]);
  });
});

describe('get_aspect_sentiment', () => {
  test.each(['price', 'Price & value', 'PRICE  &  VALUE'])('knows %j', async (aspect) => {
    expect(await answerOf('get_aspect_sentiment', { aspect })).toEqual({
      ...INSIGHTS.aspects[0],
      names: null,
      matched_as: null,
    });
  });

  test.each([
    ['price_and_value', 'Price & value', 'spelling'],
    ['tidiness', 'Cleanliness', 'alias'],
    ['mess', 'Cleanliness', 'alias'],
    ['Cleanlines', 'Cleanliness', 'spelling'],
  ])('matches %j to %j and reports it', async (aspect, name, by) => {
    expect(await answerOf('get_aspect_sentiment', { aspect })).toMatchObject({
      label: name,
      names: null,
      matched_as: { name, by },
    });
  });

  test('lists the known aspects for an unknown one', async () => {
    expect(await answerOf('get_aspect_sentiment', { aspect: 'colour' })).toMatchObject({
      id: null,
      mention_count: null,
      names: ['Price & value', 'Cleanliness'],
    });
  });
});

describe('get_technician', () => {
  test.each(['Mike Alvarez', 'mike-alvarez', 'MIKEY', 'mike'])('knows %j', async (name) => {
    expect(await answerOf('get_technician', { name })).toEqual({
      technician: INSIGHTS.entities.technicians.find(({ id }) => id === 'mike-alvarez'),
      reviews: [expect.objectContaining({ ...reviewJson(PRAISE), url: pageOf(PRAISE) })],
      names: null,
    });
  });

  test('folds accents on both sides', async () => {
    const { technician } = await answerOf('get_technician', { name: 'zoe lefevre' });
    expect(technician.name).toBe('Zoë Lefèvre');
  });

  test.each(['nobody', '__proto__', 'constructor'])(
    'lists the known technicians for %j',
    async (name) => {
      expect(await answerOf('get_technician', { name })).toEqual({
        technician: null,
        reviews: [],
        names: ['Mike Alvarez', 'Zoë Lefèvre'],
      });
    },
  );
});

describe('get_service', () => {
  test.each(['boiler-repair', 'Boiler Repair'])('knows %j', async (service) => {
    expect(await answerOf('get_service', { service })).toEqual({
      service: INSIGHTS.entities.services[0],
      reviews: [expect.objectContaining({ ...reviewJson(PRAISE), url: pageOf(PRAISE) })],
      names: null,
      matched_as: null,
    });
  });

  test.each([
    ['Boiler', 'alias'],
    ['boiler_repair', 'spelling'],
    ['boiler repiar', 'spelling'],
  ])('matches %j to the boiler repair and reports it', async (service, by) => {
    expect(await answerOf('get_service', { service })).toEqual({
      service: INSIGHTS.entities.services[0],
      reviews: [expect.objectContaining({ ...reviewJson(PRAISE), url: pageOf(PRAISE) })],
      names: null,
      matched_as: { name: 'Boiler repair', by },
    });
  });

  test('lists the services that reviews mention for an unknown one', async () => {
    const answer = await answerOf('get_service', { service: 'roofing' });
    expect(answer).toEqual({
      service: null,
      reviews: [],
      names: ['Boiler repair'],
      matched_as: null,
    });
  });
});

describe('the parts of insights', () => {
  test('equal those of /insights.json', async () => {
    const document = await server.json('/insights.json');
    expect(await answerOf('list_topics', { detail: 'full' })).toEqual({
      topics: document.topics,
      problems: document.entities.problems.map((one: Json) => ({
        id: one.id,
        label: one.name,
        mention_count: one.mention_count,
        average_rating: one.average_rating,
        example_review_ids: one.example_review_ids,
      })),
    });
    expect(await answerOf('get_faq')).toEqual({ faq: document.faq });
    expect(await answerOf('get_trend')).toEqual(document.temporal);
    const { summary, pull_quote, pull_quote_review_id, review_count } = document;
    expect(await answerOf('get_summary')).toEqual({
      summary,
      pull_quote,
      pull_quote_review_id,
      review_count,
      date_range: document.date_range,
      overall_sentiment: document.overall_sentiment,
      model: document.model,
    });
  });

  test.each([
    ['BOILER', 1],
    ['cafe', 1],
    ['differ', 1],
    ['tidy', 1],
    ['submarine', 0],
    ['', 2],
  ])('get_faq with the query %j returns %i entries', async (query, count) => {
    const { faq, questions } = await answerOf('get_faq', { query });
    expect([faq.length, questions?.length]).toEqual([count, count === 0 ? 2 : undefined]);
  });

  test('are shortened where they only prove', async () => {
    const reviews = Array.from({ length: 40 }, (_, number) =>
      review({ id: ulidOf(number), text: 'Mike fixed the boiler. On time and friendly.' }),
    );
    const target = await TestServer.open(await snapshotOf(reviews));
    for (const [detail, most] of [
      ['short', 1],
      ['normal', 3],
      ['full', 20],
    ] as const) {
      const { structuredContent } = await callTool(target, 'get_faq', { detail });
      const counts = structuredContent.faq.map((one: Json) => one.review_ids.length);
      expect([detail, Math.max(...counts)]).toEqual([detail, most]);
    }
    await target.close();
  });
});

describe('answers', () => {
  /** Calls of every tool with arguments that match and that do not, at each detail that it takes. */
  const callsOf = (snapshot: Snapshot): [Tool, Json][] => {
    const known = { id: snapshot.reviewCount > 0 ? snapshot.idAt(0) : ulidOf(1) };
    const given: Record<string, Json[]> = {
      search_reviews: [{ limit: 100 }, { words: 'is mike on time' }, { rating: 1, min_rating: 5 }],
      get_review: [known, { id: ulidOf(2 ** 31) }],
      get_verification: [{}, known],
      verify_review: [known],
      list_reviews_since: [{ date: '2024-01-01' }],
      get_aspect_sentiment: [{ aspect: 'price' }, { aspect: 'x' }],
      get_technician: [{ name: 'mike' }, { name: 'x' }],
      get_service: [{ service: 'boiler-repair' }, { service: 'x' }],
      get_faq: [{}, { query: 'x' }],
    };
    return [...TOOLS, ...OLD_TOOLS].flatMap((tool) => {
      const details = 'detail' in tool.input.shape ? DETAILS.map((detail) => ({ detail })) : [{}];
      const calls = given[tool.name] ?? [{}];
      return calls.flatMap((args) =>
        details.map((one): [Tool, Json] => [tool, { ...args, ...one }]),
      );
    });
  };

  test('of every tool match its schemas at every detail for any reviews', async () => {
    const { tools } = (await ask(server, 'legacy', 'tools/list')).result;
    const ajv = new Ajv({ allowUnionTypes: true });
    const served = new Map<string, ValidateFunction>(
      tools.map(({ name, outputSchema }: Json) => [name, ajv.compile(outputSchema)]),
    );
    await fc.assert(
      fc.asyncProperty(anyReviews(12), fc.boolean(), async (reviews, isRich) => {
        const snapshot = await snapshotOf(
          reviews,
          isRich ? { insights: richInsightsOf(reviews) } : {},
        );
        server.http.show(snapshot);
        for (const [{ name, output }, args] of callsOf(snapshot)) {
          const result = await callTool(server, name, args, isRich ? 'modern' : 'legacy');
          expect([name, args, result.isError && result.content]).toEqual([name, args, undefined]);
          const { structuredContent } = result;
          // What clients validate; without details also the whole schema, which they do not see.
          const validate = served.get(name);
          validate?.(structuredContent);
          expect([name, args, validate?.errors ?? null]).toEqual([name, args, null]);
          const { error } = output.safeParse(structuredContent);
          if (args.detail === 'short' || args.detail === 'full') continue;
          expect([name, error && z.prettifyError(error)]).toEqual([name, undefined]);
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe('a server fault', () => {
  test.each(ERAS)('shows the client only the id of its log line (%s)', async (era) => {
    const lines: string[] = [];
    const mcp = await openTestMcp(parseConfig({}), (line) => lines.push(line));
    const faulty = await TestServer.open(await snapshotOf(REVIEWS), { mcp });
    const secret = new Error('the password of the database is hunter2');
    Object.defineProperty(mcp.queries.snapshot, 'search', {
      value: () => {
        throw secret;
      },
    });
    const result = await callTool(faulty, 'search_reviews', {}, era);
    expect(result.isError).toBe(true);
    const [, id] = /^Internal server error (\S+)\. Try again later\.$/.exec(
      result.content[0].text,
    )!;
    expect(lines).toEqual([`${id} Error: the password of the database is hunter2`]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    await faulty.close();
  });

  test.each(ERAS)('in a resource is an internal error without details (%s)', async (era) => {
    const lines: string[] = [];
    const mcp = await openTestMcp(parseConfig({}), (line) => lines.push(line));
    const faulty = await TestServer.open(await snapshotOf(REVIEWS), { mcp });
    Object.defineProperty(mcp.queries, 'summary', {
      value: () => {
        throw new Error('hunter2');
      },
    });
    const answer = await ask(faulty, era, 'resources/read', { uri: 'reviews://summary' });
    expect([answer.error.code, answer.error.message]).toEqual([-32603, 'Internal error']);
    expect(lines).toHaveLength(1);
    await faulty.close();
  });
});
