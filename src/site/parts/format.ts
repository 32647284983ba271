// Shortens lists and texts for pages, and names sources.

import type { Language } from '../../strings/language.ts';
import names from './source-names.json' with { type: 'json' };

/** A list of at most `max` items; further ones are counted: "Google, Yelp and 3 others". */
export function formatShortList(
  { format, strings }: Language,
  items: readonly string[],
  max: number,
): string {
  if (items.length <= max) return format.list(items);
  const named = items.slice(0, max - 1);
  return format.list([...named, strings.others(items.length - named.length)]);
}

const SOURCES: Readonly<Record<string, string>> = names;

/** The display name of a source. */
export function formatSource({ strings }: Language, source: string): string {
  return source === 'direct'
    ? strings.direct
    : Object.hasOwn(SOURCES, source)
      ? (SOURCES[source] as string)
      : source;
}

/** Truncates a text at a word boundary to `maxUnits` UTF-16 units; null if it is short enough. */
export function truncate(text: string, maxUnits: number): string | null {
  if (text.length <= maxUnits) return null;
  const space = text.lastIndexOf(' ', maxUnits);
  const end = space > maxUnits / 2 ? space : maxUnits;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
