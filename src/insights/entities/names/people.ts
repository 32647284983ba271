// Finds words that may name a person: given names, names after a title, and unknown words with a capital.
// context.ts judges whether a person works for the business.

import { GAP, type SegmentedText, type Sentence, type Token } from '../../text/text.ts';
import {
  CUES,
  type GivenName,
  givenNameOf,
  isCommonWord,
  isCueWord,
  isVocabulary,
} from './word-lists.ts';

/** A range of tokens [from, to) that may name a person. */
export interface Person {
  readonly from: number;
  readonly to: number;
  /** Index of its sentence. */
  readonly sentence: number;
  /** Folded; null after a title, which the family name follows: "Mr. Alvarez". */
  readonly given: string | null;
  /** Folded; an initial is one letter. */
  readonly family: string | null;
  /** How likely the word is a name; null for a word outside the lists. */
  readonly kind: GivenName | 'title' | null;
  /** For display: as written, without title and possessive, with capitals. */
  readonly name: string;
  /** Whether it has a capital, in a sentence where capitals are significant. */
  readonly isCapital: boolean;
}

/** "shouted": in capitals; "titled": Each Word Has One. There a capital is not significant. */
type Style = 'plain' | 'shouted' | 'titled';

/** Recognises given names, and with a capital also misspelt ones. */
export type KindOf = (word: string, isCapital: boolean) => GivenName | null;

/** "They've", "Don't". */
const CONTRACTED = /'(?:ve|re|ll|d|m|t|em)$/;
const LETTERS = /^[\p{L}'\u2019-]+$/u;
/** The most letters of a name. */
const LONGEST = 20;

/**
 * The people that a text may name, in its order.
 *
 * @param isTaken which tokens name something else
 */
export function findPeople(
  text: SegmentedText,
  isTaken: (token: number) => boolean,
  kindOf: KindOf = givenNameOf,
): Person[] {
  return text.sentences.flatMap((sentence, index) => {
    const style = styleOf(text.tokens, sentence);
    const people: Person[] = [];
    for (let at = sentence.from; at < sentence.to; at += 1) {
      const person = isTaken(at) ? null : personAt(text, at, sentence, index, style, kindOf);
      if (!person) continue;
      people.push(person);
      at = person.to - 1;
    }
    return people;
  });
}

function styleOf(tokens: readonly Token[], { from, to }: Sentence): Style {
  let words = 0;
  let upper = 0;
  let title = 0;
  for (let at = from; at < to; at += 1) {
    const { kind, capital } = tokens[at] as Token;
    if (kind !== 'word') continue;
    words += 1;
    if (capital === 'upper') upper += 1;
    if (capital === 'title') title += 1;
  }
  if (words >= 2 && upper * 2 > words) return 'shouted';
  return words >= 5 && title * 10 > words * 6 ? 'titled' : 'plain';
}

function personAt(
  text: SegmentedText,
  at: number,
  sentence: Sentence,
  index: number,
  style: Style,
  kindOf: KindOf,
): Person | null {
  const token = text.tokens[at] as Token;
  if (token.kind !== 'word' || token.bare.length > LONGEST) return null;
  const initials = initialsAt(text, at, sentence, index);
  if (initials) return initials;
  if (token.bare.length < 2) return null;
  const before = at > sentence.from ? text.tokens[at - 1] : undefined;
  const hasTitle = before !== undefined && isTitle(before) && isCloseTo(token);
  const isCapital = isWrittenAsName(token, style) || hasNoCase(text.text, token);
  // "iPhone" is not a name, "DeShawn" is.
  if (token.capital === 'mixed' && /^\p{Ll}/u.test(text.text.slice(token.start, token.start + 2)))
    return null;
  const kind = isAcronym(token, style) ? null : kindOf(token.bare, isCapital);
  if (
    kind === null &&
    !(
      isCapital &&
      style === 'plain' &&
      ((hasTitle && !CONTRACTED.test(token.folded)) || mayBeUnknownName(token))
    )
  )
    return null;
  // A word that is also a name needs a capital, or an introduction.
  if (kind === 'word' && !isCapital && !isNamed(text.tokens, at, sentence.from)) return null;
  let to = at + 1;
  const next = to < sentence.to ? (text.tokens[to] as Token) : undefined;
  // "Send Cornelius": the known name is the name.
  if (kind === null && next?.capital === 'title' && kindOf(next.bare, false) !== null) return null;
  const second = to < sentence.to ? text.tokens[to] : undefined;
  let given = token.bare;
  if (second && second.gap === GAP.hyphen && isWrittenAsName(second, 'plain')) {
    given += `-${second.bare}`;
    to += 1;
  }
  const third = to < sentence.to ? text.tokens[to] : undefined;
  const family =
    third && !isPossessive(text.tokens[to - 1] as Token) && isFamily(third, isCapital, style)
      ? third.bare
      : null;
  if (family !== null) to += 1;
  // "Big Mike" and "Little Mike" are two people.
  const isBig =
    before !== undefined &&
    isCloseTo(token) &&
    (before.capital === 'title' || token.capital === 'lower') &&
    /^(?:big|little|lil)$/.test(before.bare);
  const from = isBig ? at - 1 : at;
  return {
    from,
    to,
    sentence: index,
    given: hasTitle && family === null ? null : given,
    family: hasTitle && family === null ? given : family,
    kind: hasTitle ? 'title' : kind,
    name: nameOf(text, from, to),
    isCapital,
  };
}

/** "J.R." and "TJ", which stand for a given name. */
function initialsAt(
  { text, tokens }: SegmentedText,
  at: number,
  sentence: Sentence,
  index: number,
): Person | null {
  const [first, second] = [tokens[at] as Token, tokens[at + 1]];
  if (first.capital === 'lower') return null;
  const isApart =
    first.bare.length === 1 && second?.capital === 'title' && second.bare.length === 1;
  const given = isApart ? first.bare + second.bare : first.bare;
  if (!CUES.initials.has(given) || (isApart && second.gap !== GAP.stop)) return null;
  const to = isApart ? at + 2 : at + 1;
  if (to > sentence.to) return null;
  const end = isApart ? second.end : first.start + given.length;
  return {
    from: at,
    to,
    sentence: index,
    given,
    family: null,
    kind: 'name',
    name: text.slice(first.start, text.charAt(end) === '.' && isApart ? end + 1 : end),
    isCapital: true,
  };
}

function isWrittenAsName({ capital }: Token, style: Style): boolean {
  return style === 'plain' && (capital === 'title' || capital === 'mixed');
}

/** In a script without capitals every word is written as a name. */
function hasNoCase(text: string, { capital, start, end }: Token): boolean {
  return capital === 'none' && /^\p{Lo}/u.test(text.slice(start, Math.min(end, start + 2)));
}

/** "MIA" among small letters is an airport. */
function isAcronym({ capital, bare }: Token, style: Style): boolean {
  if (CUES.initials.has(bare)) return false;
  return style !== 'shouted' && capital === 'upper' && bare.length < 5;
}

function mayBeUnknownName(token: Token): boolean {
  return (
    (token.capital === 'title' || token.capital === 'mixed') &&
    token.bare.length > 2 &&
    LETTERS.test(token.bare) &&
    !isCommonWord(token.bare) &&
    !isCueWord(token.bare) &&
    !CONTRACTED.test(token.bare) &&
    !isVocabulary(token.bare) &&
    !isCommonWord(token.folded)
  );
}

function isTitle({ bare }: Token): boolean {
  return CUES.titles.has(bare);
}

/** Whether at most the full stop of "Mr." stands before a token. */
function isCloseTo({ gap }: Token): boolean {
  return (gap & ~GAP.stop) === 0;
}

function isPossessive({ folded, bare }: Token): boolean {
  return folded !== bare;
}

/** "a guy named will", "his name was mark". */
function isNamed(tokens: readonly Token[], at: number, start: number): boolean {
  const word = (back: number) => (at - back >= start ? (tokens[at - back] as Token).bare : '');
  return CUES.named.has(word(1)) || (/^(?:is|was)$/.test(word(1)) && word(2) === 'name');
}

function isFamily(token: Token, isGivenCapital: boolean, style: Style): boolean {
  if (token.gap !== 0 || token.kind !== 'word' || !isGivenCapital || style !== 'plain')
    return false;
  if (token.capital !== 'title' && token.capital !== 'mixed') return false;
  const { bare } = token;
  if (bare.length === 1) return bare !== 'i';
  return (
    bare.length <= LONGEST &&
    LETTERS.test(bare) &&
    !isCommonWord(bare) &&
    !isCueWord(bare) &&
    !CUES.places.has(bare) &&
    !CUES.firms.has(bare)
  );
}

/** The name as written, with exactly one capital per word. */
function nameOf(text: SegmentedText, from: number, to: number): string {
  let name = '';
  for (let at = from; at < to; at += 1) {
    const { start, end, folded, bare, capital, gap } = text.tokens[at] as Token;
    const length = folded === bare ? end - start : end - start - 2;
    const written = text.text.slice(start, start + length);
    const word =
      capital === 'mixed' || capital === 'title'
        ? written
        : written.charAt(0).toUpperCase() + written.slice(1).toLowerCase();
    const isInitial = at === to - 1 && at > from && bare.length === 1;
    const stop = isInitial && text.text.charAt(end) === '.' ? '.' : '';
    name += at === from ? word : `${gap === GAP.hyphen ? '-' : ' '}${word}${stop}`;
  }
  return name;
}
