// The names in the filters of a search, over HTTP, by MCP and on the page.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleSnapshot } from '../support/example.ts';
import { TestServer } from '../support/http.ts';
import { callTool } from '../support/rpc.ts';
import { BRANCHED, review, ulidOf, withParts } from '../support/reviews.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await exampleSnapshot(ORIGIN));
});
afterAll(() => server.close());

const search = (query: string) => server.json(`/api/reviews/search?limit=1&${query}`);

describe('a closed list', () => {
  test.each([
    ['problem=Surprise+fees', 'surprise-fee', 'label'],
    ['problem=suprise+fees', 'surprise-fee', 'spelling'],
    ['problem=rude', 'rude-staff', 'alias'],
    ['problem=communication', 'poor-communication', 'part'],
    ['aspect=price', 'pricing', 'alias'],
    ['aspect=pricee', 'pricing', 'spelling'],
    ['aspect=clean+up', 'cleanliness', 'part'],
    ['topic=Hot+water', 'hot_water', 'label'],
  ])('%s is %s', async (query, to, by) => {
    const [parameter, given] = query.split('=') as [string, string];
    const answer = await search(query);
    expect(answer.filters[parameter]).toBe(given.replace('+', ' '));
    expect(answer.filters.resolved).toMatchObject([{ parameter, to, by }]);
    const byId = await search(`${parameter}=${to}`);
    expect(byId.matched).toBeGreaterThan(0);
    expect(byId.filters).not.toHaveProperty('resolved');
    expect(answer.matched).toBe(byId.matched);
  });

  test('refuses what is unknown with all values, and what may be several with those', async () => {
    const query = 'problem=nonsense&topic=xyzzy&rating=5';
    const { status, issues } = await search(query);
    expect(status).toBe(400);
    const [problem, topic] = issues;
    expect(issues).toHaveLength(2);
    expect(problem).toMatchObject({ code: 'unknown_value', path: ['problem'] });
    expect(problem.message).toMatch(
      /^expected a known problem \(.*surprise-fee.*\), got "nonsense"$/,
    );
    const several = await search('problem=appointment');
    expect(several.issues).toEqual([
      {
        code: 'ambiguous_value',
        path: ['problem'],
        message: 'expected one of missed-appointment, rescheduled-appointment, got "appointment"',
      },
    ]);
    expect(topic.message).toContain('financing');
    const tool = await callTool(server, 'search_reviews', { problem: 'nonsense' });
    expect(tool.isError).toBe(true);
    expect(tool.content[0].text).toContain(`- problem: ${problem.message}`);
    const page = await server.ask('/reviews?problem=nonsense');
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('surprise-fee')]);
  });
});

describe('a person, a service or a place', () => {
  test.each([
    ['mentions_technician=Dan', ['Dan Pruitt', 'Dan Kowalczyk']],
    ['mentions_technician=Micheal', ['Mike Alvarez']],
    ['mentions_service=furnice', ['Furnace repair']],
    ['service_area=Bracken', ['Bracken Mills']],
  ])('%s finds nothing and names near ones', async (query, names) => {
    const answer = await search(query);
    expect(answer.matched).toBe(0);
    expect(answer.names).toEqual(names);
    const page = await server.ask(`/reviews?${query}`);
    for (const name of names) expect(page.text).toContain(`>${name}</a>`);
  });

  test('that is known, or like nobody, has no names', async () => {
    expect(await search('mentions_technician=zzyzx')).not.toHaveProperty('names');
    expect(await search('mentions_technician=steve+ouellette')).not.toHaveProperty('names');
  });

  test('that is only a part of a name is not taken for one by get_technician', async () => {
    const { structuredContent } = await callTool(server, 'get_technician', { name: 'Ouellette' });
    expect(structuredContent).toMatchObject({
      technician: null,
      reviews: [],
      names: ['Steve Ouellette'],
      facts: [expect.stringMatching(/^Steve Ouellette: 14 reviews/)],
    });
  });
});

test.each([
  ['rude', ['Rude staff']],
  ['overcharged', ['Surprise fees']],
  ['left a mess', ['Mess left behind']],
  ['no show', ['Missed appointments']],
  // "a" is no name of "Mike A.".
  ['a boiler', ['Boiler service']],
])('the words %j name %j', async (words, labels) => {
  const { subjects } = await search(`words=${encodeURIComponent(words)}`);
  expect(subjects.map(({ label }: { label: string }) => label)).toEqual(labels);
});

test('a word that other businesses know is not corrected to another one', async () => {
  for (const words of ['legroom', 'wifi']) {
    const { matched, related, filters } = await search(`words=${words}`);
    expect([matched, related, filters.corrected]).toEqual([0, 0, undefined]);
  }
});

describe('attributes, part scores and branches', () => {
  let parts: TestServer;
  beforeAll(async () => {
    const reviews = Array.from({ length: 6 }, (_, index) => review({ id: ulidOf(index + 1) }));
    parts = await TestServer.open(await snapshotOf(withParts(reviews), { business: BRANCHED }));
  });
  afterAll(() => parts.close());

  const find = async (args: object) => {
    const { isError, content, structuredContent } = await callTool(parts, 'search_reviews', {
      limit: 1,
      ...args,
    });
    return isError ? content[0].text : structuredContent;
  };

  test('filter a tool by objects, as they filter URLs by names', async () => {
    const args = {
      attributes: { job: ['ROOF', 'boiler & "drain" <b>'], visited: '2024' },
      min_ratings: { value: 4 },
      location: 'Bath & <Co>',
    };
    const { limit, ...filters } = (await find(args)).filters;
    expect(filters).toEqual({
      ...args,
      resolved: [{ parameter: 'location', to: 'bath', label: 'Bath & <Co>', by: 'label' }],
    });
    const query =
      'attribute.job=ROOF&attribute.job=boiler+%26+%22drain%22+%3Cb%3E&attribute.Visited=2024' +
      '&min_rating.value=4&location=Bath+%26+%3CCo%3E';
    const answer = await parts.json(`/api/reviews/search?limit=${limit}&${query}`);
    expect(answer).toMatchObject({ matched: 1, filters });
    expect(await find({ ...args, min_ratings: { value: 5 } })).toMatchObject({ matched: 1 });
    expect(await find({ ...args, location: 'rockport' })).toMatchObject({ matched: 0 });
  });

  test.each([
    [
      { location: 'nowhere' },
      'location: expected a known location (bath, rockport), got "nowhere"',
    ],
    [{ attributes: { jobs: 'x' } }, 'attributes.jobs: expected one of job, visited, got "jobs"'],
    [{ attributes: { constructor: 'x' } }, 'expected one of job, visited, got "constructor"'],
    [
      { attributes: { job: 'x' } },
      'attributes.job: expected one of Roof, Boiler & "drain" <b>, got "x"',
    ],
    [
      { min_ratings: { tidy: 3 } },
      'min_ratings.tidy: expected one of tidy_work, value, got "tidy"',
    ],
    [{ min_ratings: { value: 9 } }, 'min_ratings.value: expected a number from 1 to 5, got 9'],
    [
      { facets: 'attribute.x' },
      'facets: expected one of attribute.job, attribute.visited, got "attribute.x"',
    ],
  ])('%j are refused with what there is', async (args, message) => {
    expect(await find(args)).toContain(message);
  });

  test('a branch that the business does not list is not published', async () => {
    const { reviews } = await parts.json('/reviews.json');
    expect(reviews.map(({ location }: { location?: string }) => location ?? null)).toEqual([
      null,
      'bath',
      null,
      'bath',
      null,
      'bath',
    ]);
    expect(await server.json('/api/reviews/search?location=bath')).toMatchObject({
      issues: [{ message: 'expected no location, because the business lists none, got "bath"' }],
    });
  });
});
