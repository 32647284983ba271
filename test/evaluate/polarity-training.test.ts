// The training of the polarity net on small data: it is reproducible to the byte, it learns, and the stored
// weights say what was learned. Training on MAMS takes minutes and needs its files.

import { describe, expect, test } from 'vitest';
import { Random } from '../../bench/evaluate/training/polarity/random.ts';
import {
  examplesOfCues,
  examplesOfMarked,
  examplesOfTerms,
} from '../../bench/evaluate/training/polarity/examples.ts';
import { fileOf } from '../../bench/evaluate/training/polarity/store.ts';
import { trainNetwork } from '../../bench/evaluate/training/polarity/train.ts';
import { rowsOf } from '../../bench/evaluate/training/polarity/vectors.ts';
import { vocabularyOf } from '../../bench/evaluate/training/polarity/vocabulary.ts';
import { PolarityNet } from '../../src/insights/polarity/net.ts';

const SENTENCES = ['[soup|+] zang', '[soup|-] zong', '[bread|+] zang', '[bread|-] zong'];
const examples = examplesOfMarked(
  Array.from({ length: 20 }, () => SENTENCES.join('\n')).join('\n'),
);

/** Vectors of random numbers, as those of GloVe would be. */
function vectorsOf(words: readonly string[]) {
  const random = new Random(7);
  const vectorOf = () => Array.from({ length: 100 }, () => random.gauss(0.5));
  return { words, vectors: Object.fromEntries(words.map((word) => [word, vectorOf()])) };
}

const glove = vectorsOf(['soup', 'bread', 'zang', 'zong', 'more']);

function train() {
  const words = vocabularyOf(examples, glove);
  const losses: number[] = [];
  const network = trainNetwork(examples, {
    words,
    vectors: rowsOf(words, glove),
    rounds: 40,
    onRound: (_, loss) => void losses.push(loss),
  });
  return { file: fileOf(network, words), losses };
}

describe('training', () => {
  const { file, losses } = train();

  test('twice on the same examples gives the same bytes', () => {
    expect(JSON.stringify(train().file)).toBe(JSON.stringify(file));
  });

  test('learns, and the stored net says so', () => {
    expect(losses.at(-1)).toBeLessThan(losses[0]! / 2);
    const net = new PolarityNet(file);
    for (const { input, label } of examples.slice(0, SENTENCES.length)) {
      const { positive, negative } = net.polarityOf(input);
      expect(positive > negative ? 0 : 2).toBe(label);
    }
  });
});

describe('examples', () => {
  test('of MAMS are its terms, and their clauses alone where those suffice', () => {
    const xml = `<sentences><sentence><text>The soup was great, but we paid for the bread.</text><aspectTerms>
<aspectTerm from="4" polarity="positive" term="soup" to="8"/>
<aspectTerm from="40" polarity="neutral" term="bread" to="45"/></aspectTerms></sentence></sentences>`;
    expect(
      examplesOfTerms(xml).map(({ input, label }) => [
        input.words.slice(input.from, input.to),
        input.words.length,
        label,
      ]),
    ).toEqual([
      [['soup'], 10, 0],
      [['soup'], 4, 0],
      [['bread'], 10, 1],
    ]);
  });

  test('of labelled sentences are the cues of the aspect, and a sentence as a whole', () => {
    const label = { id: 'pricing', sentiment: 'negative' };
    const inputsOf = (text: string) =>
      examplesOfCues([{ text, aspects: [label], optional_aspects: [] }]).map(
        ({ input: { words, from, to }, label: number }) => [
          words.slice(from, to).join(' '),
          number,
        ],
      );
    expect(inputsOf('We were charged too much. Too bad.')).toEqual([['charged too much', 2]]);
    expect(inputsOf('I could weep.')).toEqual([['i could weep', 2]]);
  });

  test('of marked sentences are the things in brackets', () => {
    const [first, second] = examplesOfMarked(
      '# about\n\nThe [app|-] fails, the [shop|0] is near.\n',
    );
    expect([first!.input.words.join(' '), first!.label, second!.label]).toEqual([
      'the app fails the shop is near',
      2,
      1,
    ]);
    expect(second!.input.words[second!.input.from]).toBe('shop');
  });
});
