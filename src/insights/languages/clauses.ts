// Splits the sentences of another language than English into clauses: at punctuation, and before words that
// begin a contrast.

import { type Clause, HARD, type Mood } from '../text/clauses.ts';
import type { Keys } from '../text/keys.ts';
import { GAP, type SegmentedText, type Sentence, type Token } from '../text/text.ts';
import type { LanguageFile } from './language-file.ts';

const BREAK = HARD | GAP.comma;
/** The most first words of a clause among which a word of contrast makes the clause one. */
const CONTRAST_WITHIN = 4;

/** @param judged 1 for each key in an opinion: after one, a drifting contrast ("teuer aber gut") begins a clause */
export function findClauses(
  { lists }: LanguageFile,
  { tokens, sentences }: SegmentedText,
  keys: Keys,
  judged: Uint8Array,
): Clause[] {
  const first = (token: number) => keys.words[keys.firstOf[token] as number] as string;
  const linkOf = (from: number, to: number): Clause['link'] => {
    const end = Math.min(to, from + CONTRAST_WITHIN);
    for (let at = from; at < end; at += 1) {
      const word = first(at);
      if (lists.contrasts.has(word) || lists.driftingContrasts.has(word)) return 'contrast';
      if (lists.concessions.has(word)) return 'concession';
    }
    return null;
  };
  const moodOf = (from: number, to: number, { isQuestion }: Sentence): Mood => {
    const isCondition = (at: number) => at < to && lists.conditions.has(first(at));
    // "Aber wenn" is one, "auch wenn" is not.
    const opens = lists.conjunctions.has(first(from)) || linkOf(from, from + 1) === 'contrast';
    if (isCondition(from) || (opens && isCondition(from + 1))) return 'condition';
    if (isQuestion) return 'question';
    const isWish = tokens.slice(from, to).some((_, at) => lists.wishes.has(first(from + at)));
    return isWish ? 'wish' : 'statement';
  };
  const opens = ({ capital, gap }: Token) => capital === 'title' || (gap & GAP.hyphen) !== 0;
  return sentences.flatMap((sentence, index) => {
    const clauses: Clause[] = [];
    let from = sentence.from;
    let isJudged = false;
    const close = (to: number) => {
      const mood = moodOf(from, to, sentence);
      clauses.push({ from, to, sentence: index, mood, link: linkOf(from, to) });
      from = to;
      isJudged = false;
    };
    for (let at = from; at < sentence.to; at += 1) {
      const word = first(at);
      const begins =
        ((tokens[at]?.gap ?? 0) & BREAK) !== 0 ||
        lists.contrasts.has(word) ||
        lists.concessions.has(word) ||
        (opens(tokens[at] as Token) && lists.openers.has(word)) ||
        (isJudged && lists.driftingContrasts.has(word));
      if (at > from && begins) close(at);
      isJudged ||= judged[keys.firstOf[at] as number] === 1;
    }
    close(sentence.to);
    return clauses;
  });
}
