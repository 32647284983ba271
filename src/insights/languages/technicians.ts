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
  const find = buildTermFinder(technicians, { isName: true });
  const partsOf = ({ id, name }: CatalogueEntry) => ({
    id,
    names: [wordsOf(name).join(' '), ...wordsOf(name)],
  });
  const firstOf = ({ name }: CatalogueEntry) => wordsOf(name)[0] ?? '';
  const isOnly = (one: CatalogueEntry) =>
    technicians.every((other) => other === one || !wordsOf(other.name).includes(firstOf(one)));
  const findFirst = buildTermFinder(
    technicians.filter(isOnly).map((one) => ({ id: one.id, names: [firstOf(one)] })),
    { isName: true },
  );
  const findParts = buildTermFinder(technicians.map(partsOf), { isName: true });
  return (annotated, { lists, spell }, rating) => {
    const isTitled = ({ from, to }: TermMatch) => {
      const before = spell(annotated.tokens[from - 1]?.bare ?? '');
      return to > from + 1 || lists.titles.has(before) || CUES.titles.has(before);
    };
    const found = [
      ...find(annotated),
      ...findFirst(annotated),
      ...findParts(annotated).filter(isTitled),
    ];
    const seen = found.flatMap(({ id, from, to }) => {
      // "Mark" and "Art" are German words as well.
      const isWord = to === from + 1 && lists.notNames.has(spell(annotated.tokens[from]!.bare));
      if (isWord) return [];
      const sentiment = sentimentOf(opinionAbout(annotated, from, to), rating);
      return [{ id, sentiment, ...excerptOf(annotated, from, to) }];
    });
    return mergeMentions(seen, rating);
  };
}

/** Praise in one or two stars, and blame in four or five, is not clear enough for a person. */
function sentimentOf(score: number | null, rating: number): Sentiment {
  if (score === null || (score > 0 ? rating <= 2 : rating >= 4)) return 'neutral';
  return score > 0 ? 'positive' : 'negative';
}
