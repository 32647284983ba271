// Judges relevance: searches as people type them, written before any engine was asked. The first reviews of every
// engine were pooled, and each was graded by reading: 2 if it is what the search wants, 1 if partly, 0 if not.
//
//   npm run evaluate -- searches                  over the example business
//   --airline CSV                                 also over British Airways, a file that is not part of this project
//   --cafe CSV                                    also over a coffee shop, likewise
//   --errors searches                             the searches of the half that may be tuned on, worst first
//   --pool DIR                                    writes what no one has graded yet to DIR, to be read and graded
//
// A line of bench/data/searches/NAME.ndjson is a `JudgedSearch`. Half of the searches are held out: nothing is tuned on them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readItems } from './data.ts';
import { findersOver, FIRST } from './finders.ts';
import { type Corpus, readAirline, readCafe, readExample } from './search-corpora.ts';

interface JudgedSearch {
  readonly id: string;
  readonly kind: 'short' | 'long' | 'question' | 'typo' | 'synonym';
  readonly held_out: boolean;
  readonly words: string;
  /** What the person wants to read, and which reviews are graded 2 or 1. */
  readonly want: string;
  /** By the key of the review. */
  readonly grades: Readonly<Record<string, number>>;
}

interface Options {
  readonly airline?: string | undefined;
  readonly cafe?: string | undefined;
  readonly pool?: string | undefined;
  readonly errors: boolean;
}

/** What one engine reached with one search; null without a relevant review. */
interface Reached {
  readonly gain: number;
  readonly recall: number;
  readonly success: number;
  readonly isEmpty: boolean;
}

/** Prints how well each engine finds what the searches want. */
export async function evaluateSearches(options: Options): Promise<string> {
  const corpora = [
    readExample(),
    ...(options.airline === undefined ? [] : [readAirline(options.airline)]),
    ...(options.cafe === undefined ? [] : [readCafe(options.cafe)]),
  ];
  const lines: string[] = [];
  for (const corpus of corpora) lines.push(...(await evaluateCorpus(corpus, options)));
  return lines.join('\n');
}

async function evaluateCorpus(corpus: Corpus, { pool, errors }: Options): Promise<string[]> {
  const searches = readItems<JudgedSearch>(`searches/${corpus.name}.ndjson`);
  const finders = Object.entries(await findersOver(corpus));
  const found = finders.map(([, find]) =>
    searches.map(({ words }) => find(words).map((position) => corpus.keys[position] as string)),
  );
  if (pool !== undefined) {
    const pooled = searches.map((_, at) => new Set(found.flatMap((lists) => lists[at] ?? [])));
    writeFileSync(join(pool, `${corpus.name}.txt`), renderPool(corpus, searches, pooled));
  }
  const lines = [`${corpus.name}: nDCG@10, recall@10, success@1, no result; by kind nDCG@10`];
  finders.forEach(([name], engine) => {
    const reached = searches.map(({ grades }, at) => reachedBy(found[engine]?.[at] ?? [], grades));
    for (const isHeldOut of [false, true]) {
      const half = isHeldOut ? 'held out' : 'tuned on';
      lines.push(`  ${name}, ${half}: ${summarize(searches, reached, isHeldOut)}`);
    }
    if (errors && engine === 0) lines.push(...worst(searches, reached));
  });
  return lines;
}

function reachedBy(found: readonly string[], grades: JudgedSearch['grades']): Reached | null {
  const gains = Object.values(grades)
    .filter((grade) => grade > 0)
    .toSorted((a, b) => b - a);
  if (gains.length === 0) return null;
  const gradeOf = (key: string | undefined) => (key === undefined ? 0 : (grades[key] ?? 0));
  const discounted = (list: readonly number[]) =>
    list.slice(0, FIRST).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  const relevant = found.filter((key) => gradeOf(key) > 0).length;
  return {
    gain: discounted(found.map(gradeOf)) / discounted(gains),
    recall: relevant / Math.min(FIRST, gains.length),
    success: gradeOf(found[0]) > 0 ? 1 : 0,
    isEmpty: found.length === 0,
  };
}

function summarize(
  searches: readonly JudgedSearch[],
  reached: readonly (Reached | null)[],
  isHeldOut: boolean,
): string {
  const part = searches.flatMap(({ kind, held_out }, at) => {
    const one = reached[at] ?? null;
    return one && held_out === isHeldOut ? [{ kind, ...one }] : [];
  });
  const share = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
  const kinds = Map.groupBy(part, ({ kind }) => kind);
  return [
    share(part.map(({ gain }) => gain)),
    share(part.map(({ recall }) => recall)),
    share(part.map(({ success }) => success)),
    share(part.map(({ isEmpty }) => (isEmpty ? 1 : 0))),
    `of ${part.length};`,
    ...[...kinds].map(([kind, list]) => `${kind} ${share(list.map(({ gain }) => gain))}`),
  ].join(' ');
}

/** The searches that may be tuned on, worst first. */
function worst(searches: readonly JudgedSearch[], reached: readonly (Reached | null)[]): string[] {
  return searches
    .flatMap(({ id, words, held_out }, at) => {
      const one = reached[at] ?? null;
      return one && !held_out ? [{ id, words, ...one }] : [];
    })
    .toSorted((a, b) => a.gain - b.gain)
    .map(
      ({ id, words, gain, recall }) => `    ${id} ${gain.toFixed(2)} ${recall.toFixed(2)} ${words}`,
    );
}

/** The pooled reviews without a grade, with their texts. */
function renderPool(
  { keys, reviews }: Corpus,
  searches: readonly JudgedSearch[],
  pooled: readonly ReadonlySet<string>[],
): string {
  const positions = new Map(keys.map((key, position) => [key, position]));
  const parts = searches.flatMap(({ id, words, want, grades }, at) => {
    const open = [...(pooled[at] ?? [])].filter((key) => grades[key] === undefined).toSorted();
    if (open.length === 0) return [];
    const texts = open.map((key) => {
      const review = reviews[positions.get(key) as number];
      return `## ${key} (${review?.rating} stars)\n${review?.text}\n`;
    });
    return [`# search ${id}: ${words}\nwant: ${want}\n`, ...texts];
  });
  return parts.join('\n');
}
