// `npm run evaluate -- learned [VERTICAL ...]` measures how the learned layer improves with its training data: it
// trains on an eighth, a quarter, a half and all of three quarters of the sentences, and measures on the others.

import { judgeAspects } from '../../src/insights/aspects/judge.ts';
import { findAspects } from '../../src/insights/learned/aspects.ts';
import { Model } from '../../src/insights/learned/model.ts';
import { LEARNED_VERTICALS, modelOf } from '../../src/insights/learned/models.ts';
import { annotateText } from '../../src/insights/text/annotate.ts';
import { verticalOf } from '../../src/insights/verticals/verticals.ts';
import { type Row, Share } from './tally.ts';
import { aspectsOf, blocksOf, borrowedBy, reviewsOf } from './training/examples.ts';
import { type Example, train } from './training/train.ts';

const PARTS = 4;
const SHARES = [8, 4, 2, 1];

/** @throws {Error} if a vertical has no training sentences */
export function evaluateLearning(asked: readonly string[]): Row[] {
  const unknown = asked.find((vertical) => !LEARNED_VERTICALS.includes(vertical));
  if (unknown !== undefined) {
    throw new Error(`expected one of ${LEARNED_VERTICALS.join(', ')}, got ${unknown}`);
  }
  return (asked.length === 0 ? LEARNED_VERTICALS : asked).flatMap(curveOf);
}

function curveOf(vertical: string): Row[] {
  const { training, unseen } = split(vertical);
  const others = [...borrowedBy(vertical), ...reviewsOf(vertical)];
  const likely = modelOf(vertical)?.likely ?? 1;
  return SHARES.flatMap((share) => {
    const part = [...others, ...training].filter((_, index) => index % share === 0);
    const model = new Model(train(part, aspectsOf(vertical)), likely);
    const name = share === 1 ? vertical : `${vertical}, 1/${share}`;
    return measure(name, vertical, model, unseen);
  });
}

/** Keeps the neighbours in a block together: they can resemble one another. */
function split(vertical: string): { training: Example[]; unseen: Example[] } {
  const training: Example[] = [];
  const unseen: Example[] = [];
  blocksOf(vertical).forEach(({ labels, sentences }, block) => {
    sentences.forEach((text, index) => {
      const part = (Math.floor((index * PARTS) / sentences.length) + block) % PARTS;
      (part === 0 ? unseen : training).push({ text, ...labels });
    });
  });
  return { training, unseen };
}

function measure(
  name: string,
  verticalId: string,
  model: Model,
  examples: readonly Example[],
): Row[] {
  const vertical = verticalOf(verticalId);
  const [precision, recall] = [new Share(), new Share()];
  for (const { text, aspects, optional_aspects } of examples) {
    const hits = findAspects(annotateText(text), vertical, model, null);
    const found = new Set(judgeAspects(hits, null).map(({ aspect }) => aspect));
    const expected = new Set(aspects.map(({ id }) => id));
    for (const aspect of found) {
      if (!optional_aspects.includes(aspect)) precision.add(expected.has(aspect));
    }
    for (const aspect of expected) recall.add(found.has(aspect));
  }
  return [precision.row(name, 'aspects: precision'), recall.row(name, 'aspects: recall')];
}
