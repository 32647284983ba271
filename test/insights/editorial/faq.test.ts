import { describe, expect, test } from 'vitest';
import { writeFaq } from '../../../src/insights/editorial/faq.ts';
import { writeSummary } from '../../../src/insights/editorial/summary.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS } from '../../support/reviews.ts';
import { findingsOf, times, type IndexedMention } from './findings.ts';

const answerTo = (question: string, indexed: readonly IndexedMention[], business = BUSINESS) =>
  writeFaq(findingsOf(indexed, business)).find((one) => one.question === question)?.answer ?? null;

const INFORMED = 'They explained every step to us.';
const LATE = 'Nobody told us about the delay.';
const onTime: IndexedMention = { mentions: [['aspects', 'communication', 'positive', INFORMED]] };
const late: IndexedMention = {
  rating: 1,
  mentions: [['aspects', 'communication', 'negative', LATE]],
};

test('no reviews and too few reviews give no answers', () => {
  expect(writeFaq(findingsOf([]))).toEqual([]);
  expect(writeFaq(findingsOf(times(4, onTime)))).toEqual([]);
});

test('below ten reviews nobody is said to be happy by and large', () => {
  const question = 'Are customers satisfied with Harbor Heating?';
  expect(answerTo(question, times(9, onTime))).toBe(
    'Of nine verified reviews, nine give four or five stars and none gives one or two.',
  );
  expect(answerTo(question, times(10, onTime))).toMatch(/^Nearly all are: of 10/);
});

describe('an aspect', () => {
  test('that all praise', () => {
    expect(answerTo('Do they explain things and keep people informed?', times(12, onTime))).toBe(
      `Yes: 12 customers praise this. “${INFORMED}” (five stars, May 2024).`,
    );
  });

  test('on which opinions differ', () => {
    const indexed = [...times(3, onTime), ...times(3, late)];
    expect(answerTo('Do they explain things and keep people informed?', indexed)).toBe(
      `It varies: three of the six customers with an opinion are happy. “${INFORMED}” (five stars, May 2024). ` +
        `On the other side: “${LATE}” (one star, May 2024).`,
    );
    expect(
      answerTo('Do they explain things and keep people informed?', [
        ...times(10, onTime),
        ...times(16, late),
      ]),
    ).toMatch(/^More complain than praise: 16 of the 26 customers with an opinion complain\./);
  });

  test('on which opinions changed, tells those of the last twelve months', () => {
    const before = times(6, { ...late, date: '2022-01-05' });
    const question = 'Do they explain things and keep people informed?';
    expect(answerTo(question, [...times(7, onTime), ...before])).toMatch(
      /^It varies: 7 of the 13 .*In the twelve months to May 2024, seven of seven are happy\.$/,
    );
    expect(answerTo(question, [...times(4, onTime), ...before])).not.toContain('In the twelve');
    const changes = [
      {
        list: 'aspects',
        id: 'communication',
        trend: 'fewer',
        before: { complaint_count: 6, review_count: 6 },
        recent: { complaint_count: 0, review_count: 7 },
      },
    ] as const;
    const findings = { ...findingsOf([...times(7, onTime), ...before]), changes: [...changes] };
    expect(writeFaq(findings).find((one) => one.question === question)?.answer).toContain(
      'Fewer complain than before: none in 7 reviews in the twelve months to May 2024, six in 6 before.',
    );
    expect(writeSummary(findings).summary).toContain(
      'Fewer complain about poor communication than before: none in 7 reviews',
    );
  });

  test('that most criticise is quoted with a complaint first', () => {
    expect(
      answerTo('Do they explain things and keep people informed?', [
        ...times(1, onTime),
        ...times(9, late),
      ]),
    ).toMatch(
      /^Often not: 9 of the 10 customers with an opinion complain\. “Nobody told us.* An exception: “They/,
    );
  });

  test('with fewer than five opinions is left out, however often it is mentioned', () => {
    const neutral: IndexedMention = { mentions: [['aspects', 'communication', 'neutral']] };
    expect(
      answerTo('Do they explain things and keep people informed?', [
        ...times(30, neutral),
        ...times(4, onTime),
      ]),
    ).toBeNull();
  });

  test('is asked about with the name of the business', () => {
    const dear: IndexedMention = { rating: 2, mentions: [['aspects', 'pricing', 'negative']] };
    expect(answerTo('Is Harbor Heating expensive?', times(20, dear))).toMatch(
      /^Yes: 20 customers complain\. “The price was too high/,
    );
  });
});

describe('who to ask for', () => {
  const praise = (id: string): IndexedMention => ({ mentions: [['technicians', id, 'positive']] });
  const ask = (indexed: IndexedMention[], business = BUSINESS) =>
    answerTo('Who should I ask for?', indexed, business);

  test('is the person with the most praise', () => {
    const indexed = [...times(4, praise('zoe-lefevre')), ...times(6, praise('mike-alvarez'))];
    expect(ask(indexed)).toMatch(
      /^Mike Alvarez, praised by name in six reviews; or Zoë Lefèvre\. “Mike was patient with us/,
    );
  });

  test('is nobody with only two positive reviews, or as many negative ones', () => {
    expect(ask(times(2, praise('mike-alvarez')))).toBeNull();
    const blame: IndexedMention = {
      rating: 1,
      mentions: [['technicians', 'mike-alvarez', 'negative']],
    };
    expect(ask([...times(3, praise('mike-alvarez')), ...times(3, blame)])).toBeNull();
  });

  test('is not asked where nobody chooses who serves', () => {
    const business = businessSchema.parse({ ...BUSINESS, vertical: 'cafes' });
    const praised = times(6, praise('mike-alvarez'));
    expect(ask(praised, business)).toBeNull();
    expect(answerTo('Who is praised by name?', praised, business)).toMatch(
      /^Mike Alvarez, praised/,
    );
  });

  test('is nobody who has left', () => {
    const technicians = BUSINESS.technicians.map((one) => ({ ...one, active: false }));
    const business = businessSchema.parse({ ...BUSINESS, technicians });
    expect(ask(times(6, praise('mike-alvarez')), business)).toBeNull();
  });
});

test('complaints are named with their counts', () => {
  const indexed: IndexedMention = {
    rating: 2,
    mentions: [['problems', 'late-arrival', 'negative', 'They came a whole day late.']],
  };
  expect(answerTo('Which problems do reviews report?', times(3, indexed))).toBe(
    'Most often reported: late arrivals (3), in three reviews. “They came a whole day late.” (two stars, May 2024).',
  );
  expect(answerTo('Which problems do reviews report?', times(2, indexed))).toBeNull();
});

test('the answer about problems begins with what most report, as their pages count it, also of what no problem names', () => {
  const phrase = 'They came a whole day late.';
  const tardy: IndexedMention = {
    rating: 2,
    mentions: [
      ['aspects', 'punctuality', 'negative', phrase],
      ['problems', 'late-arrival', 'negative', phrase],
    ],
  };
  const dear: IndexedMention = {
    rating: 1,
    mentions: [
      ['problems', 'high-price', 'negative', 'It cost twice what others ask, so that is a 1.'],
    ],
  };
  const alsoTardy: IndexedMention = {
    rating: 1,
    mentions: [['aspects', 'punctuality', 'negative']],
  };
  const untidy: IndexedMention = { rating: 1, mentions: [['aspects', 'cleanliness', 'negative']] };
  const reviews = [
    times(5, tardy),
    times(3, alsoTardy),
    times(7, untidy),
    times(6, dear),
    times(9, onTime),
  ].flat();
  expect(answerTo('Which problems do reviews report?', reviews)).toMatch(
    /^Most often reported: dirt \(7\), high-price \(6\) and late arrivals \(5\), in 30 reviews\. “They left a mess/,
  );
});

describe('what buyers of the vertical ask', () => {
  const said = (aspect: string, sentiment: 'positive' | 'negative', phrase: string, score = 1) =>
    ({
      rating: sentiment === 'positive' ? 5 : 1,
      mentions: [['aspects', aspect, sentiment, phrase, score]],
    }) as IndexedMention;

  test('is answered from the phrases that are about it, with quotes from these', () => {
    const indexed = [
      ...times(4, said('pricing', 'positive', 'The price of the new kitchen tap was fair to us.')),
      ...times(
        2,
        said('pricing', 'positive', 'They came on a Sunday and it cost no more than usual.'),
      ),
      ...times(4, said('pricing', 'negative', 'The weekend fee of $190 came on top of the bill.')),
    ];
    expect(answerTo('Do they charge more after hours?', indexed)).toBe(
      'Often, yes: four of the six customers with an opinion complain. “The weekend fee of $190 came on top of the ' +
        'bill.” (one star, May 2024). But also: “They came on a Sunday and it cost no more than usual.” ' +
        '(five stars, May 2024).',
    );
  });

  test('replaces the question about the aspect', () => {
    const tardy = times(
      6,
      said('punctuality', 'negative', 'The plumber came at 5 and we had said noon.'),
    );
    expect(answerTo('Are they on time?', tardy)).toBeNull();
    expect(answerTo('Do they come on time?', tardy)).toMatch(
      /^No: six customers complain\. “The plumber came/,
    );
  });

  test('is quoted only with what answers it', () => {
    const fair = 'The price was fair, and they even came on a Sunday.';
    const other = 'The new kitchen tap was very cheap, and it is good.';
    const indexed = [
      ...times(9, said('pricing', 'positive', fair)),
      ...times(1, said('pricing', 'positive', other)),
    ];
    expect(answerTo('Do they charge more after hours?', indexed)).toContain(fair);
    expect(answerTo('Do they charge more after hours?', indexed)).not.toContain(other);
  });

  test('is left out if opinions differ and only one side can be quoted', () => {
    const indexed = [
      ...times(3, said('punctuality', 'positive', 'They came at nine on the dot.')),
      ...times(3, said('punctuality', 'negative', 'They went down to the cellar at one.', 0.5)),
    ];
    expect(answerTo('Do they come on time?', indexed)).toBeNull();
  });

  test('is left out if opinions differ and no phrase says how', () => {
    const indexed = (['positive', 'negative'] as const).flatMap((sentiment) =>
      times(3, said('punctuality', sentiment, 'They went down to the cellar at one.', 0.5)),
    );
    expect(answerTo('Do they come on time?', indexed)).toBeNull();
  });

  test('is left out with fewer than five opinions, and in other verticals', () => {
    const early = said('punctuality', 'positive', 'They came at nine on the dot.');
    expect(answerTo('Do they come on time?', times(5, early))).not.toBeNull();
    expect(answerTo('Do they come on time?', times(4, early))).toBeNull();
    const business = businessSchema.parse({ ...BUSINESS, vertical: 'restaurants' });
    expect(answerTo('Do they come on time?', times(9, early), business)).toBeNull();
  });
});

test('every answer names its reviews, the quoted ones first, at most twenty', () => {
  const indexed = [...times(30, onTime), ...times(30, late)];
  const findings = findingsOf(indexed);
  for (const { answer, review_ids: ids } of writeFaq(findings)) {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(20);
    const [quote] = /“[^”]*”/.exec(answer) ?? [];
    const text = findings.reviews.find(({ id }) => id === ids[0])?.text;
    if (quote !== undefined) expect(text).toContain(quote.slice(1, -1));
  }
});

test('appointments are not asked about where hardly anybody makes them', () => {
  const moved: IndexedMention = {
    rating: 1,
    mentions: [['aspects', 'scheduling', 'negative', 'Our flight was cancelled twice in May.']],
  };
  const question = 'Is it easy to get an appointment that is kept?';
  const business = businessSchema.parse({ ...BUSINESS, vertical: 'general' });
  expect(answerTo(question, times(12, moved), business)).toBeNull();
  expect(answerTo(question, times(12, moved))).not.toBeNull();
});
