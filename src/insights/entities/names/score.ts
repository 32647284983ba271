// Scores how likely a name means a person of the business, by the words around it and by how likely the
// word is a name at all.

import { FUNCTION_WORDS } from '../../text/grammar.ts';
import { LEXICON } from '../../sentiment/lexicon.ts';
import type { SegmentedText, Token } from '../../text/text.ts';
import type { Person } from './people.ts';
import type { Surroundings } from './surroundings.ts';
import { CUES } from './word-lists.ts';

/** The scores of contexts, 0 to 1. */
export const NAME_SCORE = {
  /** "our tech, Mike", "a man named Mike". */
  introduced: 1,
  /** "ask for Mike", "thanks to Mike", "Mike from the office". */
  requested: 0.9,
  /** "Mike fixed it", "helped by Mike". */
  acting: 0.85,
  /** A bare name, or a sentence that does not say what the person did. */
  bare: 0.45,
  /** Counts only if other reviews confirm the name. */
  faint: 0.3,
} as const;

/** The least score that confirms a name without other reviews. */
export const CLEAR = 0.8;

/** The score of a given name, by its context or else by its position in the sentence. */
export function knownNameScore(
  score: number,
  person: Person,
  around: Surroundings,
  text: SegmentedText,
): number {
  if (score >= CLEAR || !person.isCapital || person.kind === null) return score;
  const hasPronoun = hasPronounAfter(text, person);
  if (person.kind === 'title') {
    const isSir = /^(?:mr|mrs|ms|dr)$/.test(around.left(1));
    return isSir && !around.closesText ? CLEAR : Math.max(score, NAME_SCORE.faint);
  }
  if (person.kind === 'word') {
    // "He" may follow "a bill" or "will" without meaning them.
    const isPerson = hasPronoun && !/^(?:bill|will)$/.test(person.given ?? '');
    if (score > 0) return isPerson && score >= NAME_SCORE.bare ? CLEAR : score;
    return around.opensSentence ? 0 : NAME_SCORE.faint;
  }
  const before = around.left(1);
  // A signature without punctuation before it.
  if (around.closesText && !around.opensSentence && score === 0) return NAME_SCORE.faint;
  if (hasPronoun) return CLEAR;
  if (/^(?:to|from|via|between)$/.test(before) || around.right(1) === 'to')
    return Math.max(score, NAME_SCORE.faint);
  const weak = Math.max(score, NAME_SCORE.bare);
  if (CUES.greetings.has(before)) return weak;
  return standsAsPerson(around) ? CLEAR : weak;
}

/** Whether the next word does not make the name part of something else ("Maya palace", "the Oscar season"). */
function standsAsPerson(around: Surroundings): boolean {
  const next = around.right(1);
  if (around.isPossessive) return false;
  return next === '' || around.gapRight !== 0 || FUNCTION_WORDS.has(next) || CUES.adverbs.has(next);
}

/** Whether "he" or "she" follows in the same or the next sentence. */
function hasPronounAfter(text: SegmentedText, person: Person): boolean {
  const end = text.sentences[person.sentence + 1]?.to ?? text.sentences[person.sentence]?.to ?? 0;
  for (let at = person.to; at < Math.min(end, person.to + 40); at += 1) {
    const { folded } = text.tokens[at] as Token;
    if (/^(?:he|she|his|her|him|he's|she's|he'd|she'd)$/.test(folded)) return true;
  }
  return false;
}

/** The score of a word that is in no list of names. It needs an introduction, a context that only a person
 * fits, or a "he" or "she" after it. */
export function unknownNameScore(
  left: number,
  right: number,
  person: Person,
  around: Surroundings,
  text: SegmentedText,
): number {
  const word = person.given ?? '';
  const isPlain = around.opensSentence && looksPlain(word) && person.family === null;
  if (Math.max(left, right) >= NAME_SCORE.introduced) return isPlain ? 0 : NAME_SCORE.requested;
  if (isPlain) return 0;
  const hasPronoun = hasPronounAfter(text, person);
  if (left >= NAME_SCORE.requested) {
    const before = [1, 2, 3].map((back) => around.left(back));
    const isAsked =
      before.includes('ask') ||
      before.some((one) => CUES.plainRequests.has(one) || CUES.requestStars.has(one));
    const isThanked = hasPronoun && before[0] !== 'for';
    return (isThanked || isAsked) && standsAsPerson(around) ? CLEAR : NAME_SCORE.faint;
  }
  const isSubject =
    !/^(?:from|at|of|by|with|in|on|for|to|than|like|my|our|the|is|was|and|or)$/.test(
      around.left(1),
    );
  if (left >= CLEAR && around.right(1) === 'who') return CLEAR;
  if (right < CLEAR || !isSubject) return Math.max(left, right) < CLEAR ? 0 : NAME_SCORE.faint;
  const verb = firstVerb(around);
  const isPraised = right >= NAME_SCORE.acting && /^(?:is|was)$/.test(verb);
  const isGifted = /^(?:has|had)$/.test(verb);
  const isActing = CUES.acts.has(verb) && !CUES.copulas.has(verb);
  if (hasPronoun && (isPraised || isGifted || isActing)) return CLEAR;
  return fitsOnlyPerson(around) ? CLEAR : NAME_SCORE.faint;
}

/** Whether a word at the beginning of a sentence looks like an ordinary word. */
function looksPlain(word: string): boolean {
  return (
    LEXICON.words.has(word) ||
    FUNCTION_WORDS.has(word) ||
    /(?:ly|ing|ed|ers?|tion|ments?|ness|ity|[^aeiou]s|es|ance|ence|age|ware|work|ist|or)$/.test(
      word,
    )
  );
}

/** "climbed", "was so patient": verbs and adjectives that fit no company or thing. */
function fitsOnlyPerson(around: Surroundings): boolean {
  const verb = firstVerb(around);
  if (CUES.humanActs.has(verb)) return true;
  if (!/^(?:is|was)$/.test(verb)) return false;
  return [2, 3, 4].some((on) => CUES.humanWords.has(around.right(on)));
}

function firstVerb(around: Surroundings): string {
  let at = 1;
  const isAdverb = (word: string) => word !== 'and' && CUES.adverbs.has(word);
  while (at < 5 && (isAdverb(around.right(at)) || /.ly$/.test(around.right(at)))) at += 1;
  return around.right(at);
}
