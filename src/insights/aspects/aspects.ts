// Finds the aspects that a review speaks of, and what it says about each. A cue that bears its own
// sentiment ("on time", "overpriced") is turned by a negation; a cue that only names its aspect
// ("price") takes the sentiment of the words about it. Where these leave it open there is no mention.

import type { Sentiment } from '../../model/insights.ts';
import { sentimentAbout } from './attribution.ts';
import { UNREAL } from '../text/grammar.ts';
import type { Keys } from '../text/keys.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import { type Match, PatternSet } from '../text/patterns.ts';
import type { Clause, Reading, Verdict } from '../text/reading.ts';
import { GAP, type Token } from '../text/text.ts';
import type { Cue, CueKind, Vertical } from '../verticals/verticals.ts';

/** A cue found in the text: tokens [from, to), and what it says, -1 to 1; null if it only names. */
export interface AspectHit {
  readonly aspect: string;
  readonly from: number;
  readonly to: number;
  readonly score: number;
  /** How clearly, 0 to 1; as much as the score says where it is left out. */
  readonly clarity?: number;
}

/** How far a negation reaches before a cue, in keys. */
const REACH = 6;
/** What a word near a naming cue must weigh to count as an opinion on it. */
const WEAK_WEIGHT = 0.45;
const PRAISE_WEIGHT = 0.45;
/** The weaker side at this share of the stronger leaves an aspect to the stars. */
const OPEN = 0.8;

/** Clauses that are about somebody else's work. */
const OTHERS = [
  '(other|another|last|previous|former|prior|competing|rival|different) (big|local|national|two|three|) (company|companies|plumber*|contractor*|outfit*|firm|firms|electrician*|technician*|place|places|handyman|provider*|business*|restaurant*|hotel*|store*|app|apps|doctor*|dentist*|lawyer*|airline*|roofer*|painter*|movers|mechanic*|shop|shops|installer*|people|guy|guys|landscaper*|cleaner*|gardener*|locksmith*|tech|techs|builder*|exterminator*|service)',
  '(my|our) (old|last|previous|former) (company|plumber|contractor|electrician|technician|provider|dentist|doctor|lawyer|guy|mechanic|landscaper|cleaner|gardener|roofer|painter|builder|handyman|tech|locksmith|movers|service|people|firm)',
  '(two|three|four|several|many|all the) (others|other) ',
  'first (company|plumber|contractor|firm|electrician|guy|one|crew|outfit|roofer|painter|technician|tech) (we|i|never|did|said|told|was|had|wanted|quoted|charged|that)',
  '(one|man|guy|company|firm|people|crew|plumber|electrician|builder|cleaner) (before (him|her|them|this|that|these|us)|who did it (first|before|last)|next door)',
  '(previous|former|last) (owner*|tenant*|occupant*|landlord*)',
  '(ex husband|brother in law|next firm|next plumber|second opinion)',
];
const OTHERS_WITHIN = 4;
const FEARED_WITHIN = 8;
/** What was feared or expected did not happen, or nobody says that it did. */
const FEARED = [
  '(afraid|feared|worried|scared|dread*|nervous|anxious|concerned|expect*|braced|assumed|thought|suspected) (that|) (it|they|he|she|this|i|we|the job|the work) (would|might|could|will|was going to|were going to)',
  '(afraid|fear|worried|scared|nervous|anxious|fearful) (of|about) (_|_ _|_ _ _|) (being|a|the|mess|cost|price|high|getting)',
];
/** Both as one, so that a text is prepared once. */
const UNMEANT = new PatternSet<'others' | 'feared'>([
  ...OTHERS.map((pattern) => [pattern, 'others'] as const),
  ...FEARED.map((pattern) => [pattern, 'feared'] as const),
]);

/** All that the cues of a vertical find, in the order of the text. */
export function findAspectHits(reading: Reading, vertical: Vertical): AspectHit[] {
  return findCues(reading, vertical).flatMap((match) => {
    const score = scoreOf(reading, match);
    return score === null ? [] : [hitOf(reading, match, score)];
  });
}

function hitOf({ keys }: Reading, { from, to, value }: Match<Cue>, score: number): AspectHit {
  return {
    aspect: value.aspect,
    from: keys.tokenOf[from] as number,
    to: (keys.tokenOf[to - 1] as number) + 1,
    score,
  };
}

/** The cues that stand in a text and are not masked. */
export function findCues(reading: Reading, vertical: Vertical): Match<Cue>[] {
  const { keys, sentences } = reading;
  const cues: Match<Cue>[] = [];
  for (const { from, to } of sentences) {
    const end = keys.firstOf[to] as number;
    const matches: Match<Cue>[] = [];
    let limit = keys.firstOf[from] as number;
    for (let at = limit; at < end; at += 1) {
      // A cue lies within one sentence, and a full stop ends one even where no sentence follows.
      if (at >= limit) limit = stopBehind(reading, at, end);
      for (const match of vertical.cues.matchesAt(keys, at, limit)) matches.push(match);
    }
    for (const cue of standing(matches)) cues.push(cue);
  }
  return cues;
}

const STOP = GAP.stop | GAP.exclamation | GAP.question | GAP.ellipsis;

/** The first key behind one that such punctuation stands before; the end, if none does. */
function stopBehind({ keys, tokens }: Reading, at: number, end: number): number {
  for (let next = at + 1; next < end; next += 1) {
    const token = keys.tokenOf[next] as number;
    if (token !== keys.tokenOf[next - 1] && ((tokens[token]?.gap ?? 0) & STOP) !== 0) return next;
  }
  return end;
}

const RANK: Readonly<Record<CueKind, number>> = {
  masks: 3,
  positive: 2,
  negative: 2,
  neutral: 1,
  names: 1,
  weak: 0,
  praise: 0,
};

/** The matches that no longer or stronger match of the same aspect overlaps. */
function standing(matches: readonly Match<Cue>[]): Match<Cue>[] {
  if (matches.length === 0) return [];
  const byAspect = Map.groupBy(matches, ({ value }) => value.aspect);
  return [...byAspect.values()].flatMap((group) => {
    if (group.length === 1) return group[0]?.value.kind === 'masks' ? [] : group;
    const kept: Match<Cue>[] = [];
    // Longest first; of the same length masks, then what bears a sentiment.
    const order = group.toSorted(
      (a, b) =>
        b.to - b.from - (a.to - a.from) ||
        RANK[b.value.kind] - RANK[a.value.kind] ||
        a.from - b.from,
    );
    // What is kept is sorted by place, so that a long text costs no more than its length.
    const taken = new Set<number>();
    for (const match of order) {
      let isFree = true;
      for (let at = match.from; at < match.to && isFree; at += 1) isFree = !taken.has(at);
      if (!isFree) continue;
      for (let at = match.from; at < match.to; at += 1) taken.add(at);
      if (match.value.kind !== 'masks') kept.push(match);
    }
    return kept.toSorted((a, b) => a.from - b.from);
  });
}

/** What a cue says where it stands; null where it says nothing for certain. */
function scoreOf(reading: Reading, match: Match<Cue>): number | null {
  const { keys, clauses, clauseOf } = reading;
  const token = keys.tokenOf[match.from] as number;
  const clause = clauses[clauseOf[token] as number] as Clause;
  const clauseStart = keys.firstOf[clause.from] as number;
  if (isAboutOthers(reading, clause, match.from) || isFeared(reading, clause, match.from))
    return null;
  const { kind } = match.value;
  const beginsClause = match.from === clauseStart;
  if (clause.mood === 'condition' && !beginsClause) return null;
  if (kind === 'neutral') return 0;
  if (kind === 'names' || kind === 'weak' || kind === 'praise') {
    const to = (keys.tokenOf[match.to - 1] as number) + 1;
    const verdict = sentimentAbout(reading, token, to);
    return kind === 'praise' ? praiseIn(verdict) : opinionIn(verdict, kind === 'weak');
  }
  const sign = kind === 'positive' ? 1 : -1;
  if (clause.mood === 'wish') return sign > 0 ? null : -1;
  if (clause.mood === 'question' && sign > 0) return null;
  return sign * turnBefore(reading, match, clauseStart, sign);
}

function opinionIn({ sentiment, weight }: Verdict, isWeak: boolean): number | null {
  if (sentiment === null) return null;
  if (sentiment === 'neutral' || weight < WEAK_WEIGHT) return isWeak ? null : 0;
  return sentiment === 'positive' ? Math.min(0.8, weight) : -Math.min(0.8, weight);
}

function praiseIn({ sentiment, weight }: Verdict): number | null {
  return sentiment === 'positive' && weight >= PRAISE_WEIGHT ? Math.min(0.8, weight) : null;
}

/** Words that a negation does not reach across. */
const STOPS = new Set(
  'and or but that because when if unless until till so apart except besides which who where since though'.split(
    ' ',
  ),
);

/** 1, or -1 where a negation or something unreal before a cue turns it. */
export function turnBefore(
  { keys, tokens }: Reading,
  { from, to }: Match<Cue>,
  clauseStart: number,
  sign: number,
): number {
  const { words } = keys;
  for (let at = from; at < Math.min(to, from + 2); at += 1) {
    if (NEGATORS.has(words[at] as string)) return 1;
  }
  for (let back = from - 1; back >= Math.max(clauseStart, from - REACH); back -= 1) {
    const word = words[back] as string;
    const next = words[back + 1] as string;
    if (NEGATORS.has(word)) {
      if (next === 'only' || next === 'just' || (next === 'even' && sign < 0)) return 1;
      // "Could not have been more helpful" is the highest praise.
      return words.slice(back + 1, from).includes('more') &&
        UNREAL_OR_CAN.has(words[back - 1] ?? '')
        ? 1
        : -1;
    }
    if (sign > 0 && back >= from - 3 && UNREAL.has(word) && /^(?:be|have|use)$/.test(next))
      return -1;
    if (STOPS.has(word) || hasComma(tokens[keys.tokenOf[back] as number])) break;
  }
  return 1;
}

const hasComma = (token: Token | undefined) => ((token?.gap ?? 0) & GAP.comma) !== 0;

const UNREAL_OR_CAN = new Set([...UNREAL, 'can']);

/** Whether a clause speaks of another firm before a place in it, in keys. */
export function isAboutOthers({ keys }: Reading, clause: Clause, at: number): boolean {
  const from = keys.firstOf[clause.from] as number;
  const to = keys.firstOf[clause.to] as number;
  for (let start = from; start < Math.min(at, from + OTHERS_WITHIN); start += 1) {
    if (keys.words[start] === 'than' || keys.words[start] === 'like') return false;
    if (saysAt(keys, start, to, 'others')) return true;
  }
  return false;
}

function saysAt(keys: Keys, at: number, limit: number, what: 'others' | 'feared'): boolean {
  return UNMEANT.matchesAt(keys, at, limit).some(({ value }) => value === what);
}

/** Whether the words before a place, in keys, say that what follows was only feared or expected. */
function isFeared({ keys, sentences }: Reading, clause: Clause, at: number): boolean {
  const from = clause.link === 'contrast' ? clause.from : (sentences[clause.sentence]?.from ?? 0);
  const first = keys.firstOf[from] as number;
  for (let start = Math.max(first, at - FEARED_WITHIN); start < at; start += 1) {
    if (saysAt(keys, start, at, 'feared')) return true;
  }
  return false;
}

/** One aspect of a review: what is said of it on balance, and the hit that shows it best. */
export interface AspectVerdict {
  readonly aspect: string;
  readonly sentiment: Sentiment;
  readonly hit: AspectHit;
}

/** Sums the hits of each aspect. Stars break ties; what stays open is left out. */
export function judgeAspects(hits: readonly AspectHit[], rating: number | null): AspectVerdict[] {
  return [...Map.groupBy(hits, ({ aspect }) => aspect)].flatMap(([aspect, own]) => {
    const sentiment = sentimentOfHits(own, rating);
    if (sentiment === null || isLoneVoice(own, sentiment, rating)) return [];
    const hit = own.find(({ score }) => signOf(score) === sentiment) ?? own[0]!;
    return [{ aspect, sentiment, hit }];
  });
}

/**
 * A single cue against one or five stars is more often a misreading (a joke, another firm, a figure of
 * speech) than a complaint in the highest praise, or the other way round: measured, six to one.
 */
function isLoneVoice(
  hits: readonly AspectHit[],
  sentiment: Sentiment,
  rating: number | null,
): boolean {
  if (hits.length > 1 || sentiment === 'neutral') return false;
  return rating === (sentiment === 'positive' ? 1 : 5);
}

function signOf(score: number): Sentiment {
  if (score === 0) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}

function sentimentOfHits(hits: readonly AspectHit[], rating: number | null): Sentiment | null {
  let positive = 0;
  let negative = 0;
  for (const { score } of hits) {
    if (score > 0) positive += score;
    else negative -= score;
  }
  // An amount or the like without a verdict, in a review that complains: left open rather than neutral.
  if (positive === 0 && negative === 0) return rating !== null && rating < 3 ? null : 'neutral';
  const [more, less] = positive >= negative ? [positive, negative] : [negative, positive];
  if (less >= OPEN * more) {
    if (rating === null || rating === 3) return null;
    return rating > 3 ? 'positive' : 'negative';
  }
  return positive > negative ? 'positive' : 'negative';
}
