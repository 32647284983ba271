// The values by which a search selects and counts reviews beside their texts: sources, branches, attributes and part
// scores. A value has a number, and the reviews that have it are a posting.

import type { Business } from '../model/business.ts';
import { attributeKey } from '../model/review-parts.ts';
import type { Review } from '../model/review.ts';
import { ATTRIBUTE } from '../model/search.ts';

/** Before the name of a part score in a field. */
const RATING = 'rating.';
/** `source`, `location`, or the name of an attribute or a part score after its prefix. */
export type Field = 'source' | 'location' | `${typeof ATTRIBUTE | typeof RATING}${string}`;

export const attributeField = (name: string): Field => `${ATTRIBUTE}${name}`;
const ratingField = (name: string): Field => `${RATING}${name}`;

/** A value with the number of reviews that have it. */
interface Value {
  readonly field: Field;
  /** Equal for values that count as one. */
  readonly key: string;
  readonly label: string;
  count: number;
}

/** The values of all reviews; those of a review are `values` from its start up to the next one. */
export interface NumberedValues {
  readonly values: Uint32Array;
  readonly valueStarts: Uint32Array;
  readonly known: readonly Value[];
}

export function numberValues(reviews: readonly Review[]): NumberedValues {
  const numbers = new Map<string, number>();
  const known: Value[] = [];
  const values: number[] = [];
  const valueStarts = new Uint32Array(reviews.length + 1);
  const add = (field: Field, key: string, label: string) => {
    const place = `${field} ${key}`;
    const number = numbers.get(place) ?? known.push({ field, key, label, count: 0 }) - 1;
    numbers.set(place, number);
    (known[number] as Value).count += 1;
    values.push(number);
  };
  reviews.forEach(({ source, location, attributes, ratings }, position) => {
    add('source', source, source);
    if (location) add('location', location, location);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      add(attributeField(name), attributeKey(value), value);
    }
    for (const [name, stars] of Object.entries(ratings ?? {})) {
      add(ratingField(name), String(stars), String(stars));
    }
    valueStarts[position + 1] = values.length;
  });
  return { values: Uint32Array.from(values), valueStarts, known };
}

/** JSON of the known values, by their numbers. */
export function writeValues(known: readonly Value[], { locations = [] }: Business): Buffer {
  const names = new Map(locations.map(({ id, name }) => [id, name]));
  const labelled = known.map((value) => ({
    ...value,
    ...(value.field === 'location' && { label: names.get(value.key) ?? value.key }),
  }));
  return Buffer.from(JSON.stringify(labelled));
}

interface Numbered extends Readonly<Value> {
  readonly number: number;
}

export class FieldValues {
  /** Of each field, its values by key, those of most reviews first. */
  readonly #fields = new Map<string, Map<string, Numbered>>();

  readonly attributeNames: readonly string[];
  readonly ratingNames: readonly string[];

  constructor(json: Uint8Array) {
    const known = JSON.parse(Buffer.from(json).toString()) as Value[];
    const numbered = known.map((value, number) => ({ ...value, number }));
    for (const value of numbered.toSorted((a, b) => b.count - a.count)) {
      const values = this.#fields.get(value.field) ?? new Map<string, Numbered>();
      this.#fields.set(value.field, values.set(value.key, value));
    }
    this.attributeNames = this.#namesAfter(ATTRIBUTE);
    this.ratingNames = this.#namesAfter(RATING);
  }

  /** The values of a field that most reviews have, those of most first. */
  commonest(field: Field, most = Infinity): Numbered[] {
    return this.#fields.get(field)?.values().take(most).toArray() ?? [];
  }

  countOf(field: Field): number {
    return this.#fields.get(field)?.size ?? 0;
  }

  find(field: Field, key: string): Numbered | undefined {
    return this.#fields.get(field)?.get(key);
  }

  attribute(name: string, value: string): Numbered | undefined {
    return this.find(attributeField(name), attributeKey(value));
  }

  /** The part scores of a name from a least one on. */
  ratingsFrom(name: string, least: number): Numbered[] {
    return this.commonest(ratingField(name)).filter(({ key }) => Number(key) >= least);
  }

  #namesAfter(prefix: string): string[] {
    const fields = [...this.#fields.keys()].filter((field) => field.startsWith(prefix));
    return fields.map((field) => field.slice(prefix.length)).toSorted();
  }
}
