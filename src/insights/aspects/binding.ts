// Tells which noun an opinion is about: "efficient boarding" praises the boarding and not the wine that is
// offered after it, "the service was slow" blames the service and not the lounge in which it was.

import type { Opinion } from '../sentiment/opinions.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import {
  COPULAS,
  DIMINISHERS,
  FINITE,
  FUNCTION_WORDS,
  INTENSIFIERS,
  setOf,
} from '../text/grammar.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import { GAP, type Token } from '../text/text.ts';

/** How many words a noun phrase has at most. */
const NOUN_WORDS = 3;
/** How many words behind an adjective the nouns of a list are looked for. */
const LIST_WORDS = 8;
/** How many words before an adjective its copula is looked for, and before that its subject. */
const COPULA_WITHIN = 4;
const SUBJECT_WITHIN = 12;
/** How many words behind a subject its verb is looked for. */
const VERB_WITHIN = 5;

/** Nouns without a sense of their own: "a good job" praises whoever did it. */
const GENERAL = setOf(`
  job jobs work effort efforts attitude attitudes experience time times way ways thing things standard
  standards quality level levels condition state value manner impression touch touches review reviews
  reputation people person man woman lady guy gentleman one ones side part parts bit point points example
  option options thanks job mood feeling atmosphere place all everything everyone`);
/** Words behind an adjective that are neither function words nor its noun. */
const NO_NOUNS = setOf('due getting being thanks compared considering including especially indeed');
const LINKS = setOf('of from by and & or');
const ARTICLES = setOf('the a an my our your their his her its this these those both all some any');
/** Behind one of these words a noun is no subject. */
const PREPOSITIONS = setOf(
  'on at in from for after before during to by about near behind into via than like upon onto per',
);
const PLACING = setOf(
  'on at in to off into onto aboard inside outside during before after behind under',
);
const PRONOUNS = setOf(
  'i we they he she it you this that these those there which who everyone everything nobody what',
);

/** Tokens [from, to). */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Words in which the noun of an adjective is. */
export interface Nouns extends Range {
  /** Whether they stand before the verb. There a noun behind a preposition does not count. */
  readonly isSubject: boolean;
}

/** Whether an opinion is about another noun than that of the tokens [from, to). */
export function isAboutAnother(
  annotated: AnnotatedText,
  opinion: Opinion,
  from: number,
  to: number,
): boolean {
  if (opinion.from < to && opinion.to > from) return false;
  if (isPlace(annotated, from)) {
    const own = nounsOf(annotated, opinion);
    return !own.some((nouns) => !nouns.isSubject && isIn(annotated, nouns, from, to));
  }
  if (opinion.part !== 'adjective' && opinion.part !== 'word') return false;
  const nouns = nounsOf(annotated, opinion);
  return nouns.length > 0 && !nouns.some((range) => isIn(annotated, range, from, to));
}

/**
 * The nouns that an adjective at the tokens [from, to) is about: those behind it, and the subject of its copula.
 * None if that is a pronoun, or a general noun ("a great job").
 */
export function nounsOf(annotated: AnnotatedText, adjective: Range): Nouns[] {
  const { clauses, clauseOf, tokens } = annotated;
  const clause = clauses[clauseOf[adjective.from] as number] as Clause;
  const { bare } = tokens[adjective.to - 1] as Token;
  const isAlone = bare.endsWith('ly') || FUNCTION_WORDS.has(bare);
  const end = isAlone ? adjective.to : endOfNouns(annotated, adjective.to, clause.to);
  const subject = subjectOf(annotated, adjective, clause);
  const nouns = subject === null ? [] : [{ ...subject, isSubject: true }];
  if (end === adjective.to) return nouns;
  if (GENERAL.has((tokens[end - 1] as Token).bare)) return [];
  const to = endOfList(annotated, end, clause.to);
  return [...nouns, { from: adjective.to, to, isSubject: false }];
}

/** Whether a noun at a token is where something happens: "on the plane", "at the lounge". */
function isPlace({ tokens, clauses, clauseOf }: AnnotatedText, at: number): boolean {
  const { from } = clauses[clauseOf[at] as number] as Clause;
  for (let back = at - 1; back >= Math.max(from, at - NOUN_WORDS); back -= 1) {
    const { bare } = tokens[back] as Token;
    if (PLACING.has(bare)) return true;
    if (FUNCTION_WORDS.has(bare) && !ARTICLES.has(bare)) return false;
  }
  return false;
}

/** Whether their clause tells something of the tokens [from, to): they begin it ("cost a bit") or are the subject
 * of its verb ("the seats would not recline"). */
export function isTold(annotated: AnnotatedText, from: number, to: number): boolean {
  const { clauses, clauseOf, tokens } = annotated;
  const clause = clauses[clauseOf[from] as number] as Clause;
  if (from === clause.from) return true;
  if (from - clause.from > NOUN_WORDS) return false;
  for (let at = clause.from; at < from; at += 1) {
    const { bare } = tokens[at] as Token;
    if (PREPOSITIONS.has(bare) || FINITE.has(bare) || PRONOUNS.has(bare)) return false;
  }
  for (let at = to; at < Math.min(clause.to, to + VERB_WITHIN); at += 1) {
    const { bare, folded, gap } = tokens[at] as Token;
    if ((gap & GAP.comma) !== 0) return false;
    if (FINITE.has(bare) || COPULAS.has(bare) || /(?:ed|n't)$/.test(folded)) return true;
  }
  return false;
}

/** Index of the token behind the nouns that begin at a token, the adjectives before them included; that token
 * if there are none. */
function endOfNouns({ tokens }: AnnotatedText, at: number, limit: number): number {
  let end = at;
  const most = Math.min(limit, at + NOUN_WORDS);
  while (end < most) {
    const { bare, gap, kind } = tokens[end] as Token;
    if (kind !== 'word' || (gap & ~(GAP.hyphen | GAP.quote)) !== 0) break;
    if (FUNCTION_WORDS.has(bare) || COPULAS.has(bare) || NO_NOUNS.has(bare)) break;
    end += 1;
  }
  return end;
}

/** Index of the token behind a list of nouns ("food and drinks", "selection of films"). */
function endOfList(annotated: AnnotatedText, from: number, limit: number): number {
  const { tokens } = annotated;
  const most = Math.min(limit, from + LIST_WORDS);
  let end = from;
  for (let at = from; at < most; at += 1) {
    const { bare, gap } = tokens[at] as Token;
    if ((gap & ~(GAP.hyphen | GAP.quote)) !== 0) break;
    if (!LINKS.has(bare) && !ARTICLES.has(bare)) {
      const next = endOfNouns(annotated, at, most);
      if (next === at) break;
      end = next;
      at = next - 1;
    }
  }
  return end;
}

/** The words before the copula of a predicate ("the crew was slow"); null without one, or if a pronoun stands
 * there. */
function subjectOf({ tokens }: AnnotatedText, adjective: Range, clause: Clause): Range | null {
  const to = copulaBefore(tokens, adjective.from, clause.from);
  if (to === null) return null;
  let from = Math.max(clause.from, to - SUBJECT_WITHIN);
  // After another verb a subject of its own begins: "the plane was new so the food was good".
  for (let at = to - 1; at > from; at -= 1) {
    const { bare } = tokens[at] as Token;
    if (COPULAS.has(bare) || FINITE.has(bare)) from = at + 1;
  }
  const last = tokens[to - 1];
  if (to === from || last === undefined || PRONOUNS.has(last.bare)) return null;
  return { from, to };
}

/** Whether the tokens [from, to) are the noun, or one of the nouns. */
export function isIn({ tokens }: AnnotatedText, nouns: Nouns, from: number, to: number): boolean {
  if (to <= nouns.from || from >= nouns.to) return false;
  return !nouns.isSubject || !isBehindPreposition(tokens, from, nouns.from);
}

/** Index of the copula before a predicate. */
function copulaBefore(tokens: readonly Token[], at: number, from: number): number | null {
  for (let back = at - 1; back >= Math.max(from, at - COPULA_WITHIN); back -= 1) {
    const { bare } = tokens[back] as Token;
    if (COPULAS.has(bare)) return back;
    if (ARTICLES.has(bare) || bare === 'and' || INTENSIFIERS.has(bare)) continue;
    if (DIMINISHERS.has(bare) || NEGATORS.has(bare) || bare.endsWith('ly')) continue;
    if (/^(?:not|quite|also|just|pretty|such|always|more|most|only|too|as|all)$/.test(bare))
      continue;
    return null;
  }
  return null;
}

/** Whether a noun at a token belongs to a preposition: "the queue at check-in". */
function isBehindPreposition(tokens: readonly Token[], at: number, from: number): boolean {
  for (let back = at - 1; back >= Math.max(from, at - NOUN_WORDS); back -= 1) {
    const { bare } = tokens[back] as Token;
    if (PREPOSITIONS.has(bare)) return true;
    if (FUNCTION_WORDS.has(bare) && !ARTICLES.has(bare)) return false;
  }
  return false;
}
