// Finds technicians of the catalogue in reviews of other languages than English: only by a name or alias
// exactly as the catalogue has it, because nothing else of the text tells who is meant.

import type { CatalogueEntry } from '../entities/entities.ts';
import { type FoundMention, mergeMentions } from '../entities/merging.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { excerptOf } from '../text/excerpt.ts';
import { buildTermFinder } from '../text/terms.ts';
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
  return (annotated, { lists, spell }, rating) => {
    const seen = find(annotated).flatMap(({ id, from, to }) => {
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
