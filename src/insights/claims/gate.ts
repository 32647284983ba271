// The gate: how probable a claim about a whole review is, by what the sentence model says of its sentences and by the
// stars. Logistic, fitted on reviews that the sentence model had not seen (bench/evaluate/training).

/** The weights of a logistic function of features, the last one its bias. */
export type GateWeights = readonly number[];

export interface GateFile {
  /** Praise, and complaint with mirrored stars. */
  readonly signed: GateWeights;
  readonly neutral: GateWeights;
  readonly problem: GateWeights;
}

/** Claims are published from this probability on. */
export const PUBLISHED_FROM = 0.7;

/** Logits stay within this, so that no sentence decides alone. */
const MOST = 8;
const MOST_RIVALRY = 4;

/** The largest and the second largest of some logits, and the logit of the probability that any of them holds. */
export interface Peaks {
  readonly first: number;
  readonly second: number;
  readonly any: number;
}

/** What is known of one side of an aspect: 1 for `cue` where a pattern says it by itself. */
export interface Side extends Peaks {
  readonly cue: number;
  /** Of the sentence that tells it most clearly: 1 where that names the aspect and has an opinion of the side. */
  readonly judged: number;
  /** Where it does not name the aspect, the log odds by which it tells another one more clearly, from -4 to 0. */
  readonly rival: number;
  /** 1 for praise of a price where it only names one. */
  readonly bare: number;
}

/** By kind of pattern 1 where one tells a problem, and where it is denied; and `logOddsOf` the review's likeliest complaint. */
export interface ProblemCues {
  readonly complaint: number;
  readonly pattern: number;
  readonly fact: number;
  readonly clue: number;
  readonly denied: number;
}

/** The review of a claim: its stars from -1 to 1, mirrored for complaints, and the number of its sentences. */
export interface Context {
  readonly stars: number;
  readonly sentences: number;
}

export function logOddsOf(probability: number): number {
  return Math.max(-MOST, Math.min(MOST, Math.log(probability / (1 - probability))));
}

export function peaksOf(logits: Iterable<number>): Peaks {
  let [first, second, none] = [-MOST, -MOST, 1];
  for (const logit of logits) {
    const bounded = Math.max(-MOST, Math.min(MOST, logit));
    if (bounded > first) [first, second] = [bounded, first];
    else if (bounded > second) second = bounded;
    none *= 1 - likelihoodOf(bounded);
  }
  const any = Math.max(-MOST, Math.min(MOST, Math.log((1 - none) / none)));
  return { first, second, any };
}

/** `rival` of Side, by the largest logit of other aspects. */
export function rivalryOf({ first }: Peaks, rival: number): number {
  const lead = first - Math.max(-MOST, Math.min(MOST, rival));
  return Math.max(-MOST_RIVALRY, Math.min(0, lead));
}

/** The features of praise; those of a complaint are the same with the sides exchanged and the stars mirrored. */
export function signedFeatures(
  own: Side,
  other: Side,
  name: number,
  { stars, sentences }: Context,
): number[] {
  const length = Math.log(sentences);
  return [
    own.cue,
    other.cue,
    name,
    own.first,
    own.second,
    own.any,
    other.first,
    other.any,
    stars,
    stars * stars,
    own.first * stars,
    other.first * stars,
    length,
    own.first * length,
    own.judged,
    own.rival,
    own.bare,
  ];
}

export function neutralFeatures(
  own: Peaks & Pick<Side, 'cue'>,
  praise: Peaks & Pick<Side, 'cue'>,
  complaint: Peaks & Pick<Side, 'cue'>,
  { sentences }: Context,
): number[] {
  return [
    own.cue,
    praise.cue,
    complaint.cue,
    own.first,
    own.second,
    own.any,
    praise.any,
    complaint.any,
    Math.log(sentences),
  ];
}

export function problemFeatures(
  own: Peaks,
  told: ProblemCues,
  { stars, sentences }: Context,
): number[] {
  const length = Math.log(sentences);
  return [
    told.pattern,
    told.fact,
    told.clue,
    told.denied,
    told.fact * stars,
    own.first,
    own.second,
    own.any,
    stars,
    stars * stars,
    own.first * stars,
    length,
    // Happy reviews tell of problems elsewhere, unless they complain of something.
    Math.max(0, stars) * told.complaint,
  ];
}

export function probabilityOf(features: readonly number[], weights: GateWeights): number {
  let sum = weights[features.length] as number;
  for (let at = 0; at < features.length; at += 1) sum += features[at]! * weights[at]!;
  return likelihoodOf(sum);
}

function likelihoodOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
