// Words that name what reviews mention: services, technicians, aspects, problems, places and topics.

import { ASPECT_WORD_SENTIMENTS } from './subject-words.ts';
import type { Sentiment } from '../model/insights.ts';
import type { SearchFilter } from '../model/search.ts';
import { splitWords } from '../model/words.ts';
import type { MentionIndex, MentionKind } from './mentions.ts';
import { NamedRuns } from './named-runs.ts';

/** Kinds of mentions that words name, by what an answer calls them. */
export const NAMED = {
  service: 'services',
  technician: 'technicians',
  aspect: 'aspects',
  problem: 'problems',
  service_area: 'service_areas',
  topic: 'topics',
} as const satisfies Record<string, MentionKind>;

export const PARAMETERS = {
  service: 'mentions_service',
  technician: 'mentions_technician',
  aspect: 'aspect',
  problem: 'problem',
  service_area: 'service_area',
  topic: 'topic',
} as const satisfies Record<keyof typeof NAMED, keyof SearchFilter>;

/** Something that some words name: the reviews that mention it are about these words. */
export interface Subject {
  readonly kind: keyof typeof NAMED;
  readonly id: string;
  readonly label: string;
  /** Only mentions with this sentiment. */
  readonly sentiment?: Sentiment;
}

/** What is mentioned, by its names; people also by each of their names. `keyOf` makes inflected words equal. */
export function readNames(
  mentions: MentionIndex,
  keyOf: (word: string) => string,
): NamedRuns<Subject> {
  const runs = new NamedRuns<Subject>(keyOf);
  const add = (words: readonly string[], subject: Subject) => {
    const isKnown = runs
      .of(words)
      .some(({ kind, id }) => kind === subject.kind && id === subject.id);
    if (!isKnown) runs.add(words, subject);
  };
  for (const [kind, list] of Object.entries(NAMED) as [Subject['kind'], MentionKind][]) {
    const mentioned = new Set(mentions.idsOf(list));
    for (const { name, ids } of mentions.namesOf(list)) {
      const words = splitWords(name).map(({ word }) => word);
      const sentiment = kind === 'aspect' ? ASPECT_WORD_SENTIMENTS.get(name) : undefined;
      for (const id of ids.filter((one) => mentioned.has(one))) {
        const label = mentions.labelOf(list, id);
        const subject = { kind, id, label, ...(sentiment === undefined ? {} : { sentiment }) };
        add(words, subject);
        // The initial of "Mike A." is also an article.
        if (kind === 'technician') {
          for (const word of words) if (word.length > 1) add([word], subject);
        }
      }
    }
  }
  return runs;
}
