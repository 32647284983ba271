// Finds the topics of the vertical by their keywords.

import type { Business } from '../../model/business.ts';
import { fold } from '../../model/fold.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Vertical } from '../verticals/verticals.ts';

/** The vertical without the topics that services of the business are called. */
export function withoutServices(vertical: Vertical, { services }: Business): Vertical {
  const names = new Set(
    services.flatMap(({ label, aliases }) => [label, ...aliases].map((name) => fold(name))),
  );
  return { ...vertical, topics: vertical.topics.filter(({ label }) => !names.has(fold(label))) };
}

/** Ids of the vertical's topics that a text mentions, in the vertical's order. */
export function findTopics({ keys, sentences }: AnnotatedText, vertical: Vertical): string[] {
  if (vertical.topics.length === 0) return [];
  const found = new Set<string>();
  for (const { from, to } of sentences) {
    const end = keys.firstOf[to] ?? keys.words.length;
    for (let at = keys.firstOf[from] ?? 0; at < end; at += 1) {
      const topics = vertical.topicCues.matchesAt(keys, at, end).map(({ value }) => value);
      for (const topic of topics) if (!topics.includes(`-${topic}`)) found.add(topic);
    }
  }
  return vertical.topics.map(({ id }) => id).filter((id) => found.has(id));
}
