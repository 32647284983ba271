import { describe, expect, test } from 'vitest';
import type { ReviewExample } from '../../bench/evaluate/training/examples.ts';
import { featuresOfText, labelledReviews } from '../../bench/evaluate/training/examples.ts';
import { decodeFeatures, encodeFeatures } from '../../bench/evaluate/training/feature-file.ts';
import {
  labelsOfReview,
  NO_LABELS,
  parseLabels,
  type Sign,
} from '../../bench/evaluate/training/labels.ts';
import { labelledNames } from '../../bench/evaluate/training/people-examples.ts';
import { trainNames } from '../../bench/evaluate/training/train-people.ts';
import { fitGate } from '../../bench/evaluate/training/fit-gate.ts';
import { modelFileOf } from '../../bench/evaluate/training/model-file.ts';
import { parseBlocks } from '../../bench/evaluate/training/sentences.ts';
import { logitsOf, trainModel } from '../../bench/evaluate/training/train.ts';
import { questionsOf } from '../../src/insights/claims/classes.ts';
import { probabilityOf } from '../../src/insights/claims/gate.ts';
import { featuresOfAspect } from '../../src/insights/claims/judged-review.ts';
import namesModel from '../../src/insights/entities/names/model.json' with { type: 'json' };
import { VERTICAL_FILES, verticalOf } from '../../src/insights/verticals/verticals.ts';

describe('labels of readers', () => {
  const parse = (...lines: string[]) => parseLabels(lines.join('\n'), 'x.labels.txt');

  test('are parsed by review and sentence', () => {
    const [review] = parse('b1.2 food- !cold-food ?staff+ ?!noise', 'b1 @Anna+ @Mr. Okafor=');
    expect(review?.sentences.get(1)).toEqual({
      aspects: new Map([['food', '-']]),
      optional: new Set(['staff']),
      problems: new Set(['cold-food']),
      optionalProblems: new Set(['noise']),
    });
    expect(review?.people).toEqual(
      new Map([
        ['Anna', '+'],
        ['Mr. Okafor', '='],
      ]),
    );
  });

  test('leave an aspect open about which one sentence says both', () => {
    const [review] = parse('b1.1 food+ food-');
    expect(review?.sentences.get(0)).toMatchObject({
      aspects: new Map(),
      optional: new Set(['food']),
    });
  });

  test.each([
    [['b1.1 food+', 'b1.2 food+'], '+'],
    [['b1.1 food+', 'b1.2 food='], '+'],
    [['b1.1 food+', 'b1.2 food-'], undefined],
    [['b1.1 food+', 'b1.2 food-', 'b1 food-'], '-'],
    [['b1.1 food+', 'b1 ?food'], undefined],
  ])('of the sentences %j make one of the review: %s', (lines, expected) => {
    const [review] = parse(...lines);
    expect(labelsOfReview(review!).aspects.get('food')).toBe(expected);
    expect(labelsOfReview(review!).optional.has('food')).toBe(expected === undefined);
  });

  test.each([
    [['b1.1 food+', 'food'], 'x.labels.txt:2: expected the id'],
    [['b1.1 food'], 'x.labels.txt:1: expected an aspect with + - or ='],
    [['b1.1 Food+'], 'x.labels.txt:1: expected an aspect with + - or ='],
  ])('that are malformed are refused with file and line: %j', (lines, message) => {
    expect(() => parse(...lines)).toThrow(message);
  });

  test('name sentences, aspects and problems that exist', () => {
    const aspects = new Set(
      [...VERTICAL_FILES.keys()].flatMap((id) => verticalOf(id).aspects.map((one) => one.id)),
    );
    for (const ending of ['labels.txt', 'held-out.labels.txt'] as const) {
      for (const [name, reviews] of labelledReviews(ending)) {
        for (const { id, labels, sentences } of reviews) {
          const unknown = [...labels.aspects.keys()].filter((one) => !aspects.has(one));
          expect([name, id, unknown]).toEqual([name, id, []]);
          expect(sentences.length).toBeGreaterThan(0);
        }
      }
    }
  });
});

describe('written sentences', () => {
  const parse = (...lines: string[]) => parseBlocks(lines.join('\n'), 'x.txt', ['food', 'staff']);

  test('have the labels of the heading above', () => {
    const lines = ['# Comment', '[food+ ?staff- !noise]', 'Tasty soup.', '', '[]', 'It rained.'];
    expect(parse(...lines)).toEqual([
      {
        labels: {
          aspects: new Map([['food', '+']]),
          optional: new Set(['staff']),
          problems: new Set(['noise']),
          optionalProblems: new Set(),
        },
        sentences: ['Tasty soup.'],
      },
      { labels: NO_LABELS, sentences: ['It rained.'] },
    ]);
  });

  test.each([
    [['Tasty soup.'], 'x.txt:1: expected a heading before the first sentence'],
    [['', '[food+'], 'x.txt:2: expected a closing bracket'],
    [
      ['[food]'],
      'x.txt:1: expected an aspect with + - or =, or a problem with !, instead of "food"',
    ],
    [['[wine+]'], 'x.txt:1: expected one of food, staff instead of "wine"'],
  ])('that are malformed are refused with file and line: %j', (lines, message) => {
    expect(() => parse(...lines)).toThrow(message);
  });
});

test('features are stored without those that nothing else has, and read again', () => {
  const sentences = [Uint32Array.of(3, 400, 4_000_000_000), Uint32Array.of()];
  const file = encodeFeatures(
    '',
    [{ id: 'b1', rating: 2, sentences }],
    new Set([3, 4_000_000_000]),
  );
  const read = decodeFeatures(file).get('b1');
  expect(read?.rating).toBe(2);
  expect(read?.sentences.map((one) => [...one])).toEqual([[3, 4_000_000_000], []]);
});

test('features far apart in a file are read as they were stored', () => {
  const all = Uint32Array.from({ length: 40_000 }, (_, index) => index * 100_000);
  const some = [0, 127, 128, 300, 20_000, 39_999].map((index) => all[index]!);
  const sentences = [all, Uint32Array.from(some)];
  const file = encodeFeatures('', [{ id: 'b1', rating: 2, sentences }], new Set(all));
  expect(decodeFeatures(file).get('b1')?.sentences).toEqual(sentences);
});

/** A review of a restaurant whose sentences are labelled "food+", "food-" or not at all. */
function example(
  id: string,
  sentences: readonly (readonly [text: string, sign: Sign | null])[],
  isWhole = false,
): ReviewExample {
  const vertical = verticalOf('restaurants');
  const labelsOf = (sign: Sign | null) =>
    sign === null ? NO_LABELS : { ...NO_LABELS, aspects: new Map([['food', sign]]) };
  const overall = sentences.find(([, sign]) => sign !== null)?.[1] ?? null;
  return {
    id,
    vertical: 'restaurants',
    rating: 3,
    hasProblems: false,
    isReal: false,
    labels: labelsOf(overall),
    sentences: sentences.map(([text, sign]) => ({
      features: featuresOfText(text, vertical)[0]!,
      labels: isWhole ? null : labelsOf(sign),
    })),
  };
}

const TEXTS: (readonly [string, Sign | null])[] = [
  ['The zorblet was tasty today', '+'],
  ['Our zorblet was tasty again', '+'],
  ['A tasty zorblet for us', '+'],
  ['The grumble tasted foul today', '-'],
  ['Our grumble tasted foul again', '-'],
  ['A foul grumble for us', '-'],
  ['The bus left at nine', null],
  ['Our bus left at ten', null],
  ['A bus for us at nine', null],
];
const EXAMPLES = TEXTS.map((one, index) => example(`x${index}`, [one]));

function praiseAndComplaint(model: ReturnType<typeof trainModel>, text: string) {
  const [logits] = logitsOf(example('asked', [[text, null]]), model);
  return ['food+', 'food-'].map((name) => logits![model.classes.indexOf(name)]!) as [
    number,
    number,
  ];
}

describe('training', () => {
  test('learns from examples what praises and what blames', () => {
    const model = trainModel(EXAMPLES);
    const [praise, complaint] = praiseAndComplaint(model, 'The zorblet was tasty');
    const [otherPraise, otherComplaint] = praiseAndComplaint(model, 'The grumble tasted foul');
    const [none] = praiseAndComplaint(model, 'The bus left');
    expect(praise).toBeGreaterThan(complaint);
    expect(otherComplaint).toBeGreaterThan(otherPraise);
    expect(praise).toBeGreaterThan(none);
  });

  test('gives the same bytes every time', () => {
    const gate = { signed: [], neutral: [], problem: [] };
    const file = () => JSON.stringify(modelFileOf(trainModel(EXAMPLES), gate));
    expect(file()).toBe(file());
  });

  test('gives the label of a whole review to the sentence that tells it', () => {
    const whole = Array.from({ length: 6 }, (_, index) =>
      example(
        `w${index}`,
        [
          ['Some wibble came by', null],
          ['The zorblet was tasty', '+'],
        ],
        true,
      ),
    );
    const model = trainModel([...EXAMPLES, ...whole]);
    const [wibble] = praiseAndComplaint(model, 'Some wibble came by');
    const [zorblet] = praiseAndComplaint(model, 'The zorblet was tasty');
    expect(zorblet).toBeGreaterThan(0);
    expect(wibble).toBeLessThan(0);
  });
});

describe('the gate', () => {
  /** Each text eight times, as a labelled review; a complaint reports the problem "poor-food". */
  const reviews = Array.from({ length: 8 }, (_, round) =>
    TEXTS.map(([text, sign], index) => {
      const plain = example(`r${round}-${index}`, [[text, sign]]);
      const problems = new Set(sign === '-' ? ['poor-food'] : []);
      const labels = { ...plain.labels, problems };
      return {
        ...plain,
        rating: sign === '+' ? 5 : sign === '-' ? 1 : 3,
        hasProblems: true,
        labels,
        sentences: plain.sentences.map((one) => ({ ...one, labels })),
      };
    }),
  ).flat();

  test('is fitted on reviews that the model had not seen, each once', () => {
    const judged: string[] = [];
    fitGate(reviews, (some) => {
      const seen = new Set(some.map(({ id }) => id));
      judged.push(...reviews.map(({ id }) => id).filter((id) => !seen.has(id)));
      return trainModel([...EXAMPLES, ...some]);
    });
    expect(judged.toSorted()).toEqual(reviews.map(({ id }) => id).toSorted());
  });

  test('finds what readers found, and little else', () => {
    const { signed } = fitGate(reviews, (some) => trainModel([...EXAMPLES, ...some]));
    const model = trainModel(EXAMPLES);
    const { aspects } = questionsOf(verticalOf('restaurants'), model.classes);
    const food = aspects.find(({ aspect }) => aspect === 'food')!;
    const oddsOf = (text: string, rating: number) => {
      const logits = logitsOf(example('asked', [[text, null]]), model);
      const { praise, complaint } = featuresOfAspect(food, { logits, rating, found: [new Set()] });
      return [probabilityOf(praise, signed), probabilityOf(complaint, signed)] as const;
    };
    const [praised, notBlamed] = oddsOf('The zorblet was tasty', 5);
    const [notPraised, blamed] = oddsOf('The grumble tasted foul', 1);
    const others = oddsOf('The bus left', 3);
    expect(Math.min(praised, blamed)).toBeGreaterThan(0.5);
    expect(Math.max(notBlamed, notPraised, ...others)).toBeLessThan(0.5);
  });
});

test('training the model of names gives the stored model', () => {
  expect(trainNames(labelledNames(false))).toEqual(namesModel);
});
