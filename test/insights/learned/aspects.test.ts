import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { modelOf } from '../../../src/insights/learned/models.ts';
import { isSupported } from '../../../src/insights/learned/support.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import type { AnnotatedText } from '../../../src/insights/text/annotate.ts';
import { growth, LINEAR } from '../../support/growth.ts';

const vertical = verticalOf('home_services');
const model = modelOf('home_services');

const hitsOf = (text: string, rating: number | null = null) =>
  findAspects(annotateText(text), vertical, model, rating);
const aspectsOf = (text: string, rating = 3) =>
  judgeAspects(hitsOf(text, rating), rating).map(
    ({ aspect, sentiment }) => `${aspect} ${sentiment}`,
  );
const cuesOf = (text: string) =>
  judgeAspects(findCueHits(annotateText(text), vertical), 3).map(({ aspect }) => aspect);

describe('a sentence without a cue', () => {
  const WITHOUT_CUE = 'They billed for a permit they never pulled.';

  test('has the aspect that it is likely about', () => {
    expect(cuesOf(WITHOUT_CUE)).toEqual([]);
    expect(aspectsOf(WITHOUT_CUE)).toEqual(['transparency negative']);
  });

  test('is shown by its likeliest clause', () => {
    const text = `We hired them, and ${WITHOUT_CUE.toLowerCase()}`;
    const { tokens } = annotateText(text);
    const [hit] = hitsOf(text);
    expect(text.slice(tokens[hit!.from]!.start, tokens[hit!.to - 1]!.end)).toBe(
      'and they billed for a permit they never pulled',
    );
  });

  test.each([
    ['of another firm', 'The last firm never pulled the permit that they billed for.'],
    ['of what might be', 'If they billed for a permit they never pulled, I would leave.'],
    ['as a friendly question', 'Was everybody as nice and polite to you as they were to us?'],
  ])('does not count if it speaks %s', (_, text) => {
    expect(aspectsOf(text)).toEqual([]);
  });

  test('needs support: an opinion, a fact, or stars that agree', () => {
    const annotated = annotateText('They billed us. He billed a permit twice. He was honest.');
    const supports = (rating: number | null) =>
      annotated.clauses.map((clause) => isSupported(annotated, clause, false, rating));
    expect(supports(null)).toEqual([false, true, false]);
    expect(supports(1)).toEqual([true, true, false]);
    expect(supports(5)).toEqual([false, true, false]);
    const [, , honest] = annotated.clauses;
    expect(isSupported(annotated, honest!, true, 1)).toBe(true);
  });

  test.each(['The breaker kept tripping.', 'I have told all my friends.', 'They do roofs.'])(
    'is nothing when it is not likely to be about one: %s',
    (text) => {
      expect(aspectsOf(text)).toEqual([]);
    },
  );
});

describe('a cue', () => {
  test.each([
    ['A tree came down on the shed.', 'quality_of_work'],
    ['My son helped carry the boxes.', 'cleanliness'],
    ['I was worried about my cat.', 'safety'],
  ])('is rejected if its aspect is very unlikely: %s', (text, aspect) => {
    expect(cuesOf(text)).toContain(aspect);
    expect(aspectsOf(text)).toEqual([]);
  });

  test('is rejected if it is doubtful and another aspect is much likelier', () => {
    const text = 'Talked over me and did not listen.';
    expect(cuesOf(text)).toEqual(['communication', 'friendliness']);
    expect(aspectsOf(text)).toEqual(['communication negative']);
  });

  test('has a higher phrase score if the model agrees', () => {
    const phraseScoreOf = (text: string) =>
      hitsOf(text).find(({ aspect }) => aspect === 'friendliness')?.phraseScore;
    expect(phraseScoreOf('The crew was polite and kind.')).toBeGreaterThan(
      phraseScoreOf('Comment about my collection of ceramic frogs: one, polite.')!,
    );
  });

  test('that names an amount stays neutral', () => {
    expect(aspectsOf('They quoted $400.')).toEqual(['pricing neutral']);
  });
});

test('a vertical without a model uses only its cues', () => {
  const general = verticalOf('general');
  const annotated = annotateText('The clerk was rude and the price too high.');
  expect(modelOf('general')).toBeNull();
  expect(findAspects(annotated, general, null, 1)).toEqual(findCueHits(annotated, general));
});

test('a text of nothing but clauses takes linear time', () => {
  const annotatedOf = (times: number) =>
    annotateText('he billed us twice, and they never came. '.repeat(times));
  const work = (annotated: AnnotatedText) => findAspects(annotated, vertical, model, 1);
  expect(growth(500, annotatedOf, work)).toBeLessThan(LINEAR);
});
