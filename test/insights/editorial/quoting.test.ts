import { describe, expect, test } from 'vitest';
import { chooseQuotes, isQuotable, quotesAbout } from '../../../src/insights/editorial/quoting.ts';
import { findingsOf } from './findings.ts';

test.each([
  ['They were on time and friendly.', true],
  ['$300 and worth every cent of it.', true],
  ['but they were on time and friendly', false],
  ['Fast.', false],
  ['They were kind.', false],
  ['They didn t come on time.', false],
  ['Great bath and a very quiet room Close to all.', false],
  [`They ${'really '.repeat(30)}were on time.`, false],
  ['They were on time\nand friendly.', false],
  ['They were “on time” and friendly.', false],
  ['He said "on time and was friendly.', false],
  ['They were on time (and friendly.', false],
  ['THEY WERE ON TIME AND FRIENDLY.', false],
])('%j can be quoted: %s', (phrase, expected) => {
  expect(isQuotable(phrase)).toBe(expected);
});

describe('a quote', () => {
  const LATE = 'The plumber was late by an hour or two.';
  const ABOUT_LATE = { list: 'aspects', ids: ['punctuality'], sentiment: 'negative' } as const;
  const findings = findingsOf([
    { rating: 5, mentions: [['aspects', 'punctuality', 'negative', LATE]] },
    { rating: 1, date: '2023-02-01', mentions: [['aspects', 'punctuality', 'negative', LATE]] },
  ]);

  test('is from a review whose stars agree, and shows them', () => {
    const [quote] = chooseQuotes(findings, [ABOUT_LATE]);
    expect(quote?.shown).toBe(
      '“The plumber was late by an hour or two.” (one star, February 2023)',
    );
  });

  test('comes once', () => {
    const [first, second] = chooseQuotes(findings, [ABOUT_LATE, ABOUT_LATE]);
    expect(first?.text).toBe(LATE);
    expect(second).toBeNull();
    expect(chooseQuotes(findings, [ABOUT_LATE], [first ?? null])).toEqual([null]);
  });
});

const quoted = (aspect: string, sentiment: 'positive' | 'negative', phrases: readonly string[]) => {
  const findings = findingsOf(
    phrases.map((phrase) => ({
      rating: sentiment === 'positive' ? 5 : 1,
      mentions: [['aspects', aspect, sentiment, phrase] as const],
    })),
  );
  return chooseQuotes(findings, [{ list: 'aspects', ids: [aspect], sentiment }])[0]?.text ?? null;
};

test('the more telling of equal quotes is chosen', () => {
  const dull = 'The plumber fixed the leak, and it was good.';
  const telling = 'The plumber fixed the leak in 20 minutes.';
  expect(quoted('problem_resolution', 'positive', [dull, telling])).toBe(telling);
});

describe('a phrase is not quoted', () => {
  test.each([
    ['that hardly shows the claim', 'positive', 'They put the new tank in the cellar.', 0.6],
    ['with praise and blame', 'negative', 'Great plumber, rude lady at the front desk.'],
    ['that tells the stars', 'negative', "Six days for an appointment, so that's a 1."],
    ['that refers to what is not in it', 'positive', 'What a nice way to do it.'],
    ['about somebody unnamed', 'positive', 'Last summer he was kind to all of us.'],
    ['about something unnamed', 'positive', 'Mike fixed it and was kind to us.'],
    ['about something before', 'positive', 'The nurses were kind about that.'],
    ['about one of two things', 'positive', 'The other plumber was kind to us.'],
    ['about a former crew', 'negative', 'Kyle from your old crew was rude to us.'],
    ['about the review', 'positive', 'They were kind, so this review is long.'],
    ['that excuses', 'negative', 'The snow held us up, which is understandable.'],
    ['about another company', 'negative', 'Another firm changed the wrong part for us.'],
    ['that turns', 'positive', 'They were kind to us, but that was all.'],
    ['that names whom it blames', 'negative', 'Mike was rude to all of us today.'],
  ] as const)('%s', (_, sentiment, phrase, score: number = 1) => {
    const mike = findingsOf([
      {
        rating: sentiment === 'positive' ? 5 : 1,
        mentions: [
          ['technicians', 'mike-alvarez', 'neutral', 'Mike came.'],
          ['aspects', 'friendliness', sentiment, phrase, score],
        ],
      },
    ]);
    const request = { list: 'aspects', ids: ['friendliness'], sentiment } as const;
    expect(chooseQuotes(mike, [request])).toEqual([null]);
  });

  test.each([
    'Very kind, and he explained the boiler to us.',
    'Steve, kind as ever, sat in his truck until noon.',
    'My wife said they were kind to her.',
    'They looked at the boiler and were kind about it all.',
  ])('but one that has its nouns is: %j', (phrase) => {
    expect(quoted('friendliness', 'positive', [phrase])).toBe(phrase);
  });

  test('from a text with code', () => {
    const phrase = 'They were kind to all of us.';
    const findings = findingsOf([
      {
        mentions: [
          ['aspects', 'friendliness', 'positive', phrase],
          ['aspects', 'cleanliness', 'positive', '<b>Clean</b> and tidy.'],
        ],
      },
    ]);
    const request = { list: 'aspects', ids: ['friendliness'], sentiment: 'positive' } as const;
    expect(chooseQuotes(findings, [request])).toEqual([null]);
  });

  test('that is cut out of its sentence', () => {
    const whole = 'They were kind to all of us.';
    const findings = findingsOf([{ mentions: [['aspects', 'friendliness', 'positive', whole]] }]);
    const cut = { ...findings, reviews: [], mentions: findings.mentions };
    const [one] = cut.mentions.of('aspects', 'friendliness');
    (one as { mention: { phrase: string } }).mention.phrase = 'They were kind to all';
    const request = { list: 'aspects', ids: ['friendliness'], sentiment: 'positive' } as const;
    expect(chooseQuotes(cut, [request])).toEqual([null]);
  });
});

test('a sentence with a verb is chosen over a heading', () => {
  const heading = 'Dreadful and rude service on the phone.';
  expect(
    quoted('friendliness', 'negative', [heading, 'The lady on the phone was rude to us.']),
  ).toBe('The lady on the phone was rude to us.');
});

test('a plain quote is chosen over one of several complaints', () => {
  const list =
    'Came 4 hours late, tracked mud, used my bathroom, left the seat up, charged me $310.';
  const plain = 'The plumber came four hours late on that day.';
  expect(quoted('punctuality', 'negative', [list, plain])).toBe(plain);
});

test('a phrase without the sentence before it is not quoted', () => {
  expect(quoted('ambience', 'negative', ["The noise isn't, I left with a headache."])).toBeNull();
});

describe('the quotes on a service', () => {
  const about = (
    phrase: string,
    aspect?: string,
    {
      sentiment = 'positive',
      score = 1,
    }: { sentiment?: 'positive' | 'negative'; score?: number } = {},
  ) => ({
    rating: sentiment === 'positive' ? 5 : 1,
    mentions: [
      ['services', 'boiler-repair', sentiment, phrase] as const,
      ...(aspect === undefined ? [] : [['aspects', aspect, sentiment, phrase, score] as const]),
    ],
  });
  const quotes = (all: readonly ReturnType<typeof about>[]) =>
    quotesAbout(findingsOf(all), 'services', 'boiler-repair').map(({ text }) => text);

  test('are sentences that name it and surely judge something', () => {
    const judging = 'They repaired the boiler on the very same day.';
    expect(
      quotes([
        about('We had them out for the old boiler.'),
        about('They looked at the boiler in the cellar.', 'quality_of_work', { score: 0.6 }),
        about(judging, 'responsiveness', { score: 0.7 }),
      ]),
    ).toEqual([judging]);
  });

  test('come from both sides, none twice, and not only from that of the fewer', () => {
    const praise = 'They did a good job on our old boiler.';
    const blame = 'The boiler repair was poor and the house stayed cold.';
    const bad = about(blame, 'quality_of_work', { sentiment: 'negative' });
    const good = about(praise, 'quality_of_work');
    expect(quotes([good, good, bad])).toEqual([praise, blame]);
    const plain = 'We had them out for the old boiler.';
    expect(quotes([about(plain), about(plain), bad])).toEqual([]);
    expect(quotes([about(plain), bad, bad])).toEqual([blame]);
  });
});
