// What the model of names is trained on: the names in labelled reviews, each with its features and whether somebody who
// works for the business has it. The text of real reviews is not in the project; of these the features are stored.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Person } from '../../../src/insights/entities/names/candidates.ts';
import { namesIn, wordsOfName } from '../../../src/insights/entities/names/technicians.ts';
import { CUES, givenNameOf } from '../../../src/insights/entities/names/word-lists.ts';
import { segmentText } from '../../../src/insights/text/annotate.ts';
import { GENERAL } from '../../../src/model/verticals.ts';
import { readItems } from '../data.ts';
import { GOLD, verticalOfFile } from './examples.ts';
import { parseLabels } from './labels.ts';

const DATA = join(import.meta.dirname, '../../data');
const ABOUT =
  'Features of the names in reviews whose text is not here; made by `npm run train`; do not edit.';

/** A name in a review. */
export interface NameExample {
  /** Whether somebody of the business has it; null where that is open. */
  readonly holds: boolean | null;
  /** Hashes, from which no text can be read. */
  readonly features: Uint16Array;
}

interface LabelledNames {
  readonly id: string;
  readonly names: readonly NameExample[];
  /** How many people of the business are in no name that was found. */
  readonly missed: number;
}

/** Reviews of one source. */
export interface NameSet {
  readonly name: string;
  /** Whether customers wrote them. */
  readonly isReal: boolean;
  readonly reviews: readonly LabelledNames[];
}

export interface TextOfReview {
  readonly text: string;
  readonly rating: number;
  readonly author?: string;
  readonly business?: string;
}

/** @param labels names of people of the business; "?" begins one that is open */
function labelNames(
  id: string,
  { text, rating, author = '', business = '' }: TextOfReview,
  vertical: string,
  labels: Iterable<string>,
): LabelledNames {
  const people = [...labels].map((label) => ({
    words: [...wordsOfName(label)].filter((word) => !CUES.titles.has(word)),
    isOpen: label.startsWith('?'),
  }));
  const ownWords = wordsOfName(business);
  const context = { author, rating, vertical, ownWords, isTaken: () => false };
  const found = new Set<unknown>();
  const names = namesIn(segmentText(text), givenNameOf, context).map((name) => {
    const meant = people
      .map((one) => ({ one, isMeant: isMeant(name.people, one.words) }))
      .filter((label) => label.isMeant !== false);
    for (const { one } of meant) found.add(one);
    const isOpen = meant.length > 0 && meant.every(({ one, isMeant: is }) => one.isOpen || !is);
    const features = Uint16Array.from(name.features).toSorted();
    return { holds: isOpen ? null : meant.length > 0, features };
  });
  const missed = people.filter((one) => !one.isOpen && !found.has(one)).length;
  return { id, names, missed };
}

/** Whether a label means a name; null where only the family name is the same, which may be the business's too. */
function isMeant(
  people: readonly Person[],
  [first = '', ...others]: readonly string[],
): boolean | null {
  const words = new Set(people.flatMap(({ name }) => [...wordsOfName(name)]));
  if (words.has(first)) return true;
  if (!others.some((word) => word.length > 1 && words.has(word))) return false;
  return people.some(({ kind }) => kind === 'title') ? true : null;
}

interface StoredNames {
  readonly about: string;
  readonly reviews: readonly {
    readonly id: string;
    readonly missed: number;
    /** "+" of the business, "-" not, "?" open; then the features, 16 bits each, little-endian, in Base64. */
    readonly names: readonly string[];
  }[];
}

const SIGN = { true: '+', false: '-', null: '?' } as const;

function encode(reviews: readonly LabelledNames[]): StoredNames {
  return {
    about: ABOUT,
    reviews: reviews.map(({ id, missed, names }) => ({
      id,
      missed,
      names: names.map(
        ({ holds, features }) => SIGN[`${holds}`] + Buffer.from(features.buffer).toString('base64'),
      ),
    })),
  };
}

function decode({ reviews }: StoredNames): LabelledNames[] {
  return reviews.map(({ id, missed, names }) => ({
    id,
    missed,
    names: names.map((one) => ({
      holds: one.startsWith('?') ? null : one.startsWith('+'),
      features: new Uint16Array(Uint8Array.from(Buffer.from(one.slice(1), 'base64')).buffer),
    })),
  }));
}

function labelsIn(file: string) {
  return parseLabels(readFileSync(join(DATA, file), 'utf8'), file);
}

/**
 * Stores the features of real reviews.
 *
 * @param source the name of its further labels, in `people/`, which say only who is of the business. They count where
 * both have a review
 * @param pattern the names of its labels in `reviews/`, without endings
 */
export function storeNames(
  source: string,
  pattern: string,
  texts: ReadonlyMap<string, TextOfReview>,
): void {
  const store = (name: string, vertical: string, labels: ReturnType<typeof labelsIn>) => {
    const path = join(DATA, `people/${name}.features.json`);
    const before = existsSync(path)
      ? decode(JSON.parse(readFileSync(path, 'utf8')) as StoredNames)
      : [];
    const reviews = labels.map(({ id, people }) => {
      const own = texts.get(id);
      if (own !== undefined) return labelNames(id, own, vertical, people.keys());
      return before.find((one) => one.id === id) as LabelledNames;
    });
    writeFileSync(path, `${JSON.stringify(encode(reviews))}\n`);
  };
  const files = globSync(`reviews/${pattern}.*labels.txt`, { cwd: DATA });
  const heldOut = files.filter((file) => file.includes('held-out')).flatMap(labelsIn);
  // What is held out is never trained on.
  const judged = new Set(heldOut.map(({ id }) => id));
  const further = globSync(`people/${source}.labels.txt`, { cwd: DATA })
    .flatMap(labelsIn)
    .filter(({ id }) => !judged.has(id));
  // Yelp has businesses of all kinds.
  if (further.length > 0)
    store(`${source}.further`, source === 'yelp' ? GENERAL : verticalOfFile(source), further);
  const known = new Set(further.map(({ id }) => id));
  for (const file of files) {
    const name = basename(file, '.labels.txt');
    const labels = labelsIn(file).filter(({ id }) => !known.has(id));
    store(name, verticalOfFile(name.split('.')[0] as string), labels);
  }
}

/** The names in labelled reviews: real ones, written ones, and those of the gold sets that are tuned on. */
export function labelledNames(isHeldOut: boolean): NameSet[] {
  const isAsked = (file: string) => file.includes('held-out') === isHeldOut;
  const filesIn = (pattern: string) => globSync(pattern, { cwd: DATA }).toSorted();
  const real = filesIn('people/*.features.json')
    .filter(isAsked)
    .map((file) => {
      const stored = JSON.parse(readFileSync(join(DATA, file), 'utf8')) as StoredNames;
      return { name: basename(file, '.features.json'), isReal: true, reviews: decode(stored) };
    });
  const written = filesIn('reviews/*.ndjson').flatMap((file) => {
    const name = basename(file, '.ndjson');
    const texts = new Map(
      readItems<TextOfReview & { id: string }>(file).map((one) => [one.id, one]),
    );
    return filesIn(`reviews/${name}.*labels.txt`)
      .filter(isAsked)
      .map((labels) => ({
        name: basename(labels, '.labels.txt'),
        isReal: false,
        reviews: labelsIn(labels).map(({ id, people }) =>
          labelNames(id, texts.get(id) as TextOfReview, verticalOfFile(name), people.keys()),
        ),
      }));
  });
  return [...real, ...written, ...(isHeldOut ? [] : goldNames())];
}

/** How often what was written about names counts: it is little, and rare elsewhere. */
const TIMES = 4;

interface GoldNames extends TextOfReview {
  readonly id: string;
  /** If it is not that of the file. */
  readonly vertical?: string;
  readonly technicians: readonly string[];
}

function goldNames(): NameSet[] {
  const gold = Object.entries(GOLD).map(([name, vertical]) => ({ path: `gold/${name}`, vertical }));
  const written = { path: 'people/written', vertical: GENERAL };
  return [...gold, ...Array.from({ length: TIMES }, () => written)].map(({ path, vertical }) => ({
    name: basename(path),
    isReal: false,
    reviews: readItems<GoldNames>(`${path}.ndjson`).map((item) =>
      labelNames(item.id, item, item.vertical ?? vertical, item.technicians),
    ),
  }));
}
