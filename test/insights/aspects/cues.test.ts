import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const vertical = verticalOf('home_services');

/** What a review says of the aspects of home services, by their ids. */
function aspectsOf(text: string, rating = 3): Record<string, string> {
  return Object.fromEntries(
    judgeAspects(findCueHits(annotateText(text), vertical), rating).map(({ aspect, sentiment }) => [
      aspect,
      sentiment,
    ]),
  );
}

describe('the aspects', () => {
  test.each([
    ['Mike was great but the price was a shock.', { pricing: 'negative' }],
    ['They were on time.', { punctuality: 'positive' }],
    ['They were not on time.', { punctuality: 'negative' }],
    ['They were never late.', { punctuality: 'positive' }],
    [
      'Nobody was ever a minute late, and the tiles are dead level.',
      { punctuality: 'positive', quality_of_work: 'positive' },
    ],
    ['They quoted $400.', { pricing: 'neutral' }],
    ['He left no mess.', { cleanliness: 'positive' }],
    ['He left a mess.', { cleanliness: 'negative' }],
    [
      'If they had called to tell me, I would have given five stars.',
      { communication: 'negative' },
    ],
    ['Why does nobody ever call me back?', { responsiveness: 'negative' }],
    ['My last plumber was always late.', {}],
    ['Highly recommend, five stars.', {}],
    ['We moved here from Austin in June.', {}],
    ['Our home runs on clean energy.', {}],
    ['I was afraid that it would cost a lot.', {}],
    ['I thought they would leave a mess, but they were on time.', { punctuality: 'positive' }],
    ['The one before him was always late.', {}],
    ['The previous owner had bodged it.', {}],
    ['Company two was overpriced.', {}],
    ['One guy wanted $300 just to come look.', {}],
    ['Two were out, and one guy who was rude came late.', {}],
  ])('of %j are %j', (text, aspects) => {
    expect(aspectsOf(text)).toEqual(aspects);
  });

  test('with balanced praise and complaint are decided by the stars, and left out at three stars', () => {
    const text = 'They came on time. Then they came late.';
    expect(aspectsOf(text, 5)).toEqual({ punctuality: 'positive' });
    expect(aspectsOf(text, 1)).toEqual({ punctuality: 'negative' });
    expect(aspectsOf(text, 3)).toEqual({});
  });

  test('with one cue against one or five stars are left out, with two cues they are kept', () => {
    expect(aspectsOf('They were late.', 5)).toEqual({});
    expect(aspectsOf('They were late.', 4)).toEqual({ punctuality: 'negative' });
    expect(aspectsOf('They were late. Always late!', 5)).toEqual({ punctuality: 'negative' });
  });

  test.each([
    ['Make sure that you are on time.', {}],
    ['The website claims that they are on time.', {}],
    ['I hope that they will be on time next week.', {}],
    ['They promised a fair price.', {}],
    ['A fair price would have been nice.', {}],
    ['Next time I will find somebody who is on time.', {}],
    ['They were on time, as promised.', { punctuality: 'positive' }],
    ['A fairer price than I expected.', { pricing: 'positive' }],
    ['Not once were they on time.', { punctuality: 'negative' }],
    ['The repair is not worth the high price.', { pricing: 'negative', value: 'negative' }],
    ['No problems and on time.', { punctuality: 'positive' }],
  ])('of a wish, a promise, advice, or a negation: %j has %j', (text, aspects) => {
    expect(aspectsOf(text)).toEqual(aspects);
  });

  test('never come from stars alone', () => {
    expect(aspectsOf('They came.', 5)).toEqual({});
    expect(aspectsOf('They came.', 1)).toEqual({});
  });

  test('without a verdict are neutral, but left out at one or two stars', () => {
    expect(aspectsOf('They quoted $400.', 4)).toEqual({ pricing: 'neutral' });
    expect(aspectsOf('They quoted $400.', 1)).toEqual({});
  });
});

describe('a cue that only names its aspect', () => {
  const general = verticalOf('general');
  const hitsOf = (text: string) =>
    findCueHits(annotateText(text), general).map(({ aspect, score, isFaint }) => ({
      aspect,
      sign: Math.sign(score),
      isFaint: isFaint ?? false,
    }));

  test('counts where the opinions about it are clear', () => {
    expect(hitsOf('Splendid staff.')).toEqual([{ aspect: 'staff', sign: 1, isFaint: false }]);
  });

  test('is faint where they are not, and does not count without any', () => {
    expect(hitsOf('The staff made us happy.')).toEqual([
      { aspect: 'staff', sign: 1, isFaint: true },
    ]);
    expect(hitsOf('The staff left us standing in the rain for two hours.')).toEqual([]);
  });

  test('never contradicts the stars if it is faint', () => {
    const hit = { aspect: 'staff', from: 0, to: 1, score: 0.7 };
    const verdicts = (isFaint: boolean, score: number, rating: number) =>
      judgeAspects([{ ...hit, score, ...(isFaint && { isFaint }) }], rating).length;
    expect(verdicts(true, 0.7, 2)).toBe(0);
    expect(verdicts(true, -0.7, 4)).toBe(0);
    expect(verdicts(true, 0.7, 4)).toBe(1);
    expect(verdicts(false, 0.7, 2)).toBe(1);
  });
});
