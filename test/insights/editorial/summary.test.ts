import { describe, expect, test } from 'vitest';
import { writeSummary } from '../../../src/insights/editorial/summary.ts';
import { findingsOf, times, type IndexedMention } from './findings.ts';

const summarise = (indexed: readonly IndexedMention[]) => writeSummary(findingsOf(indexed)).summary;

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
      'Harbor Heating has 4.5 out of 5 stars in two verified reviews from May 2024: nearly everybody ' +
        'is happy.',
    ],
    [
      [{ rating: 5 }, { rating: 1, date: '2023-01-01' }, { rating: 3 }],
      'Harbor Heating has 3.0 out of 5 stars in three verified reviews since January 2023: opinions ' +
        'are divided.',
    ],
    [
      [{ rating: 1 }, { rating: 2 }],
      'Harbor Heating has 1.5 out of 5 stars in two verified reviews from May 2024: most are unhappy.',
    ],
  ])('%j', (indexed: IndexedMention[], expected) => {
    expect(summarise(indexed)).toBe(expected);
  });

  test('and tells the most praised aspect if opinions differ', () => {
    const mixed = [...times(6, good('friendliness')), ...times(4, bad('friendliness'))];
    expect(summarise(mixed)).toContain(
      'At its best, they are friendly, say 6 of the 10 who speak of it: “',
    );
    expect(summarise([...times(3, good('safety')), ...times(4, bad('safety'))])).not.toContain(
      'At its best',
    );
  });
});

test.each([
  [1, 'One review is in another language and counts by its stars only.'],
  [12, '12 reviews are in other languages and count by their stars only.'],
])('the summary says of %i reviews in other languages that only stars count', (count, expected) => {
  const findings = { ...findingsOf(times(12, {})), unanalysedCount: count };
  expect(writeSummary(findings).summary).toContain(expected);
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

  test('begins with the score', () => {
    expect(paragraphs[0]).toBe(
      'Harbor Heating has 4.1 out of 5 stars in 40 verified reviews from May 2024: most are happy, some ' +
        'are not at all.',
    );
  });

  test('tells what a friend would tell', () => {
    expect(paragraphs[1]).toBe(
      'They are friendly, say all 20 who speak of it: “They were kind to our old ' +
        'mother.” (five stars, May 2024). They leave it clean, say 9 of the 10 who speak of it: “This is ' +
        'the phrase with number 20.” (five stars, May 2024).',
    );
  });

  test('then the weak spot', () => {
    expect(paragraphs[2]).toBe(
      'The weak spot: they are often late, say 8 of the 10 who speak of it: “They came a whole day ' +
        'after they said.” (one star, May 2024).',
    );
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
    expect(all[2]).toContain('What goes wrong most often: late arrivals (three reviews).');
    expect(all[3]).toBe('People to ask for: Mike Alvarez.');
    expect(all[4]).toBe('In the last year ratings are up from 1.0 to 4.1 stars.');
  });

  test('begins with complaints if most are unhappy', () => {
    const unhappy = [...times(9, bad('punctuality')), ...times(3, good('friendliness'))];
    const [, first, last] = summarise(unhappy).split('\n\n');
    expect(first).toContain('They are often late, say all 9 who speak of it');
    expect(last).toContain('They are friendly');
  });

  test('has each sentence with reviews that say so', () => {
    const findings = findingsOf(indexed);
    const { summary, summary_sentences: sentences } = writeSummary(findings);
    expect(sentences.map(({ text }) => text).join(' ')).toBe(summary.replaceAll('\n\n', ' '));
    const [, friendly, , late] = sentences;
    for (const id of friendly!.review_ids) {
      expect(
        findings.mentions.of('aspects', 'friendliness').map(({ review }) => review.id),
      ).toContain(id);
    }
    expect(late!.review_ids).toHaveLength(8);
  });
});

test('a change beyond chance is told', () => {
  const change = (then: IndexedMention[], now: IndexedMention[]) =>
    summarise([
      ...now.map((one) => ({ ...one, date: '2024-05-01' })),
      ...then.map((one) => ({ ...one, date: '2023-03-01' })),
    ]);
  const [kind, rude] = [good('friendliness'), bad('friendliness')];
  expect(change([...times(10, rude), ...times(2, kind)], times(12, kind))).toContain(
    'Opinions on friendliness are better than before: 12 of 12 are good, 2 of 12 were.',
  );
  expect(change(times(12, kind), [...times(10, rude), ...times(2, kind)])).toContain(
    'Opinions on friendliness are worse',
  );
  expect(change(times(12, kind), [...times(2, rude), ...times(10, kind)])).not.toContain(
    'Opinions on',
  );
  const late: IndexedMention = { rating: 2, mentions: [['problems', 'late-arrival', 'negative']] };
  expect(change(times(20, {}), [...times(9, late), ...times(11, {})])).toContain(
    'More complain about late arrivals: 9 of 20 reviews, before that 0 of 20.',
  );
});

test('tells episodes, and who is praised by those who give one or two stars', () => {
  const praise: IndexedMention = {
    rating: 1,
    mentions: [
      ['technicians', 'mike-alvarez', 'positive'],
      ['aspects', 'punctuality', 'negative'],
      ['problems', 'late-arrival', 'negative'],
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
    problems: ['unknown'],
    example_review_ids: [],
  } as const;
  const tell = (change: object) =>
    writeSummary({ ...findings, episodes: [{ ...episode, ...change } as never] }).summary;
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
    'Even among those who give one or two stars, four praise somebody who came, by name; they complain about late arrivals.',
  );
});
