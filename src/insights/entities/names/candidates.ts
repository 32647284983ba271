// Finds words that may name a person: given names, names after a title, and unknown words with a capital. It is generous:
// the model (features.ts, model.ts) judges who works for the business.

import { GAP, type SegmentedText, type Sentence, type Token } from '../../text/text.ts';
import { CUES, type GivenName, givenNameOf, isCommonWord, isOrdinaryWord } from './word-lists.ts';

/** A range of tokens [from, to) that may name a person. */
export interface Person {
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
  /** Folded; null after a title, which the family name follows: "Mr. Alvarez". */
  readonly given: string | null;
  /** Folded; an initial is one letter. */
  readonly family: string | null;
  /** How likely the word is a name; null for a word outside the lists. */
  readonly kind: GivenName | 'title' | null;
  /** For display: as written, without title and possessive, with capitals. */
  readonly name: string;
}

/** "shouted": in capitals; "titled": Each Word Has One. There a capital is not significant. */
type Style = 'plain' | 'shouted' | 'titled';

/** Recognises given names, and with a capital also misspelt ones. */
export type KindOf = (word: string, isCapital: boolean) => GivenName | null;

const LETTERS = /^[\p{L}'\u2019-]+$/u;
/** "They've", "Don't". */
const CONTRACTED = /'(?:ve|re|ll|d|m|t|em)$/;
/** The most letters of a name. */
const LONGEST = 20;

/** A title, a given name and a family name. */
const TITLED_WORDS = 3;

export function findPeople(text: SegmentedText, kindOf: KindOf = givenNameOf): Person[] {
  return text.sentences.flatMap((sentence, index) => {
    const style = styleOf(text.tokens, sentence);
    const people: Person[] = [];
    for (let at = sentence.from; at < sentence.to; at += 1) {
      const person = personAt(text, at, sentence, index, style, kindOf);
      if (!person) continue;
      people.push(person);
      at = person.to - 1;
    }
    return people;
  });
}

function styleOf(tokens: readonly Token[], { from, to }: Sentence): Style {
  let [words, upper, title, named] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const { kind, capital, bare } = tokens[at] as Token;
    if (CUES.titles.has(bare)) named = TITLED_WORDS;
    // The capitals of "Dr Liam Walsh" are no style.
    const isNamed = named > 0 && capital === 'title';
    named -= 1;
    if (kind !== 'word' || isNamed) continue;
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
  const { tokens } = text;
  const token = tokens[at] as Token;
  if (token.kind !== 'word' || token.bare.length > LONGEST) return null;
  const initials = initialsAt(text, at, sentence, index);
  if (initials) return initials;
  if (token.bare.length < 2) return null;
  const before = at > sentence.from ? tokens[at - 1] : undefined;
  const isClose = before !== undefined && (token.gap & ~GAP.stop) === 0;
  const hasTitle = isClose && CUES.titles.has(before.bare);
  const isInitials = token.capital === 'upper' && token.bare.length === 2;
  const isCapital =
    style === 'plain' &&
    (isInitials || isWrittenAsName(text.text, token) || hasNoCase(text.text, token));
  // "MIA" among small letters is an airport, "CJ" is not.
  const isAcronym = style !== 'shouted' && token.capital === 'upper' && token.bare.length < 5;
  const kind = isAcronym && !isInitials ? null : kindOf(token.bare, isCapital);
  if (kind === null && !(isCapital && (hasTitle ? !isContracted(token) : mayBeName(token))))
    return null;
  const isNamed = before !== undefined && CUES.named.has(before.bare);
  // A word that is also a name needs a capital, or an introduction.
  if (kind === 'word' && !isCapital && !isNamed) return null;
  const second = at + 1 < sentence.to ? tokens[at + 1] : undefined;
  // "Send Cornelius": the known name is the name.
  if (kind === null && second?.capital === 'title' && kindOf(second.bare, false) !== null)
    return null;
  const isDouble = second?.gap === GAP.hyphen && isWrittenAsName(text.text, second);
  const end = isDouble ? at + 2 : at + 1;
  const given = isDouble ? `${token.bare}-${second.bare}` : token.bare;
  const next = end < sentence.to ? (tokens[end] as Token) : undefined;
  const isOwner = (tokens[end - 1] as Token).folded !== (tokens[end - 1] as Token).bare;
  const family = next && !isOwner && isCapital && isFamily(text.text, next) ? next.bare : null;
  const to = family === null ? end : end + 1;
  // "Big Mike" and "Little Mike" are two people.
  const isBig =
    isClose &&
    (before.capital === 'title' || token.capital === 'lower') &&
    /^(?:big|little|lil)$/.test(before.bare);
  const isFamilyOnly = hasTitle && family === null;
  return {
    from: isBig ? at - 1 : at,
    to,
    sentence: index,
    given: isFamilyOnly ? null : given,
    family: isFamilyOnly ? given : family,
    kind: hasTitle ? 'title' : kind,
    name: nameOf(text, isBig ? at - 1 : at, to),
  };
}

/** "J.R.", which stands for a given name. */
function initialsAt(
  { text, tokens }: SegmentedText,
  at: number,
  sentence: Sentence,
  index: number,
): Person | null {
  const [first, second] = [tokens[at] as Token, tokens[at + 1]];
  if (first.bare.length !== 1 || second?.bare.length !== 1 || second.gap !== GAP.stop) return null;
  const given = first.bare + second.bare;
  if (at + 2 > sentence.to || second.capital !== 'title' || givenNameOf(given) === null)
    return null;
  const end = text.charAt(second.end) === '.' ? second.end + 1 : second.end;
  const name = text.slice(first.start, end);
  return { from: at, to: at + 2, sentence: index, given, family: null, kind: 'name', name };
}

/** "iPhone" is not written as a name, "DeShawn" is. */
function isWrittenAsName(text: string, { capital, start }: Token): boolean {
  return capital === 'title' || (capital === 'mixed' && /^\p{Lu}/u.test(text.slice(start)));
}

/** In a script without capitals every word is written as a name. */
function hasNoCase(text: string, { capital, start, end }: Token): boolean {
  return capital === 'none' && /^\p{Lo}/u.test(text.slice(start, Math.min(end, start + 2)));
}

function isContracted({ folded }: Token): boolean {
  return CONTRACTED.test(folded);
}

function mayBeName(token: Token): boolean {
  const { bare } = token;
  return bare.length > 2 && LETTERS.test(bare) && !isOrdinaryWord(bare) && !isContracted(token);
}

function isFamily(text: string, token: Token): boolean {
  if (token.gap !== 0 || token.kind !== 'word' || !isWrittenAsName(text, token)) return false;
  const { bare } = token;
  if (bare.length === 1) return bare !== 'i';
  const isOther = [CUES.places, CUES.firms, CUES.roles].some((words) => words.has(bare));
  return bare.length <= LONGEST && LETTERS.test(bare) && !isCommonWord(bare) && !isOther;
}

/** The name as written, with exactly one capital per word. */
function nameOf(text: SegmentedText, from: number, to: number): string {
  let name = '';
  for (let at = from; at < to; at += 1) {
    const { start, end, folded, bare, capital, gap } = text.tokens[at] as Token;
    const length = folded === bare ? end - start : end - start - 2;
    const written = text.text.slice(start, start + length);
    const word =
      capital === 'mixed' || capital === 'title' || bare.length === 2
        ? written
        : written.charAt(0).toUpperCase() + written.slice(1).toLowerCase();
    const isInitial = at === to - 1 && at > from && bare.length === 1;
    const stop = isInitial && text.text.charAt(end) === '.' ? '.' : '';
    name += at === from ? word : `${gap === GAP.hyphen ? '-' : ' '}${word}${stop}`;
  }
  return name;
}
