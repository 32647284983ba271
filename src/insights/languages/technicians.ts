// Finds technicians of the catalogue in reviews of other languages than English: only by a name or alias
// exactly as the catalogue has it, by a first name that only one has, or by a part of the name behind a title, because
// nothing else of the text tells who is meant.

import type { CatalogueEntry } from '../entities/entities.ts';
import { type FoundMention, mergeMentions } from '../entities/merging.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { excerptOf } from '../text/excerpt.ts';
import { CUES } from '../entities/names/word-lists.ts';
import { wordsOf } from '../entities/names/roster.ts';
import { buildTermFinder, type TermMatch } from '../text/terms.ts';
import type { Sentiment } from '../../model/insights.ts';
import type { LanguageFile } from './language-file.ts';
import { opinionAbout } from './judge.ts';

export type NamedFinder = (
  annotated: AnnotatedText,
  language: LanguageFile,
  rating: number,
) => FoundMention[];

export function buildNamedFinder(technicians: readonly CatalogueEntry[]): NamedFinder {
  const partsOf = ({ name }: CatalogueEntry) => wordsOf(name);
  const isOnly = (one: CatalogueEntry) =>
    technicians.every((other) => other === one || !partsOf(other).includes(partsOf(one)[0] ?? ''));
  const finderOf = (namesOf: (one: CatalogueEntry) => readonly string[]) =>
    buildTermFinder(
      technicians.map((one) => ({ id: one.id, names: namesOf(one) })),
      { isName: true },
    );
  const find = finderOf((one) => [...one.names, ...partsOf(one).slice(0, isOnly(one) ? 1 : 0)]);
  const findParts = finderOf((one) => [partsOf(one).join(' '), ...partsOf(one)]);
  return (annotated, { lists, spell }, rating) => {
    const isTitled = ({ from, to }: TermMatch) => {
      const before = spell(annotated.tokens[from - 1]?.bare ?? '');
      return to > from + 1 || lists.titles.has(before) || CUES.titles.has(before);
    };
    const found = [...find(annotated), ...findParts(annotated).filter(isTitled)];
    // "Mark" and "Art" are German words as well.
    const isWord = ({ from, to }: TermMatch) =>
      to === from + 1 && lists.notNames.has(spell(annotated.tokens[from]!.bare));
    return mentionsOf(
      annotated,
      found.filter((one) => !isWord(one)),
      rating,
    );
  };
}

/** What a review in another language than English says of people or services. */
export function mentionsOf(
  annotated: AnnotatedText,
  matches: readonly TermMatch[],
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
