// Splits sentences into clauses by conjunctions and punctuation. The split is approximate: an error only
// changes the distance between a thing and an opinion on it.

import { CONCESSIONS, CONDITIONS, CONJUNCTIONS, CONTRASTS, FINITE, SUBJECTS } from './grammar.ts';

import { GAP, type SegmentedText, type Sentence, type Token } from './text.ts';

/** How a clause relates to what happened. */
export type Mood =
  | 'statement'
  | 'question'
  /** "if they had come", "would be better if": did not happen. */
  | 'condition'
  /** "please fix", "they should": the thing wished for is missing. */
  | 'wish';

/** A part of a sentence that makes one statement: a range of tokens [from, to). */
export interface Clause {
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  readonly mood: Mood;
  /** "but" and the like: contrast with the clause before; "although" and the like: concession;
   * null for any other link. */
  readonly link: 'contrast' | 'concession' | null;
}

/** Gaps that end a clause in any language. */
export const HARD =
  GAP.stop |
  GAP.exclamation |
  GAP.question |
  GAP.colon |
  GAP.dash |
  GAP.ellipsis |
  GAP.line |
  GAP.bracket;
/** The most tokens from a subject to its verb, both included, if the subject begins a clause. */
const VERB_WITHIN = 6;

export function findClauses({ tokens, sentences }: SegmentedText): Clause[] {
  return sentences.flatMap((sentence, index) => clausesOf(tokens, sentence, index));
}

function clausesOf(tokens: readonly Token[], sentence: Sentence, index: number): Clause[] {
  const clauses: Clause[] = [];
  let from = sentence.from;
  let hasVerb = false;
  const close = (to: number) => {
    clauses.push({
      from,
      to,
      sentence: index,
      mood: moodOf(tokens, from, to, sentence.isQuestion),
      link: linkOf(tokens, from, to),
    });
    from = to;
    hasVerb = false;
  };
  for (let at = sentence.from; at < sentence.to; at += 1) {
    if (at > from && beginsClause(tokens, at, sentence.to, hasVerb)) close(at);
    hasVerb ||= isFinite(tokens[at] as Token);
  }
  close(sentence.to);
  return clauses;
}

function beginsClause(
  tokens: readonly Token[],
  at: number,
  end: number,
  hasVerb: boolean,
): boolean {
  const { bare, gap } = tokens[at] as Token;
  if ((gap & HARD) !== 0) return true;
  const isLast = at === end - 1;
  if (CONTRASTS.has(bare)) return !isLast && (bare !== 'yet' || (gap & GAP.comma) !== 0);
  if (CONCESSIONS.has(bare)) return !isLast && (bare !== 'while' || hasVerb);
  if (CONDITIONS.has(bare)) return hasVerb;
  if (CONJUNCTIONS.has(bare)) {
    const next = tokens[at + 1];
    if (!hasVerb || !next) return false;
    return bare === 'which' || bare === 'because' || beginsSubject(tokens, at + 1, end);
  }
  return (gap & GAP.comma) !== 0 && hasVerb && beginsSubject(tokens, at, end);
}

/** Whether a subject and its verb begin at a token. */
function beginsSubject(tokens: readonly Token[], at: number, end: number): boolean {
  const first = tokens[at];
  if (!first || at >= end) return false;
  if (/^(?:i|we|they|he|she|it|you|there)(?:'|$)/.test(first.folded)) return true;
  if (!SUBJECTS.has(first.bare) && first.capital !== 'title') return false;
  for (let next = at + 1; next < Math.min(end, at + VERB_WITHIN); next += 1) {
    if (isFinite(tokens[next] as Token)) return true;
  }
  return false;
}

function isFinite({ folded }: Token): boolean {
  return FINITE.has(folded) || /(?:ed|n't|'re|'ll|'ve|'d|'m)$/.test(folded);
}

function moodOf(tokens: readonly Token[], from: number, to: number, isQuestion: boolean): Mood {
  const words = [tokens[from]?.bare, tokens[Math.min(from + 1, to - 1)]?.bare];
  if (words.some((word) => word !== undefined && CONDITIONS.has(word))) return 'condition';
  if (words.includes('please') || words.includes('wish') || words.includes('hopefully'))
    return 'wish';
  return isQuestion ? 'question' : 'statement';
}

function linkOf(tokens: readonly Token[], from: number, to: number): Clause['link'] {
  for (const at of [from, Math.min(from + 1, to - 1)]) {
    const word = tokens[at]?.bare ?? '';
    if (CONTRASTS.has(word)) return 'contrast';
    if (CONCESSIONS.has(word)) return 'concession';
  }
  return null;
}
