// Reviews with everything that they carry: three branches from three files of Takeout are one site, and part scores
// and attributes answer what a customer wants to know.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLdOf } from '../support/site.ts';
import { Workplace } from '../support/process.ts';

const ORIGIN = { BASE_URL: 'https://reviews.example' };

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open();
});
afterEach(() => place.close());

const STARS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'];
const takeout = (number: number, stars: readonly number[]) => ({
  reviews: stars.map((rating, index) => ({
    name: `accounts/1/locations/${number}/reviews/r${number}-${index}`,
    reviewer: { displayName: 'Kim Lee' },
    starRating: STARS[rating - 1],
    createTime: `2024-0${1 + index}-05T12:00:00Z`,
    comment: 'They came the same day.',
    reviewReply: { comment: 'Thank you.' },
  })),
});

test('three branches from three files of Takeout are one site', async () => {
  const business = await place.write('business.json', {
    name: 'Harbor Heating',
    address: { country: 'US' },
    locations: [
      { name: 'Bath', aliases: ['33'], telephone: '+1-207-555-0142' },
      { name: 'Camden', aliases: ['34'] },
      { id: 'old-port', name: 'Portland', aliases: ['35'] },
    ],
  });
  const server = await place.serveHere(ORIGIN);
  for (const [number, stars] of [
    [33, [5, 4]],
    [34, [1]],
    [35, [2, 2, 3]],
  ] as const) {
    const file = await place.write(`${number}.json`, takeout(number, stars));
    const report = await place.importHere(file, { business, verifiedBy: 'invoice' });
    expect(JSON.stringify(report)).not.toContain('near duplicates');
  }
  const { reviews } = await server.until('/reviews.json', (json) => json.reviews.length === 6);
  expect(reviews[0]).toMatchObject({
    location: 'old-port',
    owner_reply: { text: 'Thank you.', date: null },
  });
  const found = await server.json('/api/reviews/search?location=portlan&facets=location&limit=1');
  expect(found).toMatchObject({
    matched: 3,
    filters: { resolved: [{ parameter: 'location', to: 'old-port', by: 'spelling' }] },
    facets: { location: [{ value: 'old-port', label: 'Portland', count: 3 }] },
  });
  const { locations } = await server.json('/insights.json');
  expect(locations).toEqual([
    { id: 'bath', name: 'Bath', review_count: 2, average_rating: 4.5 },
    { id: 'camden', name: 'Camden', review_count: 1, average_rating: 1 },
    { id: 'old-port', name: 'Portland', review_count: 3, average_rating: 2.33 },
  ]);
  const page = await (await fetch(`${server.url}/locations/bath`)).text();
  expect(page).toContain('tel:+12075550142');
  const scored = { aggregateRating: { ratingValue: 4.5, reviewCount: 2 } };
  expect(jsonLdOf(page)[0]).toMatchObject({ name: 'Harbor Heating, Bath', ...scored });
  const home = await (await fetch(`${server.url}/`)).text();
  expect(home).toContain('href="/locations/old-port"');
  expect(jsonLdOf(home)[0].department).toMatchObject([
    scored,
    { name: 'Harbor Heating, Camden' },
    { url: 'https://reviews.example/locations/old-port' },
  ]);
  expect(await (await fetch(`${server.url}/sitemaps/pages.xml`)).text()).toContain(
    '/locations/camden<',
  );
  expect((await fetch(`${server.url}/locations/nowhere`)).status).toBe(404);
  expect(page).toContain('href="https://reviews.example/locations/bath/feed.xml"');
  const atom = await (await fetch(`${server.url}/locations/bath/feed.xml`)).text();
  expect(atom.match(/<entry>/g)).toHaveLength(2);
  expect(atom).toContain('<title type="text">Reviews of Harbor Heating, Bath</title>');
  expect(atom).toContain('href="https://reviews.example/locations/bath/feed.xml" rel="self"');
  expect(atom).not.toContain('rel="hub"');
  const feed = await server.json('/locations/old-port/feed.json');
  expect(feed).toMatchObject({
    home_page_url: 'https://reviews.example/locations/old-port',
    feed_url: 'https://reviews.example/locations/old-port/feed.json',
    items: [{ authors: [{ name: 'Kim Lee' }], tags: expect.arrayContaining(['google']) }, {}, {}],
  });
  expect(feed).not.toHaveProperty('hubs');
  const badge = await fetch(`${server.url}/locations/bath/badge.svg`);
  expect(await badge.text()).toContain(
    'Harbor Heating, Bath: 4.5 out of 5 stars in 2 verified reviews',
  );
  const again = { headers: { 'if-none-match': badge.headers.get('etag') ?? '' } };
  expect((await fetch(`${server.url}/locations/bath/badge.svg`, again)).status).toBe(304);
  const embed = await (await fetch(`${server.url}/locations/camden/embed-data.js`)).text();
  expect(embed).toContain('publicReviews["locations/camden/embed-data.js"]=');
  const data = JSON.parse(embed.replace(/^.*?\]=|;\n$/g, ''));
  expect(data).toMatchObject({ name: 'Harbor Heating, Camden', rating: 1, reviews: [{}] });
  expect((await fetch(`${server.url}/locations/bath/feed.txt`)).status).toBe(404);
  expect((await fetch(`${server.url}/locations/nowhere/feed.xml`)).status).toBe(404);
});

const FLIGHTS = `Name,Stars,Day,Words,Cabin,Route,Seat,Food,Seen
Ann,2,2024-01-01,"No legroom at all.",Economy Class,London to New York,1,3,true
Ben,5,2024-01-02,"Legroom was fine.",economy class,London to New York,4.5,,true
Cid,4,2024-01-03,"Great legroom.",First Class,London to Rome,5,0,true
Dee,3,2024-01-04,,Economy Class,London to Rome,3,3,true
`;
const MAPPING = {
  columns: { author: 'Name', rating: 'Stars', date: 'Day', text: 'Words', verified: 'Seen' },
  attributes: { cabin: 'Cabin', route: 'Route' },
  ratings: { seat: 'Seat', food: 'Food' },
  constants: { source: 'flights', verified_by: 'ticket' },
};

test('part scores and attributes answer "legroom in economy to New York", also after a copy', async () => {
  const server = await place.serveHere(ORIGIN);
  const format = await place.write('m.json', MAPPING);
  const file = await place.write('flights.csv', FLIGHTS);
  expect(await place.run('import', file, '--format', format)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('part score food left out: expected 1 to 5 (1)'),
  });
  const dataset = await server.until('/reviews.json', ({ reviews }) => reviews.length === 4);
  expect(dataset.reviews[3]).toMatchObject({
    attributes: { cabin: 'Economy Class', route: 'London to New York' },
    ratings: { food: 3, seat: 1 },
  });
  expect(dataset.reviews[2].ratings).toEqual({ seat: 4.5 });
  const inEconomy =
    'words=legroom&attribute.cabin=ECONOMY+class&attribute.route=London+to+New+York';
  const ids = (answer: { reviews: { id: string }[] }) => answer.reviews.map(({ id }) => id);
  const found = await server.json(`/api/reviews/search?${inEconomy}&sort=newest`);
  expect(ids(found)).toEqual([dataset.reviews[2].id, dataset.reviews[3].id]);
  const best = await server.json(`/api/reviews/search?${inEconomy}&min_rating.seat=4`);
  expect(ids(best)).toEqual([dataset.reviews[2].id]);
  expect(best.filters).toMatchObject({
    attributes: { cabin: 'ECONOMY class', route: 'London to New York' },
    min_ratings: { seat: 4 },
  });
  const counted = await server.json('/api/reviews/search?facets=attribute.cabin&limit=1');
  expect(counted.facets['attribute.cabin'].map(({ count }: { count: number }) => count)).toEqual([
    3, 1,
  ]);
  const { issues } = await server.json(
    '/api/reviews/search?attribute.cabn=x&min_rating.legs=4&attribute.route=Mars',
  );
  expect(issues.map(({ message }: { message: string }) => message)).toEqual([
    'expected one of cabin, route, got "cabn"',
    'expected one of London to Rome, London to New York, got "Mars"',
    'expected one of food, seat, got "legs"',
  ]);
  const parameters = [['attribute.cabn'], ['attribute.route'], ['min_rating.legs']];
  expect(issues.map(({ path }: { path: string[] }) => path)).toEqual(parameters);
  const insights = await server.json('/insights.json');
  expect(insights.ratings.seat).toEqual({
    mean: 3.38,
    count: 4,
    monthly: [{ month: '2024-01', mean: 3.38, count: 4 }],
  });
  expect(insights.attributes.route).toMatchObject({ review_count: 4, value_count: 2 });
  const page = await (await fetch(`${server.url}/reviews?min_rating.seat=4`)).text();
  expect(page).toContain('name="attribute.cabin"');
  expect(page).toContain('Seat: at least 4 stars');
  expect(page).toMatch(/<span>Seat<\/span> <svg.*?<strong>4\.5<\/strong>/);
  const other = await Workplace.open();
  try {
    const copy = await other.serveHere(ORIGIN);
    await other.importHere(await other.write('copy.json', dataset));
    const copied = await copy.until('/reviews.json', ({ reviews }) => reviews.length === 4);
    expect(copied.reviews).toEqual(dataset.reviews);
  } finally {
    await other.close();
  }
});
