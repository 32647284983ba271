// Direct answers to searches that are questions, over HTTP, by MCP and on the page.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessSchema } from '../../src/model/business.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { answersTo } from '../../src/snapshot/direct-answers.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { exampleSnapshot } from '../support/example.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';

let snapshot: Snapshot;
let server: TestServer;
beforeAll(async () => {
  snapshot = await exampleSnapshot(ORIGIN);
  server = await TestServer.open(snapshot);
});
afterAll(() => server.close());

function answersIn(searched: Snapshot, words: string, more: object = {}): string[] {
  const filter = { words: WordQuery.parse(words), limit: 1, ...more };
  const { subjects } = searched.search(filter);
  return answersTo(searched, filter, subjects).map(({ text }) => text);
}

test.each([
  ['is it expensive', /^Is Harbor .* expensive\? Mostly not: /],
  ['is the work good', /^Is the work good\? Mostly, yes/],
  ['are they polite', /^Are they friendly\? Yes/],
  ['who should I ask for', /^Who should I ask for\? \p{Lu}\S+ \p{Lu}/u],
  ['who is the best technician', /^Praised by name: \p{Lu}\S+ \p{Lu}\S+ \(1?\d of 1?\d\), \p{Lu}/u],
  ['is Mike good', /^Praised by name: Mike Alvarez \(1\d of 1\d\)\.$/],
  ['are the reviews real', /^For every review here the business states how it knows/],
  ['are they all real', /^For every review here the business states how it knows/],
  ['are they on time', /^Do they come on time\? /],
  ['do they show up on time?', /^Do they come on time\? /],
  ['do they clean up after themselves', /^Do they leave things clean\? /],
  ['how are they lately', /^How are they, and has it changed lately\? /],
  ['what do people say in the last three months', /^How are they, and has it changed lately\? /],
  ['which plumber should i ask for', /^Praised by name: /],
  ['is mike better than steve', /^Praised by name: Mike Alvarez \(1\d of 1\d\) and Steve /],
  ['Wen soll ich verlangen?', /^Praised by name: /],
  ['does the owner reply', /98% of critical reviews/],
  ['do they answer complaints', /98% of critical reviews/],
  [
    'do they work on weekends',
    /^Hours: Saturday 8:00.AM to 1:00.PM; Sunday: closed\. .* 24-hour line/,
  ],
  ['are they open on Saturday', /^Hours: Saturday 8:00.AM to 1:00.PM\.$/],
  ['when do you open on mondays', /^Hours: Monday 7:00.AM to 6:00.PM\.$/],
  ['open on Sunday', /^Hours: Sunday: closed\. .* 24-hour line/],
  ['r u open sat', /^Hours: Saturday 8:00.AM to 1:00.PM\.$/],
  ['do they come out on sundays or is it just weekdays', /^Hours: Sunday: closed\./],
  ['whats the phone number', /^\+1-207-555-0142 · office@harborpine\.example · 18 Ropewalk Lane, /],
  ['what number do I call', /^\+1-207-555-0142 /],
  ['where are they located', /18 Ropewalk Lane, Merrow Harbor, ME 04599, US$/],
  ['what are your hours', /^Hours: Monday 7:00.AM to 6:00.PM; .*; Sunday: closed\.$/],
  ['do you come to Larkin', /^Serves: Larkin \(6 reviews\)\.$/],
  ["do they serve tillman's point", /^Serves: Tillman's Point \(4 reviews\)\.$/],
  ['do you work in West Penhallow', /^Serves: West Penhallow \(5 reviews\)\.$/],
  [
    'how much does furnace repair cost',
    /^What customers paid \(Furnace repair\): 4 prices from \$165 to \$780, typically \$241\.$/,
  ],
])('%j is answered', (words, expected) => {
  expect(answersIn(snapshot, words)).toEqual([expect.stringMatching(expected)]);
});

test.each([
  // Of the telephone, or of nothing.
  'do they answer the phone',
  'do they answer',
  // No amounts of it are known, or not of what is asked.
  'how much does a water heater cost',
  'how much does a new furnace cost',
  'how much do they charge for furnace and boiler repair',
  'do you come to Boston',
  'is there a good plumber in Larkin',
  'do they charge more on weekends',
  'when did they come',
  'do they work',
  'how much time does it take',
  'is dan good',
  'who broke the boiler',
  'are they licensed',
  'did they call back',
  'did they call',
  'who answers the phone',
  // These are no questions.
  'expensive',
  'boiler Larkin',
  '"is it expensive"',
  `is it ${'very '.repeat(12)}expensive`,
])('%j is not', (words) => {
  expect(answersIn(snapshot, words)).toEqual([]);
});

test.each([
  ['is Dan any good?', /"dan" may be 2 people: .* In \d reviews more it is not clear/],
  ['is Dan any good?', /^Dan Kowalczyk: \d reviews \(\d praise, 0 criticize\)/],
  ['is Grace any good?', /1 with 1 or 2 stars, of which 0 criticize this person\./],
  [
    'is Ray any good?',
    /^Ray Thibodeau: .* No longer works there.* Beth-Anne Sawyer: ".* when he retir/,
  ],
  [
    'what is Dan Pruitt known for',
    /^Dan Pruitt: .*4\.5 stars .* Known for: AC repair 2, Bathroom remodel plumbing 2/,
  ],
  ['what was better, 2024 or 2025?', /^Mean stars .*: 2025 4\.3 stars .*; 2024 3\.9 stars/],
  ['which town has the worst reviews', /^Mean stars .* Larkin 4\.2 stars \(6 reviews\)/],
  ['is yelp worse than google', /^Mean stars .* source google 4\.2 .* source yelp 3\.3 /],
  ['¿Quién es bueno para desatascar un desagüe?', /^Drain cleaning: mentioned in 6 reviews/],
  ['Was kostet ein neuer Warmwasserspeicher?', /^Water heater repair and replacement: /],
  ['how much for a new water heater', /"\$1,685, .*2022-08-26/],
  ['furnace tune up cost?', /\$139 three yrs ago, \$149, now \$179 .* the owner: "Seniors/],
  [
    'did anybody ever get their money back',
    /^Replies of the owner .*: 7, such as "… Your \$129 is refunded/,
  ],
  ['what do people complain about most?', /^51 of 307 reviews .* of them, the owner replied to 50/],
  [
    'who is best for boilers',
    /^Boiler service: .* who did it: (?!.*Ray).*Will Castonguay 5\.0 stars \(\d reviews\)/,
  ],
  ['are you open at night', /^The business says of itself: ".*24-hour line/],
  ['are there no shows', /^Missed appointments: 4 reviews by the label; others tell it/],
  ['do they show up on time', /^Punctuality: mentioned in \d+ reviews .*\d+ praise, \d+ criticize/],
])('%j has facts for agents', async (words, expected) => {
  const { structuredContent } = await callTool(server, 'search_reviews', { words, limit: 5 });
  expect(structuredContent.facts).toContainEqual(expect.stringMatching(expected));
  expect(structuredContent.data).toEqual({
    reviews: 307,
    earliest: '2021-11-06',
    latest: '2026-10-09',
  });
});

test('a topic or service is answered by its own reviews, not by those of what is wider', async () => {
  const texts = [
    ...Array.from({ length: 6 }, () => 'The food was lovely and the fish was delicious.'),
    ...Array.from({ length: 3 }, () => 'Breakfast took an hour, and the toast came cold.'),
  ];
  const reviews = texts.map((text, at) =>
    review({ id: ulidOf(at), author: `A${at}`, text, rating: at < 6 ? 5 : 2 }),
  );
  const searched = await snapshotOf(reviews, { business: { ...BUSINESS, vertical: 'hotels' } });
  expect(answersIn(searched, 'is the food good')).toEqual([
    expect.stringMatching(/^How are the food/),
  ]);
  expect(answersIn(searched, 'is the breakfast good')).toEqual([
    'The 3 reviews that mention breakfast give 2.0 stars on average.',
  ]);
  const breakfast = { id: 'breakfast-menu', label: 'Breakfast', aliases: [] };
  const business = { ...BUSINESS, vertical: 'hotels', services: [breakfast] };
  const served = await snapshotOf(reviews, { business });
  expect(served.insights.part('topics')).toEqual([]);
  expect(answersIn(served, 'is the breakfast good')).toEqual([
    'The 3 reviews that mention breakfast give 2.0 stars on average.',
  ]);
});

test('a common word names a person only with a capital, and passages are about the person', async () => {
  const find = async (words: string) =>
    (await callTool(server, 'search_reviews', { words, limit: 5 })).structuredContent;
  const { matched, reviews } = await find('is Will any good?');
  expect([matched, reviews.length]).toEqual([10, 5]);
  expect(await find('will they be good')).not.toHaveProperty('subjects');
});

test('part scores and attributes are compared', async () => {
  const scored = [1, 2, 5].map((stars, at) =>
    review({
      id: ulidOf(at + 1),
      rating: stars,
      ratings: { wifi: stars },
      attributes: { cabin: ['Economy', 'Business'][at % 2]! },
    }),
  );
  const other = await TestServer.open(
    await snapshotOf(scored, { business: { ...BUSINESS, ratings: { wifi: 'Wi-Fi' } } }),
  );
  const factsOf = async (words: string) =>
    (await callTool(other, 'search_reviews', { words })).structuredContent.facts;
  expect(await factsOf('is the wifi ok?')).toContain('Wi-Fi: mean 2.7 of 5 in 3 ratings of it.');
  expect(await factsOf('which cabin is best?')).toContain(
    'Mean stars of all reviews by: cabin Economy 3.0 stars (2 reviews; Wi-Fi 3.0); cabin Business 2.0 stars (1 review; Wi-Fi 2.0).',
  );
  expect(await factsOf('economy wifi vs 2020')).toContainEqual(
    expect.stringMatching(
      /^Mean stars of all reviews by: cabin Economy 3\.0 stars \(2 reviews; Wi-Fi 3\.0\)/,
    ),
  );
  await other.close();
});

test('questions in other languages are answered, and words are counted that nothing has', async () => {
  expect(answersIn(snapshot, 'Habt ihr sonntags offen?')).toEqual([
    expect.stringMatching(/^Hours: Sunday: closed\./),
  ]);
  const find = async (filter: object) =>
    (await callTool(server, 'search_reviews', { limit: 1, ...filter })).structuredContent;
  const { note } = await find({ words: 'do they treat water for radon' });
  expect(note).toContain('radon 0. Nor does the business itself say');
  expect((await find({ mentions_technician: 'Marcus', facets: 'service' })).facts).toEqual([
    'Mean stars of these reviews: 4.5 stars (8 reviews).',
    expect.stringMatching(/^Mean stars by service: .*5\.0 stars \(2 reviews\)/),
  ]);
});

test('hours and telephone are answered together', () => {
  const asked = 'whats the phone no and are they open sat afternoon?';
  expect(answersIn(snapshot, asked)).toEqual([
    expect.stringMatching(/^\+1-207-555-0142 /),
    expect.stringMatching(/^Hours: Saturday 8:00.AM to 1:00.PM\.$/),
  ]);
});

test('a business that never closes is open 24 hours', async () => {
  const hours = [{ days: ['Sa' as const], opens: '00:00', closes: '23:59' }];
  const never = await snapshotOf([review()], { business: { ...BUSINESS, hours } });
  expect(answersIn(never, 'are they open on Saturday')).toEqual(['Hours: Saturday, 24 hours.']);
});

test('a filter of other reviews has no answer about all of them', () => {
  expect(answersIn(snapshot, 'is it expensive', { rating: 1 })).toEqual([]);
  expect(answersIn(snapshot, 'is it expensive', { sort: 'newest' })).toHaveLength(1);
});

test('has the reviews that it rests on, by HTTP and MCP, and on the page', async () => {
  const { answers } = await server.json('/api/reviews/search?words=is+it+expensive&limit=1');
  const { structuredContent } = await callTool(server, 'search_reviews', {
    words: 'is it expensive',
    limit: 1,
  });
  const [{ text, review_ids: ids }] = answers;
  expect(structuredContent.answers).toEqual([{ text, review_ids: ids.slice(0, 3) }]);
  const [first] = snapshot.insights.part('faq').filter(({ question }) => /expens/.test(question));
  expect(ids).toEqual(first!.review_ids);
  const page = await server.ask('/reviews?words=do+you+come+to+Larkin');
  expect(page.text).toContain('Serves: Larkin (6 reviews).');
  expect(page.text.indexOf('Serves: Larkin')).toBeLessThan(page.text.indexOf('class="reviews"'));
  expect(await server.json('/api/reviews/search?words=boiler')).not.toHaveProperty('answers');
});

describe('in other languages', () => {
  const business = businessSchema.parse({
    ...BUSINESS,
    hours: [{ days: ['Mon', 'Tue'], opens: '08:00', closes: '17:00' }],
    service_areas: ['Bad Aibling'],
  });
  const TEXTS = {
    de: 'Der Klempner war sehr freundlich und hat die Heizung am gleichen Tag repariert.',
    es: 'El fontanero fue muy amable y arregló la calefacción el mismo día.',
    fr: 'Le plombier a été très aimable et il a réparé le chauffage dans la journée.',
  } as const;

  test.each([
    ['de', 'habt ihr am Dienstag geöffnet', 'Öffnungszeiten: Dienstag 08:00 bis 17:00 Uhr.'],
    [
      'de',
      'arbeiten Sie am Wochenende',
      'Öffnungszeiten: Samstag: geschlossen; Sonntag: geschlossen.',
    ],
    ['de', 'kommen Sie nach Bad Aibling', 'Bad Aibling.'],
    ['es', '¿abren los lunes?', 'Horario: lunes'],
    ['fr', 'êtes-vous ouvert le mardi', 'Horaires\u00a0: mardi'],
  ] as const)('%s: %j', async (code, words, expected) => {
    const one = review({ text: TEXTS[code] });
    const address = { ...BUSINESS.address!, country: code.toUpperCase() };
    const found = await snapshotOf([one], {
      business: { ...business, address },
      languages: new Map([[one.id, code]]),
    });
    expect(answersIn(found, words)).toEqual([expect.stringContaining(expected)]);
  });
});
