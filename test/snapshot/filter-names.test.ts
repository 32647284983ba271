// The names in the filters of a search, over HTTP, by MCP and on the page.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleSnapshot } from '../support/example.ts';
import { TestServer } from '../support/http.ts';
import { callTool } from '../support/rpc.ts';
import { ORIGIN } from '../support/snapshot.ts';

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

  test('that is known has no names', async () => {
    expect(await search('mentions_technician=steve+ouellette')).not.toHaveProperty('names');
  });

  test('that is only a part of a name is not taken for one by get_technician', async () => {
    const { structuredContent } = await callTool(server, 'get_technician', { name: 'Ouellette' });
    expect(structuredContent).toEqual({
      technician: null,
      reviews: [],
      names: ['Steve Ouellette'],
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
