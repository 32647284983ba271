// How surely a person of the business is meant, from what the words around a name say and from how
// surely the word is a name at all.

import { FUNCTION_WORDS } from '../../text/grammar.ts';
import { LEXICON } from '../../sentiment/lexicon.ts';
import type { SegmentedText, Token } from '../../text/text.ts';
import type { Person } from './people.ts';
import type { Surroundings } from './surroundings.ts';
import { CUES } from './word-lists.ts';

/** How surely the context speaks of a person of the business. */
export const NAME_SCORE = {
  /** "our tech, Mike", "a man named Mike". */
  introduced: 1,
  /** "ask for Mike", "thanks to Mike", "Mike from the office". */
  requested: 0.9,
  /** "Mike fixed it", "helped by Mike". */
  acting: 0.85,
  /** A name by itself, or in a sentence that does not say what the person has to do with it. */
  bare: 0.45,
  /** So little that it only counts where other reviews know the name. */
  faint: 0.3,
} as const;

/** A context that is clear enough for a word that may be a name. */
export const CLEAR = 0.8;

/** A given name: what the context says, and without any the way it stands in the sentence. */
export function knownNameScore(
  score: number,
  person: Person,
  around: Surroundings,
  text: SegmentedText,
): number {
  if (score >= CLEAR || !person.isCapital || person.kind === null) return score;
  const isSpoken = isSpokenOf(text, person);
  if (person.kind === 'title') {
    const isSir = /^(?:mr|mrs|ms|dr)$/.test(around.left(1));
    return isSir && !around.closesText ? CLEAR : Math.max(score, NAME_SCORE.faint);
  }
  if (person.kind === 'word') {
    // A bill and "will" are spoken of before "he" comes up, people are as well.
    const isPerson = isSpoken && !/^(?:bill|will)$/.test(person.given ?? '');
    if (score > 0) return isPerson && score >= NAME_SCORE.bare ? CLEAR : score;
    return around.opensSentence ? 0 : NAME_SCORE.faint;
  }
  const before = around.left(1);
  // "from Sofia", "Milan to London", and a signature that nothing sets apart.
  if (around.closesText && !around.opensSentence && score === 0) return NAME_SCORE.faint;
  if (isSpoken) return CLEAR;
  if (/^(?:to|from|via|between)$/.test(before) || around.right(1) === 'to')
    return Math.max(score, NAME_SCORE.faint);
  const weak = Math.max(score, NAME_SCORE.bare);
  if (CUES.greetings.has(before)) return weak;
  return standsAsPerson(around) ? CLEAR : weak;
}

/** A name that is not the first word of something else: "Maya palace", "the Oscar season". */
function standsAsPerson(around: Surroundings): boolean {
  const next = around.right(1);
  if (around.isPossessive) return false;
  return next === '' || around.gapRight !== 0 || FUNCTION_WORDS.has(next) || CUES.adverbs.has(next);
}

/** Whether "he" or "she" comes up in the same sentence behind, or in the next. */
function isSpokenOf(text: SegmentedText, person: Person): boolean {
  const end = text.sentences[person.sentence + 1]?.to ?? text.sentences[person.sentence]?.to ?? 0;
  for (let at = person.to; at < Math.min(end, person.to + 40); at += 1) {
    const { folded } = text.tokens[at] as Token;
    if (/^(?:he|she|his|her|him|he's|she's|he'd|she'd)$/.test(folded)) return true;
  }
  return false;
}

/** A word that is in no list of names: it needs to be told to be one, or a context that only a person
 * fits, or "he" and "she" to go on with. */
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
  const isSpoken = isSpokenOf(text, person);
  if (left >= NAME_SCORE.requested) {
    const before = [1, 2, 3].map((back) => around.left(back));
    const isAsked =
      before.includes('ask') ||
      before.some((one) => CUES.plainRequests.has(one) || CUES.requestStars.has(one));
    const isThanked = isSpoken && before[0] !== 'for';
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
  if (isSpoken && (isPraised || isGifted || isActing)) return CLEAR;
  return fitsOnlyPerson(around) ? CLEAR : NAME_SCORE.faint;
}

/** Endings of words that begin a sentence and are no names. */
function looksPlain(word: string): boolean {
  return (
    LEXICON.words.has(word) ||
    FUNCTION_WORDS.has(word) ||
    /(?:ly|ing|ed|ers?|tion|ments?|ness|ity|[^aeiou]s|es|ance|ence|age|ware|work|ist|or)$/.test(
      word,
    )
  );
}

/** "climbed", "was so patient": firms and things do not. */
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
