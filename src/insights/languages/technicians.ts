// Finds technicians of the catalogue in reviews of other languages than English: words with a capital that name one
// (roster.ts) as they do in English, and aliases of several words.

import { type FoundMention, mergeMentions } from '../entities/merging.ts';
import { isOfRelatives } from '../entities/names/relatives.ts';
import { buildRoster, type Technician } from '../entities/names/roster.ts';
import { CUES, givenNameOf, isOrdinaryWord, RELATIONS } from '../entities/names/word-lists.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { excerptOf } from '../text/excerpt.ts';
import { buildTermFinder, type TermMatch } from '../text/terms.ts';
import { GAP } from '../text/text.ts';
import type { Sentiment } from '../../model/insights.ts';
import { opinionAbout } from './judge.ts';
import type { Reader } from './reader.ts';

/** The least letters of a name that is not as the catalogue has it. */
const SHORTEST = 5;

type Place = Pick<TermMatch, 'id' | 'from' | 'to'>;

export function buildNamedFinder(technicians: readonly Technician[]) {
  const roster = buildRoster(technicians);
  const findWhole = buildTermFinder(
    technicians.map(({ id, name, aliases }) => ({ id, names: [name, ...aliases] })),
    { isName: true },
  );
  return (annotated: AnnotatedText, { knows, language }: Reader, rating: number) => {
    const { tokens, keys, sentences } = annotated;
    const starts = new Set(sentences.map(({ from }) => from));
    const { lists, spell } = language;
    const whole = findWhole(annotated).filter(({ from, to }) => to > from + 1);
    const isKnown = (word: string) =>
      knows(word) || RELATIONS.words.has(word) || isOrdinaryWord(word);
    const single = tokens.flatMap(({ bare, kind, capital, gap }, from): Place[] => {
      if (kind !== 'word' || capital === 'lower') return [];
      const before = tokens[from - 1]?.bare ?? '';
      const isTitled = lists.titles.has(spell(before)) || CUES.titles.has(before);
      const [given, family] = isTitled ? [null, bare] : [bare, null];
      const match = roster.match({ given, family, name: bare }, before);
      if (match === null || match === 'shared') return [];
      // "Mark" and "Art" are German words as well; "Claire" is a name inside a sentence, or in "Claire est".
      const word = spell(bare);
      const isInside =
        !starts.has(from) || lists.personWords.has(keys.words[keys.firstOf[from + 1]!]!);
      const isName =
        isInside &&
        match.by === 'name' &&
        capital === 'title' &&
        !RELATIONS.determiners.has(before);
      const isWord = lists.notNames.has(word) || (lists.wordNames.has(word) && !isName);
      if (isWord && !isTitled) return [];
      // "Der Schuster" is a word, and "Petra Lutz" is not Stefanie Lutz.
      const isAlone = !RELATIONS.determiners.has(before) && givenNameOf(before) === null;
      const isLikely = bare.length >= SHORTEST && isAlone && (gap & GAP.hyphen) === 0;
      const isSure = isTitled || match.by === 'name' || givenNameOf(bare) !== null;
      const isMeant = isSure || (!isKnown(bare) && (match.by === 'form' || isLikely));
      return isMeant ? [{ id: match.id, from, to: from + 1 }] : [];
    });
    const named = [...whole, ...single].filter((place) => !isOfRelatives(tokens, place));
    return mentionsOf(annotated, named, rating);
  };
}

/** What a review in another language than English says of people or services. */
export function mentionsOf(
  annotated: AnnotatedText,
  matches: readonly Place[],
  rating: number,
): FoundMention[] {
  const seen = matches.map(({ id, from, to }) => {
    const sentiment = sentimentOf(opinionAbout(annotated, from, to), rating);
    return { id, sentiment, ...excerptOf(annotated, from, to) };
  });
  return mergeMentions(seen, rating);
}

/** Praise in one or two stars, and blame in four or five, is not clear enough for a person. */
function sentimentOf(score: number | null, rating: number): Sentiment {
  if (score === null || (score > 0 ? rating <= 2 : rating >= 4)) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}
