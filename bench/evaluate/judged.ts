// `npm run evaluate -- judged` compares the claims with what readers found in the same reviews: precision, recall and F of
// aspects with their sentiment, and of problems; on the held-out half with --held-out. Text is not needed: the features of
// the sentences are stored.

import { questionsOf, type Questions } from '../../src/insights/claims/classes.ts';
import {
  candidatesOf,
  likeliestComplaint,
  likeliest,
  problemConfidence,
  weighed,
} from '../../src/insights/claims/claims.ts';
import { type GateFile, PUBLISHED_FROM } from '../../src/insights/claims/gate.ts';
import { MODEL, MODEL_FILE, type SentenceModel } from '../../src/insights/claims/model.ts';
import { verticalOf } from '../../src/insights/verticals/verticals.ts';
import { hasData, readData } from './data.ts';
import { labelledReviews, type ReviewExample } from './training/examples.ts';
import { labelsOfReview, parseLabels } from './training/labels.ts';

const SENTIMENTS = ['positive', 'negative', 'neutral'] as const;
const SIGNS = { positive: '+', negative: '-', neutral: '=' } as const;

/** Right, wrong and missed claims. */
class Counts {
  right = 0;
  wrong = 0;
  missed = 0;

  /** Precision, recall and F in percent. */
  render(): string {
    const precision = this.right / Math.max(1, this.right + this.wrong);
    const recall = this.right / Math.max(1, this.right + this.missed);
    const f = (2 * this.right) / Math.max(1, 2 * this.right + this.wrong + this.missed);
    return [precision, recall, f].map((share) => (share * 100).toFixed(1)).join(' / ');
  }
}

interface Result {
  readonly aspects: Counts;
  readonly problems: Counts;
}

/** What decides claims. */
export interface ClaimModel {
  readonly sentences: SentenceModel;
  readonly gate: GateFile;
}

/** The table of all sets. `thresholds` other than the published one show the curve. */
export function evaluateJudged(
  isHeldOut: boolean,
  thresholds: readonly number[] = [PUBLISHED_FROM],
): string {
  const model = { sentences: MODEL(), gate: MODEL_FILE().gate };
  const sets = labelledReviews(isHeldOut ? 'held-out.labels.txt' : 'labels.txt');
  const lines = sets.flatMap(([name, reviews]) =>
    thresholds.map((threshold) => {
      const result = totalOf(reviews, model, threshold);
      return `| ${name} | ${reviews.length} | ${threshold} | ${result.aspects.render()} | ${result.problems.render()} |`;
    }),
  );
  return [
    '| reviews | number | from | aspects with sentiment: P / R / F | problems: P / R / F |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** With the recorded answers of a careful reader in place of a language model: ours, with them, and the reader's own. */
export function evaluateProposals(): string {
  const model = { sentences: MODEL(), gate: MODEL_FILE().gate };
  const lines = labelledReviews('held-out.labels.txt').flatMap(([name, reviews]) => {
    const path = `proposals/${name}.txt`;
    if (!hasData(path)) return [];
    const proposals = new Map(
      parseLabels(readData(path), path).map((one) => [one.id, labelsOfReview(one).aspects]),
    );
    const asked = reviews.filter(({ id }) => proposals.has(id));
    const alone = totalOf(asked, model);
    const both = totalOf(asked, model, PUBLISHED_FROM, proposals);
    const reader = new Counts();
    for (const { id, vertical, labels } of asked)
      for (const { id: aspect } of verticalOf(vertical).aspects)
        if (!labels.optional.has(aspect))
          count(reader, proposals.get(id)!.get(aspect) ?? null, labels.aspects.get(aspect) ?? null);
    return [
      [name, asked.length, ...[alone.aspects, both.aspects, reader].map((one) => one.render())],
    ];
  });
  return [
    '| reviews | number | alone: P / R / F | with its answers | the reader |',
    '|---|---|---|---|---|',
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** By review and aspect what a language model says. */
type Proposals = ReadonlyMap<string, ReadonlyMap<string, '+' | '-' | '='>>;

/** What is right, wrong and missed in some reviews. */
export function totalOf(
  reviews: readonly ReviewExample[],
  model: ClaimModel,
  threshold = PUBLISHED_FROM,
  proposals?: Proposals,
): Result {
  const result = { aspects: new Counts(), problems: new Counts() };
  const questions = new Map<string, Questions>();
  for (const review of reviews) {
    const own =
      questions.get(review.vertical) ??
      questionsOf(verticalOf(review.vertical), model.sentences.classes);
    questions.set(review.vertical, own);
    compare(review, own, model, threshold, result, proposals?.get(review.id));
  }
  return result;
}

function compare(
  { sentences, rating, vertical, labels }: ReviewExample,
  questions: Questions,
  { sentences: model, gate }: ClaimModel,
  threshold: number,
  { aspects, problems }: Result,
  proposals?: ReadonlyMap<string, '+' | '-' | '='>,
): void {
  const review = {
    logits: sentences.map(({ features }) => model.logitsOfFeatures(features, vertical)),
    found: sentences.map(({ features }) => new Set(features)),
    rating: rating ?? 3,
  };
  const candidates = questions.aspects.map((classes) => candidatesOf(classes, review, gate));
  for (const [at, classes] of questions.aspects.entries()) {
    if (labels.optional.has(classes.aspect)) continue;
    const own = candidates[at] as (typeof candidates)[number];
    const proposal = SENTIMENTS.find((one) => SIGNS[one] === proposals?.get(classes.aspect));
    const said = proposal && { sentiment: proposal };
    const best = likeliest(proposals === undefined ? own : own.map((one) => weighed(one, said)));
    const found = best.confidence >= threshold ? SIGNS[best.sentiment] : null;
    count(aspects, found, labels.aspects.get(classes.aspect) ?? null);
  }
  for (const asked of questions.problems) {
    const { problem } = asked;
    if (labels.optionalProblems.has(problem)) continue;
    const complaint = likeliestComplaint(candidates);
    const isFound = problemConfidence(asked, review, gate, complaint) >= threshold;
    count(problems, isFound ? problem : null, labels.problems.has(problem) ? problem : null);
  }
}

function count(counts: Counts, found: string | null, expected: string | null): void {
  if (found !== null && found === expected) counts.right += 1;
  else {
    if (found !== null) counts.wrong += 1;
    if (expected !== null) counts.missed += 1;
  }
}
