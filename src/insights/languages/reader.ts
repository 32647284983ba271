// Reads a review in another language than English: annotates its text like text/annotate.ts does, with the
// opinions of the language, and finds aspects by its cues.

import { findCues } from '../claims/cues.ts';
import type { Opinion } from '../sentiment/opinions.ts';
import { othersIn } from '../entities/prices/others.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import type { Keys } from '../text/keys.ts';
import { type Match, PatternSet } from '../text/patterns.ts';
import type { SegmentedText } from '../text/text.ts';
import type { Cue } from '../verticals/verticals.ts';
import { findClauses } from './clauses.ts';
import { buildKeys } from './keys.ts';
import type { LanguageFile } from './language-file.ts';
import { isNegated } from './negation.ts';
import { type AspectHit, opinionAbout } from './judge.ts';

/** The value of a cue, which is an opinion too. */
const CUE_VALUE = 0.6;
/** Factors as in sentiment/opinions.ts. */
const NEGATED_POSITIVE = -0.75;
const NEGATED_NEGATIVE = -0.6;

export interface Reader {
  readonly language: LanguageFile;
  /** Whether an opinion or a cue has a word. */
  readonly knows: (word: string) => boolean;
  readonly annotate: (segmented: SegmentedText) => AnnotatedText;
  /** The hits of cues, in the order of the text. */
  readonly findAspects: (
    annotated: AnnotatedText,
    cues: { readonly cues: PatternSet<Cue> },
  ) => AspectHit[];
}

export function buildReader(language: LanguageFile): Reader {
  const { opinions, cues, lists } = language;
  const judging = cues.flatMap(({ kind, pattern }) => {
    if (kind !== 'positive' && kind !== 'negative') return [];
    return [[pattern, kind === 'positive' ? CUE_VALUE : -CUE_VALUE] as const];
  });
  // "nimmt sich nie Zeit" is not "nimmt _ _ Zeit".
  const values = new PatternSet<number>([...opinions, ...judging], lists.negators);
  const isAboutOthers = othersIn(language.others);
  const { keysOf, knows } = buildKeys(language, [
    ...opinions.map(([pattern]) => pattern),
    ...cues.map(({ pattern }) => pattern),
    ...language.topics.map(([pattern]) => pattern),
    ...language.others,
  ]);

  const annotate = (segmented: SegmentedText): AnnotatedText => {
    const { tokens } = segmented;
    const keys = keysOf(segmented);
    const found = findValues(segmented, keys, values);
    const judged = new Uint8Array(keys.words.length);
    for (const { from, to } of found) judged.fill(1, from, to);
    const clauses = findClauses(language, segmented, keys, judged);
    const clauseOf = new Int32Array(tokens.length);
    clauses.forEach(({ from, to }, index) => clauseOf.fill(index, from, to));
    const ownOpinions = found.map(({ from, to, value }): Opinion => {
      const token = keys.tokenOf[from] as number;
      const clause = clauseOf[token] as number;
      const span = { from, to, clause: clauses[clause] as Clause, judged };
      const factor = value > 0 ? NEGATED_POSITIVE : NEGATED_NEGATIVE;
      return {
        from: token,
        to: (keys.tokenOf[to - 1] as number) + 1,
        clause,
        value: isNegated(language, keys, span) ? value * factor : value,
      };
    });
    return { ...segmented, keys, clauses, opinions: ownOpinions, clauseOf };
  };

  const findAspects: Reader['findAspects'] = (annotated, cueSet) => {
    const { keys, clauses, clauseOf } = annotated;
    const judged = new Uint8Array(keys.words.length);
    for (const { from, to } of annotated.opinions) {
      judged.fill(1, keys.firstOf[from], keys.firstOf[to]);
    }
    const turns = clauses.filter(({ link }) => link === 'contrast');
    const turning = new Set(turns.flatMap(({ sentence }) => [sentence - 1, sentence]));
    return findCues(annotated, cueSet).flatMap((match) => {
      const from = keys.tokenOf[match.from] as number;
      const to = (keys.tokenOf[match.to - 1] as number) + 1;
      const clause = clauses[clauseOf[from] as number] as Clause;
      if (clause.mood === 'condition' || isAboutOthers(annotated, clause, match.from)) return [];
      const { aspect, kind } = match.value;
      const hit = { aspect, from, to, turns: turning.has(clause.sentence) };
      if (kind === 'weak') {
        const score = opinionAbout(annotated, from, to);
        return score === null || (clause.mood === 'wish' && score > 0) ? [] : [{ ...hit, score }];
      }
      const sign = kind === 'positive' ? 1 : -1;
      if (clause.mood !== 'statement' && sign > 0) return [];
      // "90 Minuten gewartet, dann nicht": what follows a complaint does not take it back.
      const span = { ...match, clause: sign > 0 ? clause : { ...clause, to }, judged };
      return [{ ...hit, score: isNegated(language, keys, span) ? -sign : sign }];
    });
  };
  return { language, knows, annotate, findAspects };
}

/** The longest opinions, which do not overlap, in the order of the text. */
function findValues(
  { sentences }: SegmentedText,
  keys: Keys,
  values: PatternSet<number>,
): Match<number>[] {
  const found: Match<number>[] = [];
  for (const sentence of sentences) {
    const end = keys.firstOf[sentence.to] as number;
    let at = keys.firstOf[sentence.from] as number;
    while (at < end) {
      const [best] = values.matchesAt(keys, at, end).toSorted((a, b) => b.to - a.to);
      if (best) found.push(best);
      at = best?.to ?? at + 1;
    }
  }
  return found;
}
