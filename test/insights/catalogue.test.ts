import { describe, expect, test } from 'vitest';
import { catalogueOf, finderOf } from '../../src/insights/catalogue.ts';
import { businessSchema } from '../../src/model/business.ts';
import { BUSINESS } from '../support/reviews.ts';

const CATALOGUE = catalogueOf(
  businessSchema.parse({
    ...BUSINESS,
    service_areas: ['Bath', 'St. Ives', 'St Ives', '서울'],
    technicians: [
      ...BUSINESS.technicians,
      { id: 'pat-obrien', name: "Pat O'Brien", aliases: ["O'Brien", 'Sam'] },
      { id: 'sam-lee', name: 'Sam Lee', aliases: ['Sam'] },
      { id: 'kim', name: '김철수' },
      { id: 'ram', name: 'राम' },
      { id: 'nobody', name: '\u0301', aliases: ['\u0301 \u0301'] },
    ],
  }),
);
const FINDERS = {
  technicians: finderOf(CATALOGUE.technicians, true),
  services: finderOf(CATALOGUE.services, false),
  serviceAreas: finderOf(CATALOGUE.serviceAreas, true),
};

const find = (list: keyof typeof FINDERS, text: string) => FINDERS[list](text).map(({ id }) => id);

describe('a technician', () => {
  test.each([
    ['by name', 'Mike Alvarez came.', ['mike-alvarez']],
    ['by alias', 'Thanks, Mikey!', ['mike-alvarez']],
    ['in capitals', 'MIKE IS THE BEST', ['mike-alvarez']],
    ['in the possessive', 'Mike’s van was clean.', ['mike-alvarez']],
    ['without accents', 'Zoe Lefevre and mike came.', ['zoe-lefevre']],
    ['with other quotes', 'Ask for O’Brien or O´Brien.', ['pat-obrien']],
    ['over a line end', 'Pat\nO`Brien', ['pat-obrien']],
    ['in brackets or quotes', '(Mike) and “Zoë”', ['mike-alvarez', 'zoe-lefevre']],
    ['behind fractions', 'Took ½ hour, then Mike came', ['mike-alvarez']],
    ['behind other scripts', 'हिन्दी में Mike अच्छा', ['mike-alvarez']],
    ['behind emoji', '👍️Mike 👩🏽‍🔧', ['mike-alvarez']],
    ['in a script without capitals', '김철수 was good', ['kim']],
    ['in the text twice, once', 'Mike. Mike. Mikey.', ['mike-alvarez']],
  ])('is found %s', (_, text, ids) => {
    expect(find('technicians', text)).toEqual(ids);
  });

  test.each([
    ['without a capital', 'the mike was on, said mikey'],
    ['inside other words', 'Mikes Mikeyy McMike Smike1'],
    ['by the beginning of a name', 'Alvarez or Lefevre came'],
    ['by a word that goes on with a vowel sign', 'रामी'],
    ['by a spelling that two share', 'Sam came'],
  ])('is not found %s', (_, text) => {
    expect(find('technicians', text)).toEqual([]);
  });

  test('is found by the longer name where a shorter one is shared', () => {
    expect(find('technicians', 'Sam Lee came with Sam')).toEqual(['sam-lee']);
  });
});

describe('a service', () => {
  test.each([
    ['BOILER REPAIR', ['boiler-repair']],
    ['our boiler', ['boiler-repair']],
    ['the clogged \n sink', ['drain-cleaning']],
    ['boilers', []],
    ['drained', []],
  ])('in %j is %j', (text, ids) => {
    expect(find('services', text)).toEqual(ids);
  });
});

describe('a town', () => {
  test.each([
    ['They came to Bath quickly', ['bath']],
    ['The bathroom, the Bathroom and the bath', []],
    ['We live in St. Ives. Nice people.', ['st-ives']],
    ['All of St Ives knows them', ['st-ives']],
    ['서울 is far', ['서울']],
  ])('in %j is %j', (text, ids) => {
    expect(find('serviceAreas', text)).toEqual(ids);
  });
});

describe('a phrase', () => {
  test('is the sentence around the name, with its own sentiment', () => {
    const text = 'Awful traffic. Mike was wonderful! The bill was bad.';
    expect(FINDERS.technicians(text)).toEqual([
      { id: 'mike-alvarez', sentiment: 'positive', phrase: 'Mike was wonderful!' },
    ]);
  });

  test('is both sentences where a name goes on behind a full stop', () => {
    expect(FINDERS.serviceAreas('Hello. They are in St. Ives now. Good.')[0]?.phrase).toBe(
      'They are in St. Ives now.',
    );
  });

  test('is that of the first sentence with an opinion, which bears the sentiment out', () => {
    expect(FINDERS.technicians('Mike came. Mike was rude. Mike was great.')).toEqual([
      { id: 'mike-alvarez', sentiment: 'negative', phrase: 'Mike was rude.' },
    ]);
  });

  test.each([
    ['words', 'word '.repeat(100), ' word'.repeat(100)],
    ['one long word', `${'x'.repeat(500)}-`, `-${'x'.repeat(500)}`],
    ['emoji', `${'😀'.repeat(300)}-`, `-${'😀'.repeat(300)}`],
  ])('between many %s is cut around the name', (_, before, after) => {
    const text = `${before}Mike${after}`;
    const [mention] = FINDERS.technicians(text);
    expect(text).toContain(mention?.phrase);
    expect(mention?.phrase).toContain('Mike');
    expect(mention?.phrase.length).toBeLessThanOrEqual(240);
    expect(mention?.phrase.isWellFormed()).toBe(true);
  });
});

test.each([
  ['one word of 10 MB', 'x'.repeat(10_000_000)],
  ['a name again and again', 'Mike boiler '.repeat(80_000)],
  ['a name in capitals and not', 'mike Mike '.repeat(80_000)],
  ['lone surrogates', '\ud800'.repeat(1_000_000)],
  ['emoji', '👩🏽‍🔧'.repeat(100_000)],
  ['marks', `a${'\u0301\u0323'.repeat(300_000)}`],
  ['full stops', 'M. '.repeat(200_000)],
  ['white space', ' \n'.repeat(500_000)],
])('a text of nothing but %s takes linear time', (_, text) => {
  const started = performance.now();
  expect(find('technicians', `${text} Mike`)).toEqual(['mike-alvarez']);
  expect(find('services', `${text} boiler`)).toEqual(['boiler-repair']);
  expect(performance.now() - started).toBeLessThan(10_000);
});
