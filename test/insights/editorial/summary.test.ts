import { describe, expect, test } from 'vitest';
import { writeSummary } from '../../../src/insights/editorial/summary.ts';
import { findingsOf, times, type IndexedMention } from './findings.ts';

const summarise = (indexed: readonly IndexedMention[]) => writeSummary(findingsOf(indexed));

const good = (id: string, phrase?: string): IndexedMention => ({
  mentions: [['aspects', id, 'positive', phrase]],
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
      'Harbor Heating averages 4.5 out of 5 stars in two verified reviews from May 2024. All of ' +
        'them give four or five stars.',
    ],
    [
      [{ rating: 5 }, { rating: 1, date: '2023-01-01' }, { rating: 3 }],
      'Harbor Heating averages 3.0 out of 5 stars in three verified reviews from January 2023 to ' +
        'May 2024. One gives four or five stars, one gives one or two.',
    ],
    [
      [{ rating: 3 }, { rating: 3 }],
      'Harbor Heating averages 3.0 out of 5 stars in two verified reviews from May 2024. None gives ' +
        'four or five stars, none gives one or two.',
    ],
  ])('%j', (indexed: IndexedMention[], expected) => {
    expect(summarise(indexed)).toBe(expected);
  });

  test('and names the most praised aspect if opinions differ', () => {
    const mixed = [...times(6, good('friendliness')), ...times(4, bad('friendliness'))];
    expect(summarise(mixed)).toContain(
      'Opinions differ; most praised: friendliness (6 of the 10 who mention it).',
    );
    expect(summarise([...times(3, good('safety')), ...times(4, bad('safety'))])).not.toContain(
      'praise',
    );
  });

  test('and has the sentiment about a person', () => {
    const indexed = (sentiment: 'positive' | 'negative'): IndexedMention => ({
      rating: sentiment === 'positive' ? 5 : 1,
      mentions: [['technicians', 'mike-alvarez', sentiment]],
    });
    expect(summarise([indexed('negative')])).toContain('named in one review, with criticism.');
    expect(summarise([indexed('positive'), indexed('negative'), indexed('negative')])).toContain(
      'named in three reviews, one of them with praise and two with criticism.',
    );
  });

  test('and names a person once', () => {
    const indexed: IndexedMention = { mentions: [['technicians', 'mike-alvarez', 'positive']] };
    expect(summarise([indexed])).toContain('Mike Alvarez is named in one review, with praise.');
    expect(summarise([indexed, indexed])).toContain(
      'Mike Alvarez is named in two reviews, two of them with praise.',
    );
  });
});

test.each([
  [1, 'One review in another language is counted by its stars only.'],
  [12, '12 reviews in other languages are counted by their stars only.'],
])('the summary says of %i reviews in other languages that only stars count', (count, expected) => {
  const findings = { ...findingsOf(times(12, {})), unanalysedCount: count };
  expect(writeSummary(findings)).toContain(expected);
});

describe('the summary of many reviews', () => {
  const indexed: IndexedMention[] = [
    ...times(20, good('friendliness', 'They were kind to our old mother.')),
    ...times(9, good('cleanliness')),
    ...times(1, bad('cleanliness')),
    ...times(8, bad('punctuality', 'They came a whole day after they said.')),
    ...times(2, good('punctuality')),
  ];
  const paragraphs = summarise(indexed).split('\n\n');

  test('says what customers praise', () => {
    expect(paragraphs[0]).toBe(
      'Harbor Heating averages 4.1 out of 5 stars in 40 verified reviews from May 2024. 78% give ' +
        'four or five stars, 23% one or two. Most praised: friendliness (20 of the 20 who mention it) ' +
        'and cleanliness (9 of 10). In a customer’s words: “They were kind to our old mother.” (five ' +
        'stars, May 2024).',
    );
  });

  test('says what they criticise', () => {
    expect(paragraphs[1]).toBe(
      'The weak spot: punctuality (8 of the 10 who mention it). In a customer’s words: “They came a ' +
        'whole day after they said.” (one star, May 2024).',
    );
  });

  test('has two to four paragraphs', () => {
    expect(paragraphs).toHaveLength(2);
    const everything: IndexedMention[] = [
      ...indexed,
      ...times(6, { mentions: [['technicians', 'mike-alvarez', 'positive']] }),
      ...times(3, { rating: 2, mentions: [['problems', 'late-arrival', 'negative']] }),
      ...times(12, { rating: 1, date: '2023-01-01' }),
    ];
    const all = summarise(everything).split('\n\n');
    expect(all).toHaveLength(4);
    expect(all[1]).toContain('The most common complaints: late arrivals (three reviews).');
    expect(all[2]).toBe('Customers praise Mike Alvarez (6 of six reviews) by name.');
    expect(all[3]).toBe(
      'In the last 12 months the average is 4.1 stars (49 reviews), up from 1.0 in the 12 months ' +
        'before (12 reviews).',
    );
  });
});

test('a significant change of opinion on an aspect is reported', () => {
  const change = (then: IndexedMention[], now: IndexedMention[]) =>
    summarise([
      ...now.map((one) => ({ ...one, date: '2024-05-01' })),
      ...then.map((one) => ({ ...one, date: '2023-03-01' })),
    ]);
  const [kind, rude] = [good('friendliness'), bad('friendliness')];
  expect(change([...times(10, rude), ...times(2, kind)], times(12, kind))).toContain(
    'Opinion on friendliness has improved: 12 of 12 are positive since May 2023; before, two of 12 were.',
  );
  expect(change(times(12, kind), [...times(10, rude), ...times(2, kind)])).toContain(
    'Opinion on friendliness has worsened',
  );
  expect(change(times(12, kind), [...times(2, rude), ...times(10, kind)])).not.toContain(
    'Opinion on',
  );
});

test('tells episodes, and who is praised by those who give one or two stars', () => {
  const praise: IndexedMention = {
    rating: 1,
    mentions: [
      ['technicians', 'mike-alvarez', 'positive'],
      ['aspects', 'punctuality', 'negative'],
    ],
  };
  const findings = findingsOf([...times(4, praise), ...times(6, { rating: 2 })]);
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
    problems: ['late-arrival', 'unknown'],
    example_review_ids: [],
  } as const;
  const tell = (change: object) =>
    writeSummary({ ...findings, episodes: [{ ...episode, ...change } as never] });
  expect(tell({})).toContain(
    'From October 2023 to February 2024 ratings fell from 4.2 to 2.9 stars, with complaints about ' +
      'punctuality. They have since recovered to 4.3.',
  );
  expect(tell({ is_over: false, average_after: null })).toContain(
    'Since October 2023 ratings have fallen from 4.2 to 2.9 stars, with complaints about punctuality.',
  );
  expect(tell({ kind: 'rise', to: '2023-10', average_before: null, aspects: [] })).toContain(
    'In October 2023 ratings rose to 2.9 stars. They have since come down to 4.3.',
  );
  expect(tell({})).toContain(
    'Even so, four of the 10 reviews with one or two stars praise a technician by name.',
  );
});
