// What visitors come for is on the first page or within two clicks of it: on the example business.

import { beforeAll, describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import { View } from '../../src/site/view.ts';
import { languageOf } from '../../src/strings/language.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { exampleSnapshot } from '../support/example.ts';
import { INSIGHTS } from '../support/by-hand.ts';
import { businessSchema } from '../../src/model/business.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { pageOf } from '../support/site.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';

const { urls } = buildAssets('#1f5c4d');
let snapshot: Snapshot;
let site: Site;
beforeAll(async () => {
  snapshot = await exampleSnapshot(ORIGIN);
  site = new Site(snapshot, urls);
});

const show = (route: string, id = '', parameters: Record<string, string> = {}) =>
  site.render(route, { id, parameters }).content;
const linksOf = (html: string) => [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href);
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test.each([
  ['call them', 'tel:+12075550142'],
  ['see the worst reviews', '/reviews?sort=lowest'],
  ['read complaints about prices', '/aspects/pricing?sentiment=negative'],
  ['find out whether Steve is good', '/technicians/steve-ouellette'],
  ['learn how reviews are verified', '/verification'],
  ['put the badge on a page', '/developers/embed'],
  ['subscribe', '/feed.xml'],
])('the first page has a link to %s', (_task, href) => {
  expect(linksOf(show('/'))).toContain(href);
});

test('the first page names every town that is served', () => {
  const text = textOf(show('/'));
  const { service_areas: towns } = new View(snapshot).business;
  expect(towns.length).toBeGreaterThan(6);
  for (const town of towns) {
    expect(text).toContain(town);
  }
});

test('the bad months have the same causes in every language and on the chart', () => {
  const [dip] = snapshot.insights.part('temporal').episodes;
  expect(dip?.causes).toEqual(['Late arrivals and delays', 'Long waits', 'Scheduling']);
  expect(textOf(show('/summary'))).toContain(
    'over late arrivals, long waits and dates that were not kept:',
  );
  const german = new Site(snapshot, urls, { language: languageOf('de') });
  expect(textOf(pageOf(german, '/summary'))).toContain(
    'Verspätungen, lange Wartezeiten und Terminvergabe',
  );
});

test('the first page says how the owner replies, and the score at each source', () => {
  const text = textOf(show('/'));
  expect(text).toContain('Answers 98% of critical reviews, usually within a day.');
  expect(text).toMatch(/Google 4\.2 199 reviews Facebook 3\.9 37 reviews/);
});

test('a source leads to the profile of the business there', async () => {
  const profile = 'https://www.yelp.com/biz/harbor';
  const business = { ...BUSINESS, same_as: ['https://notyelp.com/', profile] };
  const reviews = [review({ source: 'yelp' }), review({ source: 'google' })];
  const { content: html } = new Site(await snapshotOf(reviews, { business }), urls).render('/', {
    id: '',
    parameters: {},
  });
  expect(html).toContain(`<a href="${profile}" rel="noopener"><bdi>Yelp</bdi></a>`);
  expect(html).toContain('<bdi>Google</bdi>');
});

describe('prices', () => {
  const sectionOf = (html: string) => {
    const [, section = ''] = html.split(
      /<h2>(?:What customers paid|Prices customers mention)<\/h2>/,
    );
    return textOf(section.slice(0, section.indexOf('</section>')));
  };

  test('of all services are told with what was bought, and the ranges of services with enough of them', () => {
    const text = sectionOf(show('/aspects/:id', 'pricing'));
    expect(text).toMatch(/^ \d+ reviews, newest first\./);
    expect(text).toMatch(/Furnace repair: 4 prices from \$165 to \$780, typically \$241\. .*\$214/);
    // An amount alone says nothing: what is before it does.
    expect(text).toContain('Traced to a pinhole in a copper elbow. Forty minutes, $175.');
    expect(text).not.toMatch(/“\$265\.”|\$210 paid/);
    const [paid, mentioned] = text.split(/Prices customers mention \(\d\)/);
    expect(paid).toContain('$15,960');
    // Also of reviews that judge no price, with the service.
    expect(paid).toMatch(/\$260.{0,30}Chet Varney/);
    // What was given back is no price: the replies say so.
    expect(paid).not.toMatch(/\$895|\$475/);
    // The price of a part comes after those of whole jobs.
    expect(paid).toMatch(/\$1,685.*plumbing labor/);
    expect(paid).toContain('$150');
    expect(mentioned).toContain('$6,200');
    // Each is an amount of the insights, of the kind that they say.
    expect(text).not.toContain('$14,200');
  });

  test('are not shown where reviews are about something else', () => {
    expect(sectionOf(show('/problems/:id', 'high-price'))).toBe('');
    expect(sectionOf(show('/technicians/:id', 'mike-alvarez'))).toBe('');
  });

  test('of a service are those that the insights found for it', () => {
    const boilers = show('/services/:id', 'boiler-service');
    expect(sectionOf(boilers)).toMatch(/^ Only 1 review, of January 2026\..*Invoice \$238/);
    // What was paid for a boiler and more is no price of a boiler.
    expect(sectionOf(boilers)).toMatch(/\$238.*Prices customers mention \(2\).*\$15,960.*\$189/);
    expect(sectionOf(boilers)).not.toMatch(/\$14,200|\$610/);
    expect(sectionOf(show('/services/:id', 'furnace-repair'))).toMatch(
      /^ 4 prices from \$165 to \$780, typically \$241\. 4 reviews, newest first\./,
    );
    // Its review is long, and names no other service.
    expect(sectionOf(show('/services/:id', 'water-heater'))).toMatch(
      /Only 1 review, of August 2022\..*\$1,685/,
    );
    for (const id of ['duct-cleaning']) {
      const html = show('/services/:id', id);
      expect(html).not.toContain('What customers paid</h2>');
      expect(textOf(html)).toContain('Prices customers mention');
    }
  });
});

test('complaints are listed with their number only', () => {
  const text = textOf(show('/problems'));
  expect(text).toMatch(/Long waits \d+ reviews /);
  expect(text).not.toMatch(/\d positive/);
});

test.each(['/services', '/areas', '/topics'])(
  '%s and its pages show stars, and no sentiment: sentences on a service or town judge the job',
  (list) => {
    const html = show(list);
    const text = textOf(html);
    expect(text).toMatch(/ [1-5]\.\d \d+ reviews? /);
    expect(text).not.toMatch(/\d positive/);
    const id = /<th scope="row"><a href="\/\w+\/([^"]+)"/.exec(html)?.[1] ?? '';
    const page = textOf(show(`${list}/:id`, id));
    expect(page).toMatch(/ [1-5]\.\d · \d+ reviews/);
    expect(page).not.toMatch(/\d positive/);
  },
);

test('what is said of a service that is a thing is told beside the stars of its reviews', async () => {
  const business = businessSchema.parse({
    name: 'Harbour Inn',
    vertical: 'hotels',
    services: [{ id: 'pool', label: 'Pool' }],
  });
  const reviews = ['The pool was great.', 'Lovely pool.', 'The pool was filthy and cold.'].map(
    (text, at) => review({ id: ulidOf(at), text, rating: at < 2 ? 5 : 1 }),
  );
  const insights = deriveInsights(reviews, business);
  const inn = new Site(await snapshotOf(reviews, { business, insights }), urls);
  expect(textOf(pageOf(inn, '/services/:id', 'pool'))).toContain(
    'Where they speak of it: 2 praise it, 1 criticize it.',
  );
});

test('topics are none of the jobs that the catalogue of services has', () => {
  const text = textOf(show('/topics'));
  expect(text).toContain('Warranty');
  expect(text).not.toMatch(/Plumbing \d|Electrical|Remodeling/);
});

test.each([
  ['en', 'Dishes and occasions'],
  ['de', 'Gerichte und Anlässe'],
])('a restaurant has dishes instead of services (%s)', async (code, title) => {
  const business = { ...BUSINESS, vertical: 'restaurants' };
  const restaurant = await snapshotOf([review({ text: 'The boiler is good.' })], { business });
  const options = { language: languageOf(code) };
  const { content: html } = new Site(restaurant, urls, options).render('/services', {
    id: '',
    parameters: {},
  });
  expect(html).toContain(`<h1>${title}</h1>`);
});

describe('people', () => {
  const namesIn = (html: string) =>
    [...html.matchAll(/<th scope="row">(?:<input[^>]*>\s*)?<a href="\/technicians\/([^"]+)"/g)].map(
      ([, id]) => id,
    );
  const starsIn = (html: string) =>
    [...html.matchAll(/<\/svg> ([1-5]\.\d)\s*<(?:\/td|span)/g)].map(([, mean]) => Number(mean));

  test('are in a table that is sorted by links, and who has left is folded below', () => {
    const html = show('/technicians');
    expect(linksOf(html)).toEqual(
      expect.arrayContaining(['/technicians?sort=stars', '/technicians?sort=last']),
    );
    expect(textOf(html)).toMatch(
      /SO Steve Ouellette 4\.7 12 of 14 positive 14 reviews (?:Praised for: .{1,60} )?Last mentioned: July 2026/,
    );
    expect(namesIn(html)).toHaveLength(12);
    const [, former = ''] = html.split('<details>').map(textOf);
    expect(former).toMatch(/Ray Thibodeau 14 reviews Hank Barstow 7 reviews Kyle Fenn 4 reviews/);
    const sorted = starsIn(show('/technicians', '', { sort: 'stars' }));
    expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
    expect(starsIn(html)).not.toEqual(sorted);
    const newest = ['mike-alvarez', 'beth-anne-sawyer', 'dan-pruitt'];
    expect(namesIn(show('/technicians', '', { sort: 'last' })).slice(0, 3)).toEqual(newest);
    expect(namesIn(html).slice(0, 3)).not.toEqual(newest);
  });

  test('are two clicks away from being side by side', () => {
    const compare = '/technicians?compare=mike-alvarez,steve-ouellette';
    expect(linksOf(show('/'))).toContain('/technicians/mike-alvarez');
    const links = linksOf(show('/technicians/:id', 'mike-alvarez')).map((href) =>
      decodeURIComponent(href ?? ''),
    );
    expect(links).toContain(compare);
    const html = show('/technicians', '', { compare: 'mike-alvarez,steve-ouellette' });
    expect(html).toContain('<h1>Mike Alvarez and Steve Ouellette</h1>');
    expect(html).toContain('content="noindex"');
    expect(textOf(html)).toMatch(
      /Stars 4\.7 4\.7 Reviews 14 reviews 14 reviews Positive 13 of 14 12 of 14 .* Services .*Well pump and pressure tank .* Furnace repair/,
    );
    expect(show('/technicians')).toContain('name="compare" value="mike-alvarez"');
    const boxes = { compare: ['mike-alvarez', 'priya-nair', 'dan-pruitt'] };
    const { content: three } = site.render('/technicians', { id: '', parameters: boxes });
    expect(three).toContain('<h1>Mike Alvarez, Priya Nair, and Dan Pruitt</h1>');
    expect(three).not.toContain('role="alert"');
    const compare4 = [...boxes.compare, 'luis-mendoza'];
    const four = site.render('/technicians', { id: '', parameters: { compare: compare4 } }).content;
    expect(four).toMatch(/role="alert"><strong class="problems"\s*>Tick two or three people/);
    expect(four).not.toContain('Luis');
    // Everybody has words of a customer.
    expect(three.match(/<q /g)).toHaveLength(3);
  });

  test.each(['mike-alvarez', 'mike-alvarez,nobody', 'mike-alvarez,ray-thibodeau', '', ','])(
    'are listed where nobody can be compared (%j)',
    (compare) => {
      expect(namesIn(show('/technicians', '', { compare }))).toHaveLength(12);
    },
  );

  test('who have left are compared with nobody', () => {
    const html = show('/technicians/:id', 'ray-thibodeau');
    expect(html).not.toContain('compare=');
    expect(textOf(html)).toContain('No longer works here.');
  });
});

test('the page of a service says who does it, and leads on into the search', () => {
  expect(linksOf(show('/'))).toContain('/services');
  const html = show('/services/:id', 'heat-pump-installation');
  expect(textOf(html)).toMatch(/Who does it .*Priya Nair 5 reviews/);
  expect(textOf(html)).toMatch(/\d+ with four or five stars , \d with one or two/);
  expect(linksOf(html)).toEqual(
    expect.arrayContaining([
      '/reviews?mentions_service=heat-pump-installation&amp;mentions_technician=priya-nair',
      '/reviews?mentions_service=heat-pump-installation',
      '/reviews?mentions_service=heat-pump-installation&amp;sort=lowest',
    ]),
  );
});

test('a topic is told like a service: stars, both sides, quotes, and the words that are about it', () => {
  const html = show('/topics/:id', 'maintenance');
  expect(textOf(html)).toMatch(
    /3\.9 · 11 reviews .* 8 with four or five stars , 1 with one or two/,
  );
  expect(html).toMatch(/<mark>[^<]*\w [^<]*tune up[^<]*<\/mark>/);
  expect(html).toContain('<ul class="phrases">');
});

test('periods count back from the day of the reader, and those without reviews are not offered', async () => {
  expect(show('/reviews')).toContain('href="/reviews?since=12m"');
  const old = [1, 2, 3].map((number) =>
    review({ id: ulidOf(number), date: `202${number}-01-01`, text: `Number ${number}` }),
  );
  const page = pageOf(new Site(await snapshotOf(old), urls), '/reviews');
  expect(page).toContain('since=12m');
  expect(page).not.toContain('since=3m');
});

test('what was added to a search stands below what has the words, each with its number', () => {
  const html = textOf(show('/reviews', '', { words: 'warranty' }));
  const [, found, related] = /(\d+) reviews found.*? (\d+) related reviews/.exec(html) ?? [];
  expect(Number(found)).toBeLessThan(20);
  expect(html).toContain(`1 to 20 of ${Number(found) + Number(related)}`);
  expect(textOf(show('/reviews', '', { words: 'xylophone' }))).toContain(
    'No review says “xylophone”.',
  );
});

test('a search finds first what is meant: a sum, a complaint, and what only a reply says', () => {
  const found = (words: string) => show('/reviews', '', { words });
  const first = (words: string) => /class="author"><a[^>]*><bdi>([^<]+)/.exec(found(words))?.[1];
  for (const price of ['price', 'cost']) {
    expect(first(`water heater ${price}`)).toBe('Harmon Wiley');
  }
  expect(first('rude')).toBe('Rex');
  expect(textOf(found('refund'))).toMatch(/ 1 review found .* 7 more have this only in the owner/);
  expect(textOf(show('/reviews', '', { words: 'refund', in: 'all' }))).toMatch(/ 8 reviews found/);
  // Nothing is found that lacks a word, and what is not said is told.
  const solar = textOf(found('do they sell solar panels?'));
  expect(solar).toMatch(/ 6 related reviews .*No review says “solar”\./);
  expect(textOf(found('cheapest plumber in town'))).toContain('all of: cheapest, plumber, town.');
  expect(textOf(found('is it safe'))).toMatch(/No review says “safe”\. (?!Try)/);
  expect(textOf(found('lately'))).not.toMatch(/late \d|Late arrivals/);
  expect(textOf(found('how are they lately'))).toContain(' 307 reviews 1 to 20');
  expect(textOf(found('warranty'))).toMatch(/reviews found .{0,40}average [1-5]\.\d of these \d/);
  expect(textOf(found('refund'))).not.toContain('average');
  // The answer first, and filters that add up to the number found.
  const [, href, name] =
    /id="results">\s*<p>\s*<a href="([^"]+)"\s*>([^<]+)/.exec(found('price of water heater')) ?? [];
  expect([href, name]).toEqual([
    '/services/water-heater#prices',
    'What customers paid: Water heater repair and replacement',
  ]);
  const text = textOf(found('price of water heater'));
  const [, sources = ''] = /Sources ((?:[A-Z][a-z]+ \d+ )+)/.exec(text) ?? [];
  const sum = [...sources.matchAll(/\d+/g)].reduce((all, [count]) => all + Number(count), 0);
  expect(sum).toBe(Number(/(\d+) reviews? found/.exec(text)?.[1]));
});

test.each([
  ['negative reviews', 'lowest'],
  ['show me the bad reviews', 'lowest'],
  ['critical feedback', 'lowest'],
  ['schlechte Bewertungen', 'lowest'],
  ['reseñas negativas', 'lowest'],
  ['mauvais avis', 'lowest'],
  ['good reviews', 'highest'],
])('%j are the %s', (words, sort) => {
  const idsIn = (parameters: Record<string, string>) =>
    [...show('/reviews', '', parameters).matchAll(/ id="review-(\w+)"/g)].map(([, id]) => id);
  expect(idsIn({ words })).toEqual(idsIn({ sort }));
});

test('what is told of words is true, as they were typed', () => {
  const told = (words: string, own = site) =>
    textOf(own.render('/reviews', { id: '', parameters: { words } }).content);
  expect(told('are they honest')).toMatch(/what do customers say\? \d+ of the \d+ customers/);
  // It is not asked what customers think.
  expect(told('do they offer transparency')).not.toContain('what do customers say?');
  // A word of reviews is no kind of them.
  expect(told('bad')).toContain(' 6 reviews found');
  const german = new Site(snapshot, urls, { language: languageOf('de') });
  expect(told('Ungenügend', german)).toContain('In keiner Bewertung steht „Ungenügend“.');
});

test('who is best for something are people who are there, and a price comes first', () => {
  const found = (words: string) => show('/reviews', '', { words });
  const best = textOf(found('who is best for boilers'));
  expect(best).toMatch(/Praised by name: (?!.{0,150}Ray).*Will Castonguay \(\d reviews\)/);
  expect(linksOf(found('ask for Mike Alvarez'))).toContain('/technicians/mike-alvarez');
  const [, first = ''] = found('how much is a new furnace').split('<article');
  expect(textOf(`<${first}`)).toContain('$');
});

test('the navigation says where a reader is', () => {
  const current = (html: string) => /<a href="([^"]+)" aria-current="(\w+)"/.exec(html)?.slice(1);
  expect(current(show('/services'))).toEqual(['/services', 'page']);
  expect(current(show('/services/:id', 'boiler-service'))).toEqual(['/services', 'true']);
  expect(current(show('/reviews', '', { words: 'boiler' }))).toEqual(['/reviews', 'page']);
  expect(current(show('/'))).toBeUndefined();
});

test('a review that has all words precedes one that repeats a word', async () => {
  const long = `The kitchen. ${'Nothing else was said of it. '.repeat(40)} Our boiler leaked.`;
  const others = Array.from({ length: 40 }, (_, at) =>
    at < 4 ? 'Kitchen, kitchen.' : at < 8 ? 'Leaked, leaked.' : 'Fine.',
  );
  const texts = [long, ...others];
  const reviews = texts.map((text, at) => review({ id: ulidOf(at + 1), text }));
  const own = new Site(await snapshotOf(reviews), urls);
  const html = textOf(
    own.render('/reviews', { id: '', parameters: { words: 'kitchen leaked ' } }).content,
  );
  expect(html).toMatch(/ 1 review found .*Nothing else .* 8 related reviews /);
  expect(html).not.toMatch(/ 1 review found .*Kitchen, .* related/);
});

test.each([
  ['are the reviews fake', '/verification', '307 reviews'],
  [
    'does the owner answer complaints',
    '/reviews?has_reply=true&amp;max_rating=2',
    '50 reviews found',
  ],
  ['who should I ask for', '/technicians', 'Who should I ask for?'],
  ['mike or steve', '/technicians?compare=mike-alvarez%2Csteve-ouellette', 'Compare: Mike Alvarez'],
  ['is mike any good', '/technicians/mike-alvarez', 'Mike Alvarez (13 of 14)'],
  ['are they honest', '/aspects/transparency', 'Transparency: what do customers say?'],
  ['what about the last twelve months', '/reviews?sort=newest', 'has it changed lately?'],
  ['wie teuer ist ein warmwasserbereiter', '/services/water-heater#prices', 'What customers paid'],
])('%j leads to its place', (words, href, told) => {
  const html = show('/reviews', '', { words });
  expect(linksOf(html)).toContain(href);
  expect(textOf(html)).toContain(told);
});

test('the page of a review says each finding once, in whole sentences', () => {
  const html = show('/reviews/:id', '01KYB94N003Z33ZX5576YB716A');
  expect(html.match(/<bdi>Quality of work<\/bdi>/g)).toHaveLength(1);
  expect(html).toContain('<q dir="auto">… words and most of those');
});

test('the page of a problem begins with what a customer says, and in which years', () => {
  const text = textOf(show('/problems/:id', 'long-wait'));
  expect(text).toMatch(
    /Last mentioned: .* In customers’ words \w.*Over the years Over the years 2026 \d+ of \d+ 2025/,
  );
});

test('a complaint and the aspect that it is about lead to each other', () => {
  expect(textOf(show('/problems/:id', 'late-arrival'))).toMatch(
    /See also: Punctuality \(\d+ negative\)/,
  );
  expect(linksOf(show('/aspects/:id', 'punctuality'))).toContain('/problems/late-arrival');
});

test('what many complain of is a complaint, also where no problem has a name for it', async () => {
  const reviews = Array.from({ length: 12 }, (_, at) =>
    review({ id: ulidOf(at + 1), rating: 2, text: 'Overcharged, and rude.' }),
  );
  const own = await snapshotOf(reviews, { insights: deriveInsights(reviews, BUSINESS) });
  const view = new View(own);
  const [worst] = view.insights('aspects').filter((one) => one.negative_count === 12);
  expect(worst).toBeDefined();
  const page = pageOf(new Site(own, urls), '/problems');
  expect(linksOf(page).some((href) => /^\/(?:aspects|problems)\/./.test(href ?? ''))).toBe(true);
});

test('the search form sends no invalid filter again', () => {
  const html = show('/reviews', '', {
    sentiment: 'angry',
    aspect: 'no such',
    service_area: 'larkin',
  });
  expect(html).toContain('type="hidden" name="service_area" value="larkin"');
  expect(html).not.toContain('type="hidden" name="sentiment"');
});

test.each([
  [{ email: 'a@shop.example' }, 'mailto:a@shop.example?subject='],
  [{ email: null, telephone: '+1 207 555 0142' }, 'tel:+12075550142">Call +1 207 555 0142'],
  [{ email: null, telephone: 'ask at the desk' }, 'https://maps.example/1">Report it to Google'],
  [{ email: null, telephone: null }, 'https://maps.example/1">Report it to Google'],
])('a review can be reported with %j', async (business, way) => {
  const reviews = [
    review({ id: ulidOf(1), source: 'google', sourceUrl: 'https://maps.example/1' }),
  ];
  const own = await snapshotOf(reviews, { business: { ...BUSINESS, ...business } });
  const page = pageOf(new Site(own, urls), '/reviews/:id', ulidOf(1));
  expect(page.slice(page.indexOf('Is something wrong'))).toContain(`href="${way}`);
});

test('a subject is quoted from both sides, praise from many stars and criticism from few', () => {
  const [, quotes = ''] =
    /<ul class="phrases">(.*?)<\/ul>/s.exec(show('/aspects/:id', 'punctuality')) ?? [];
  const stars = [...quotes.matchAll(/aria-label="(\d) out of/g)].map(([, count]) => Number(count));
  expect(stars.slice(0, 2).every((count) => count >= 4)).toBe(true);
  expect(stars.slice(2)).not.toEqual([]);
  expect(stars.slice(2).every((count) => count <= 3)).toBe(true);
});

test('the quote on the first page is told with its author and month', () => {
  expect(show('/')).toMatch(
    /<figure class="quote">\s*<blockquote[^>]*>[^\s<][^<]*\S<\/blockquote>.*?<svg class="stars".*?<bdi>[^<]+<\/bdi><\/a>,\s+\w+ \d{4}\s*<\/figcaption>/s,
  );
});

test.each([
  ['praise', 5, 'Great price!', true],
  ['a complaint', 2, 'Great price!', false],
  ['the code of a page', 5, 'Great price! <script>alert(1)</script>', false],
])('%s in a quote of honour: %i stars, %j', async (_kind, rating, text, isShown) => {
  const praise = review({ rating, text });
  const insights = { ...INSIGHTS, pull_quote: 'Great price!', pull_quote_review_id: praise.id };
  const others = Array.from({ length: 9 }, (_, at) => review({ id: ulidOf(at + 50) }));
  const home = pageOf(new Site(await snapshotOf([praise, ...others], { insights }), urls), '/');
  expect(home.includes('<figure class="quote">')).toBe(isShown);
});

test('three reviews are shown whole, without figures and links to what is not there', async () => {
  const reviews = [1, 2, 3].map((number) =>
    review({
      id: ulidOf(number),
      text: `Number ${number}: Mike fixed the boiler. ${'He was on time. '.repeat(30)}The end.`,
      ownerReply: { text: `Reply ${number}`, date: '2024-09-01' },
    }),
  );
  const few = await snapshotOf(reviews, { insights: deriveInsights(reviews, BUSINESS) });
  const home = pageOf(new Site(few, urls), '/');
  const text = textOf(home);
  for (const number of [1, 2, 3]) expect(text).toMatch(`Reply ${number}`);
  expect(home.match(/<article /g)).toHaveLength(3);
  expect(text).not.toMatch(/In short|Over the years|Strengths|fewest stars|nearly/);
  const lists = ['/faq', '/summary', '/aspects', '/topics', '/problems', '/areas', '/services'];
  expect(linksOf(home).filter((href) => lists.includes(href ?? ''))).toEqual([]);
});

test('whether complaints are answered is asked and told, and every answer has words of its question', () => {
  const text = textOf(show('/faq'));
  expect(text).toContain('Yes: 50 of the 51 reviews with one or two stars have an answer.');
  expect(text).toMatch(
    /Do they leave things clean\?.{0,90} happy\. “Technician was thoughtful and took his shoes off/,
  );
});

describe('a page that does not exist', () => {
  test.each([
    ['steve', '/technicians/steve-ouellette'],
    ['mike-alvares', '/technicians/mike-alvarez'],
    ['Sawyer', '/technicians/beth-anne-sawyer'],
  ])('for %s suggests who was probably meant', (id, href) => {
    const html = show('/technicians/:id', id);
    expect(html).toContain('Did you mean one of these?');
    expect(linksOf(html)).toContain(href);
  });

  test('suggests nothing where nothing is close, and leads on', () => {
    const html = show('/technicians/:id', 'xyzzy');
    expect(html).not.toContain('Did you mean');
    expect(linksOf(html)).toEqual(expect.arrayContaining(['/', '/reviews', '/technicians']));
  });

  test('of a very long address is found', () => {
    expect(show('/technicians/:id', 'a-'.repeat(8_000))).toContain('We can’t find that page');
  });
});
