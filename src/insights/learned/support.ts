// Decides whether a clause supports what the learned model alone found in it: by an opinion with the same
// sentiment, by a fact, or because the stars agree.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { CLASSES, NEGATORS } from '../text/pattern-language.ts';
import { firstOpinion } from '../sentiment/attribution.ts';

const isNumber = CLASSES.get('#') as (word: string) => boolean;
const UNIT = /^(?:minute|min|hour|hr|day|week|month|year|fortnight)s?$/;
/** Words of repeated, late, and missing events. */
const COMPLAINT_WORDS: ReadonlySet<string> = new Set(
  'again twice still yet another repeatedly second third fourth only just instead after until till'.split(
    ' ',
  ),
);
const LINKS = /^(?:and|so|but|which|that|then|because|when|as)$/;
/** Words of early, regular, and thorough events. */
const PRAISE_WORDS: ReadonlySet<string> = new Set(
  'within under same already even every each all always first straight before'.split(' '),
);

/** Whether the clause, or else the stars, agree with praise (or with a complaint). */
export function isSupported(
  annotated: AnnotatedText,
  clause: Clause,
  isPraise: boolean,
  rating: number | null,
): boolean {
  const { same, opposite } = opinionsIn(annotated, clause, isPraise);
  if (same !== opposite) return same > opposite;
  if (isPraise && same === 0 && isOfAuthor(annotated, clause)) return false;
  if (statesFact(annotated, clause, isPraise)) return true;
  if (rating === null) return false;
  return isPraise ? rating >= 4 : rating <= 2;
}

function opinionsIn({ opinions }: AnnotatedText, { from, to }: Clause, isPraise: boolean) {
  let same = 0;
  let opposite = 0;
  for (let index = firstOpinion(opinions, from); index < opinions.length; index += 1) {
    const { from: start, value } = opinions[index] as (typeof opinions)[number];
    if (start >= to) break;
    if (value > 0 === isPraise) same += Math.abs(value);
    else opposite += Math.abs(value);
  }
  return { same, opposite };
}

/** Whether a clause tells what the author did: "I called five places", "so I didn't need to". */
function isOfAuthor({ keys }: AnnotatedText, { from, to }: Clause): boolean {
  let at = keys.firstOf[from] as number;
  const end = keys.firstOf[to] as number;
  while (at < end && LINKS.test(keys.words[at] as string)) at += 1;
  return /^(?:i|we)$/.test(keys.words[at] ?? '');
}

/** Whether a clause has an amount, a number, a duration, a negation, or a word that tells of repetition or time. */
function statesFact({ keys }: AnnotatedText, { from, to }: Clause, isPraise: boolean): boolean {
  const telling = isPraise ? PRAISE_WORDS : COMPLAINT_WORDS;
  const end = keys.firstOf[to] as number;
  for (let at = keys.firstOf[from] as number; at < end; at += 1) {
    const word = keys.words[at] as string;
    if (NEGATORS.has(word) || telling.has(word) || /^\$?\d/.test(word)) return true;
    const isDuration = (isNumber(word) || word === 'a' || word === 'an') && at + 1 < end;
    if (isDuration && UNIT.test(keys.words[at + 1] as string)) return true;
  }
  return false;
}
