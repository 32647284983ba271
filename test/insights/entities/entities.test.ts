import { describe, expect, test } from 'vitest';
import { buildEntityFinder, catalogueOf } from '../../../src/insights/entities/entities.ts';
import { buildClaimFinder } from '../../../src/insights/claims/claims.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { annotateText } from '../../support/annotate-text.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { slugOf } from '../../../src/insights/text/slug.ts';
import { BUSINESS } from '../../support/reviews.ts';
import type { AnnotatedText } from '../../../src/insights/text/annotate.ts';
import { growth, LINEAR } from '../../support/growth.ts';

const business = businessSchema.parse({
  ...BUSINESS,
  name: 'Rose & Thorn Plumbing, Ltd',
  service_areas: ['Bath', 'St. Ives', 'St Ives', 'Jackson', '서울'],
  services: [
    { id: 'boiler-repair', label: 'Boiler repair', aliases: ['boiler'] },
    { id: 'drains', label: 'Drain cleaning', aliases: ['drain', 'clogged sink', 'pipe'] },
    { id: 'leaks', label: 'Leak repair', aliases: ['leaking pipe', 'pipe'] },
    { id: 'wells', label: 'Well pump', aliases: ['well'] },
    { id: 'heaters', label: 'Water heater repair and replacement', aliases: [] },
  ],
});
const find = buildEntityFinder(business);
const findClaims = buildClaimFinder(verticalOf(business.vertical));
const findIn = (annotated: AnnotatedText, rating = 5) =>
  find(annotated, { author: 'Gladys', rating }, findClaims(annotated, rating).moodOf);
const found = (text: string, rating = 5) => findIn(annotateText(text), rating);
const services = (text: string) => found(text).services.map(({ id }) => id);
const areas = (text: string) => found(text).serviceAreas.map(({ id }) => id);

describe('a service', () => {
  test.each([
    ['BOILER REPAIR', ['boiler-repair']],
    ['our boiler and the other boilers', ['boiler-repair']],
    ['the clogged\nsink', ['drains']],
    ['a leaking pipe', ['leaks']],
    ['a pipe', []],
    ['it was drained', []],
    ['a clogged, dirty sink', []],
    ['it works well now', []],
    ['our well is back', ['wells']],
    ['a new well pump', ['wells']],
    ['a new Rheem water heater', ['heaters']],
  ])('in %j is %j', (text, ids) => {
    expect(services(text)).toEqual(ids);
  });
});

describe('a service whose label is longer than what reviews call it', () => {
  const called = (labels: readonly string[], text: string, vertical = 'clinics') => {
    const declared = labels.map((label) => ({ id: slugOf(label), label, aliases: [] }));
    const other = businessSchema.parse({
      ...BUSINESS,
      vertical,
      service_areas: [],
      services: declared,
    });
    const { services: all } = buildEntityFinder(other)(
      annotateText(text),
      { author: 'Gladys', rating: 5 },
      () => 'neutral',
    );
    return all.map(({ id }) => other.services.find((one) => one.id === id)?.label);
  };
  const CLINIC = [
    'Root canal treatment',
    'Crowns and bridges',
    'Extractions',
    'Hygienist cleaning',
    'Emergency appointments',
    'Private rooms in the back building',
  ];
  test.each([
    ['My root canal took an hour.', ['Root canal treatment']],
    ['A new crown in a week.', ['Crowns and bridges']],
    ['Had a tooth pulled, no pain.', ['Extractions']],
    ['He knocked a tooth out at school.', []],
    ['The hygienist is gentle.', ['Hygienist cleaning']],
    ['The treatment, the appointment and the room were fine, we will be back.', []],
  ])('in %j is %j', (text, ids) => {
    expect(called(CLINIC, text)).toEqual(ids);
  });

  test('is told from another one on the same thing by the work', () => {
    const air = (text: string) => called(['AC repair', 'AC tune-up'], text, 'home_services');
    expect(air('They fixed the AC.')).toEqual(['AC repair']);
    expect(air('Annual visit, they tuned the AC.')).toEqual(['AC tune-up']);
    expect(air('They did the work beside the AC.')).toEqual([]);
  });

  test('by its last word, unless another service has it', () => {
    const labels = ['Heat pump', 'Well pump', 'Weekend brunch', 'Class constructor'];
    expect(called(labels, 'The pump was late, the brunch great.')).toEqual(['Weekend brunch']);
  });

  test('by no word that says little alone', () => {
    const labels = [
      'Vegetarian dishes',
      'Happy hour',
      'Outdoor seating',
      'Day use rooms',
      'Restaurant',
    ];
    const text = 'Dirty dishes, an hour of seating us, no use. Two restaurants nearby.';
    expect(called(labels, text)).toEqual([]);
    expect(called(labels, 'A vegetarian curry at happy hour on the patio.').toSorted()).toEqual([
      'Happy hour',
      'Outdoor seating',
      'Vegetarian dishes',
    ]);
  });
});

describe('a town', () => {
  test.each([
    ['They came to Bath quickly', ['bath']],
    ['The bathroom and the bath', []],
    ['We live in St. Ives. Nice people.', ['st-ives']],
    ['All of St Ives knows them', ['st-ives']],
    ['Mr. Jackson came', []],
    ['서울 is far', ['서울']],
  ])('in %j is %j', (text, ids) => {
    expect(areas(text)).toEqual(ids);
  });

  test('is not a technician, nor is the name of the business', () => {
    expect(found('They came out to Jackson.').names).toEqual([]);
    expect(found('Rose and Thorn fixed it. Rose & Thorn fixed it.').names).toEqual([]);
  });

  test('with two spellings in the catalogue is one', () => {
    expect(catalogueOf(business).serviceAreas.map(({ id, names }) => [id, names.length])).toEqual([
      ['bath', 1],
      ['st-ives', 2],
      ['jackson', 1],
      ['서울', 1],
    ]);
  });
});

test('the phrase of a mention shows its sentiment', () => {
  const text = 'The traffic was a chore. The boiler repair was sloppy work. The drain works.';
  expect(
    found(text, 2).services.map(({ id, sentiment, start, end }) => [
      id,
      sentiment,
      text.slice(start, end),
    ])[0],
  ).toEqual(['boiler-repair', 'negative', 'The boiler repair was sloppy work.']);
});

test('the trouble in the name of a service is not a complaint about it', () => {
  expect(found('They fixed a leaking pipe and a clogged sink.', 5).services).toMatchObject([
    { id: 'leaks', sentiment: expect.not.stringContaining('negative') as string },
    { id: 'drains', sentiment: expect.not.stringContaining('negative') as string },
  ]);
});

test.each([
  ['a name again and again', 'Mike boiler '],
  ['names in a row', 'Mike, '],
  ['names joined', 'Mike and '],
  ['clauses without an end', 'Mike was great but Bath was late, '],
  ['thanks', 'thank you so much '],
  ['towns', 'Bath '],
  ['full stops', 'M. '],
])('a text of nothing but %s takes linear time', (_, part) => {
  const annotatedOf = (length: number) =>
    annotateText(part.repeat(Math.ceil(length / part.length)));
  const work = (annotated: AnnotatedText) => findIn(annotated, 3);
  expect(growth(60_000, annotatedOf, work)).toBeLessThan(LINEAR);
});
