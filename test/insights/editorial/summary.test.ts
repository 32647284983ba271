import { describe, expect, test } from 'vitest';
import { writeSummary } from '../../../src/insights/editorial/summary.ts';
import { UNNAMED_BUSINESS } from '../../../src/model/business.ts';
import { select } from '../../../src/insights/editorial/selection.ts';
import { findingsOf, times, type IndexedMention, withEpisodes } from './findings.ts';

const summarise = (indexed: readonly IndexedMention[]) => writeSummary(findingsOf(indexed)).summary;

const good = (id: string, phrase?: string, score = 1): IndexedMention => ({
  mentions: [['aspects', id, 'positive', phrase, score]],
});
const bad = (id: string, phrase?: string): IndexedMention => ({
  rating: 1,
  mentions: [['aspects', id, 'negative', phrase]],
});

describe('the summary of few reviews is short', () => {
  test.each([
    [[], 'Harbor Heating has no verified reviews yet.'],
    [[{ rating: 1 }], 'Harbor Heating has one verified review, from May 2024: one star.'],
    [[{ rating: 4 }], 'Harbor Heating has one verified review, from May 2024: four stars.'],
    [
      [{ rating: 5 }, { rating: 4 }],
      'Harbor Heating has 4.5 out of 5 stars in two verified reviews from May 2024: two give ' +
        'four or five stars, and none gives one or two.',
    ],
    [
      [{ rating: 5 }, { rating: 1, date: '2023-01-01' }, { rating: 3 }],
      'Harbor Heating has 3.0 out of 5 stars in three verified reviews since January 2023: one ' +
        'gives four or five stars, and one gives one or two.',
    ],
    [
      [{ rating: 1 }, { rating: 2 }],
      'Harbor Heating has 1.5 out of 5 stars in two verified reviews from May 2024: none gives ' +
        'four or five stars, and two give one or two.',
    ],
  ])('%j', (indexed: IndexedMention[], expected) => {
    expect(summarise(indexed)).toBe(expected);
  });

  test('and tells the most praised aspect if opinions differ', () => {
    const mixed = [...times(6, good('friendliness')), ...times(4, bad('friendliness'))];
    expect(summarise(mixed)).toContain(
      'What customers like most, though opinions differ: they are friendly. One customer wrote: “They were kind to us',
    );
    expect(summarise([...times(3, good('safety')), ...times(4, bad('safety'))])).not.toContain(
      'like most',
    );
  });
});

test('what was charged is told apart from prices', () => {
  const charged = bad('pricing', 'I was charged twice after I cancelled.');
  const withCharged = (count: number) =>
    summarise([...times(8 - count, bad('pricing')), ...times(count, charged)]);
  expect(withCharged(1)).toMatch(/it is expensive/i);
  expect(withCharged(2)).toMatch(/customers complain about prices and charges/i);
  for (const text of [withCharged(1), withCharged(8)]) expect(text).not.toContain('twice');
});

test('the summary tells complaints about a strength with it, from a fifth of the opinions on', () => {
  const with5 = (praise: number) =>
    summarise([...times(praise, good('friendliness')), ...times(5, bad('friendliness'))]);
  expect(with5(20)).toContain(
    'They are friendly, though about one in five who mention it complains. One customer wrote: “',
  );
  expect(with5(21)).not.toContain('though');
});

test.each([
  [1, 'One review is in a language that is not read; only its stars count.'],
  [12, '12 reviews are in languages that are not read; only their stars count.'],
])('the summary says of %i reviews in other languages that only stars count', (count, expected) => {
  const found = findingsOf(times(20, {}));
  const unanalysedIds = found.reviews.slice(-count).map(({ id }) => id);
  const { summary, summary_sentences: sentences } = writeSummary({ ...found, unanalysedIds });
  expect(summary).toContain(expected);
  // It rests on these reviews, and on no others.
  expect(sentences.find(({ text }) => text === expected)?.review_ids).toEqual(unanalysedIds);
});

describe('the summary of many reviews', () => {
  const indexed: IndexedMention[] = [
    ...times(20, good('friendliness', 'They were kind to our old mother.')),
    ...times(9, good('cleanliness', 'They swept the whole floor.')),
    ...times(1, bad('cleanliness')),
    ...times(5, good('pricing', 'The price was quite fair to us.')),
    ...times(8, bad('punctuality', 'They came a whole day late.')),
    ...times(2, good('punctuality')),
  ];
  const paragraphs = summarise(indexed).split('\n\n');

  test('begins with the score', () => {
    expect(paragraphs[0]).toBe(
      'Harbor Heating has 4.2 out of 5 stars in 45 verified reviews from May 2024: most customers are ' +
        'happy, about one in five is not.',
    );
  });

  test('tells three things, each in another form', () => {
    expect(paragraphs[1]).toBe(
      'Above all, they are friendly: “They were kind to our old mother.” It is clean, nearly all who ' +
        'mention it say: “They swept the whole floor.” And the prices are fair: “The price was quite fair to us.”',
    );
  });

  test('then the weak spot', () => {
    expect(paragraphs[2]).toBe(
      'The weak spot: they are often late. One customer wrote: “They came a whole day late.”',
    );
  });

  test('has no figures but those of the score', () => {
    expect(paragraphs.slice(1).join(' ')).not.toMatch(/\d/);
  });

  test('then whom to ask for, and what has changed', () => {
    expect(paragraphs).toHaveLength(3);
    const everything: IndexedMention[] = [
      ...indexed,
      ...times(6, { mentions: [['technicians', 'mike-alvarez', 'positive']] }),
      ...times(3, { rating: 2, mentions: [['problems', 'late-arrival', 'negative']] }),
      ...times(12, { rating: 1, date: '2023-01-01' }),
    ];
    const all = summarise(everything).split('\n\n');
    expect(all).toHaveLength(5);
    expect(all[2]).toContain('Customers also report late arrivals.');
    expect(all[3]).toBe('Ask for Mike Alvarez.');
    expect(all[4]).toBe(
      'The twelve months to May 2024 average 4.2 stars, up from 1.0 in the twelve months before.',
    );
  });

  test('does not tell a complaint twice', () => {
    const late: IndexedMention = {
      rating: 1,
      mentions: [
        ['aspects', 'punctuality', 'negative', 'They came late.'],
        ['problems', 'late-arrival', 'negative', 'They came late.'],
      ],
    };
    const summary = summarise([...times(20, good('friendliness')), ...times(6, late)]);
    expect(summary).toContain('The weak spot: they are often late.');
    expect(summary).not.toContain('late arrivals');
  });

  test('begins with complaints if most are unhappy', () => {
    const unhappy = [...times(9, bad('punctuality')), ...times(4, good('friendliness'))];
    const [, first, last] = summarise(unhappy).split('\n\n');
    expect(first).toContain('Above all, they are often late: “');
    expect(last).toContain('What customers like most: they are friendly');
  });

  test('puts nothing above all if it is the only thing', () => {
    expect(summarise(times(9, good('friendliness')))).toContain('\n\nThey are friendly: “');
  });

  test('is milder where opinions differ', () => {
    const mixed = [...times(6, bad('punctuality')), ...times(5, good('punctuality'))];
    expect(summarise([...mixed, ...times(12, good('friendliness'))])).toContain(
      'The weak spot: they are not always on time.',
    );
  });

  test('has each sentence with reviews that say so', () => {
    const findings = findingsOf(indexed);
    const { summary, summary_sentences: sentences } = writeSummary(findings);
    expect(sentences.map(({ text }) => text).join(' ')).toBe(summary.replaceAll('\n\n', ' '));
    const [, friendly, , , late] = sentences;
    for (const id of friendly!.review_ids) {
      expect(
        findings.mentions.of('aspects', 'friendliness').map(({ review }) => review.id),
      ).toContain(id);
    }
    expect(late!.review_ids).toHaveLength(8);
  });
});

describe('the story', () => {
  const praise: IndexedMention = {
    rating: 1,
    date: '2023-11-05',
    mentions: [
      ['technicians', 'mike-alvarez', 'positive'],
      ['aspects', 'punctuality', 'negative', 'They came late.'],
      ['problems', 'late-arrival', 'negative', 'They came late.'],
      ['problems', 'rude-staff', 'negative'],
    ],
  };
  const findings = findingsOf([...times(5, praise), ...times(5, { rating: 2 })]);
  const episode = {
    kind: 'dip',
    from: '2023-10',
    to: '2024-02',
    review_count: 30,
    average_rating: 2.9,
    average_before: 4.2,
    average_after: 4.31,
    is_over: true,
    aspects: ['punctuality'],
    problems: ['unknown'],
    example_review_ids: [],
  } as const;
  const tell = (change: object) =>
    writeSummary(withEpisodes(findings, [{ ...episode, ...change } as never])).summary;

  test.each([
    [
      {},
      'From October 2023 to February 2024 things went wrong, mostly over late arrivals: ratings fell from ' +
        '4.2 to 2.9 stars. That is over; since then ratings are back at 4.3.',
    ],
    [
      { is_over: false, average_after: null },
      'From October 2023 on things went wrong, mostly over late arrivals: ratings fell from 4.2 to ' +
        '2.9 stars.',
    ],
    [
      { kind: 'rise', to: '2023-10', average_before: null, aspects: [] },
      'In October 2023 things went better than usual: ratings were at 2.9 stars. That is over; since then ' +
        'ratings have been at 4.3.',
    ],
    [{ problems: ['late-arrival'] }, 'things went wrong, mostly over late arrivals: ratings'],
  ])('tells when, what went wrong, and that it is over: %j', (change, expected) => {
    expect(tell(change)).toContain(expected);
  });

  test('tells that it got worse where it was bad before', () => {
    expect(tell({ average_before: 2.5 })).toContain('things got worse, mostly over late arrivals');
    expect(tell({ average_before: 2.5, is_over: false })).toContain('2023 on things got worse');
  });

  test('names no cause that most low reviews of the months do not name', () => {
    const low = times(6, { rating: 1, date: '2023-12-01' });
    const others = findingsOf([...times(5, praise), ...low, ...times(12, {})]);
    const { summary } = writeSummary({ ...others, episodes: [episode as never] });
    expect(summary).toContain('things went wrong: ratings fell');
  });

  test('names a kind of trouble where single problems are too few', () => {
    const lost = [
      ['problems', 'disorganised-scheduling', 'negative', 'They had no record of it.'],
      ['problems', 'missed-appointment', 'negative', 'Nobody came.'],
      ['problems', 'rescheduled-appointment', 'negative', 'It was moved twice.'],
    ] as const;
    const low = lost.map((one) => ({ rating: 1, date: '2023-12-01', mentions: [one] }));
    const others = findingsOf([
      ...low,
      ...times(2, { rating: 1, date: '2023-12-01' }),
      ...times(20, {}),
    ]);
    const { summary } = writeSummary({
      ...others,
      episodes: [{ ...episode, aspects: [] } as never],
    });
    expect(summary).toContain(
      'things went wrong, mostly over lost and moved appointments: ratings',
    );
  });

  test('does not tell the complaints of months that are over again', () => {
    expect(tell({ is_over: false })).toContain('they are often late');
    expect(tell({})).not.toContain('they are often late');
  });
});

test('a business without a name is called "this business"', () => {
  const { summary } = writeSummary(findingsOf(times(3, {}), UNNAMED_BUSINESS));
  expect(summary).toMatch(/^This business has 5\.0 out of 5 stars/);
});

test('the weak spot is the one problem that most complaints are about', () => {
  const phrase = 'It was so loud that we left early.';
  const loud = times(5, {
    rating: 1,
    mentions: [
      ['aspects', 'ambience', 'negative', phrase],
      ['problems', 'noise', 'negative', phrase],
    ],
  });
  expect(summarise([...times(12, good('friendliness')), ...loud])).toContain('it is often loud');
});

test('a topic whose reviews give a star less than all is told with its stars', () => {
  const topic = {
    id: 'hot_water',
    label: 'Hot water',
    mention_count: 5,
    share_pct: 25,
    score: -0.4,
    average_rating: 2.3,
    keywords: ['shower'],
    quotes: [],
    example_review_ids: [],
  };
  const findings = findingsOf(times(15, {}));
  const tell = (change: Partial<typeof topic>) => {
    const found = { ...findings, topics: [{ ...topic, ...change }] };
    return writeSummary({ ...found, selection: select(found) }).summary;
  };
  const sentence = 'The 5 reviews that mention hot water give 2.3 stars on average.';
  expect(tell({})).toContain(sentence);
  expect(tell({ average_rating: 4.1 })).not.toContain('hot water');
  expect(tell({ mention_count: 4 })).not.toContain('hot water');
  // Many need a smaller difference.
  expect(tell({ average_rating: 4.2, mention_count: 12 })).toContain('give 4.2 stars');
});
