// Words that name what reviews mention: services, technicians, aspects, problems, places and topics.

import { OPINIONS } from './subject-words.ts';
import type { Sentiment } from '../model/insights.ts';
import type { SearchFilter } from '../model/search.ts';
import { fold } from '../model/fold.ts';
import { splitWords } from '../model/words.ts';
import type { MentionIndex, MentionKind } from './mentions.ts';
import { TRANSLATIONS } from './synonyms.ts';
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

/** Between the parts of a label, each of which names it too, in all languages of the pages. */
const JOINTS = /,\s|\s(?:und|oder|y|et|ou?|e|en|of)\s/u;
/** Endings of plurals, which the stems of the reviews' languages do not know. */
const PLURAL = /(?<=\p{L}{4})(?:en|e|n|s)$/u;

/**
 * What is mentioned, by its names and its label in the language of the pages; people also by each of their names.
 * `keyOf` makes inflected words equal; `labels` are by the labels of the insights.
 */
export function readNames(
  mentions: MentionIndex,
  keyOf: (word: string) => string,
  labels: Readonly<Record<string, string>> = {},
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
      const sentiment = kind === 'aspect' ? OPINIONS.get(name) : undefined;
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
    for (const id of mentioned) {
      const label = mentions.labelOf(list, id);
      const shown = Object.hasOwn(labels, label) ? (labels[label] as string) : '';
      for (const part of new Set([shown, ...shown.split(JOINTS)])) {
        const words = splitWords(fold(part)).map(({ word }) => word);
        if (words.length > 0) add(words, { kind, id, label });
        const [only = ''] = words;
        if (words.length === 1) add([only.replace(PLURAL, '')], { kind, id, label });
      }
    }
  }
  for (const { foreign, english } of TRANSLATIONS) {
    for (const subject of runs.of(english)) add(foreign, subject);
  }
  return runs;
}
