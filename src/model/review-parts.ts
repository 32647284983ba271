// What a review carries beside its stars and its text: attributes such as the route, and part scores such as that of
// the seat, both by name. A name is the folded form of a heading: "Seat Comfort" is "seat_comfort".

import { z } from 'zod';
import { fold } from './fold.ts';
import { expected } from './issues.ts';
import { plainText } from './text.ts';

/** Names of one kind that a review may have. */
const MAX_NAMES = 50;
/** UTF-16 units of a name, and of the value of an attribute. */
const MAX_NAME = 40;
const MAX_VALUE = 300;

/** No name begins with "_", so that none is `__proto__`. */
const PART_NAME = /^[\p{Ll}\p{Lm}\p{Lo}\p{N}][\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}_]*$/u;

/** The name that a heading stands for; null if it has no letters, or too many. */
export function partNameOf(heading: string): string | null {
  const name = fold(heading)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replaceAll(/^[_\p{M}]+|_+$/gu, '');
  return name.length <= MAX_NAME && PART_NAME.test(name) ? name : null;
}

/** A name as people read it: "seat_comfort" as "Seat comfort". */
export function partLabel(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

const expectedName = expected(`a name of at most ${MAX_NAME} letters and digits`);
export const partNameSchema = z
  .string(expectedName)
  .refine((name) => partNameOf(name) === name, expectedName);

/** The label that a business gives a part, else its name; every object has a member "constructor". */
export function labelIn(labels: Readonly<Record<string, string>> = {}, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] as string) : name;
}

/** As published: names in order. */
export const attributesSchema = z.record(z.string(), z.string());
export const ratingsSchema = z.record(z.string(), z.number());

export type Attributes = Readonly<Record<string, string>>;
export type PartRatings = Readonly<Record<string, number>>;

/** An attribute on one line; null if nothing is left of it, or too much. */
export function attributeValue(value: unknown): string | null {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  const text = isScalar ? plainText(String(value)).replaceAll(/\s+/g, ' ') : '';
  return text.length > MAX_VALUE ? null : text || null;
}

/** A score from 1 to 5 with at most one decimal; null for anything else. */
function partRatingValue(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 1 && value <= 5)) return null;
  return Math.round(value * 10) / 10;
}

/** An object of imported values by name as JSON for the store, in the order of the names; null if there is none. */
function partsSchema(what: string, valueOf: (value: unknown) => string | number | null) {
  const given = z.record(z.string(), z.unknown(), expected(what)).nullish();
  return given.transform((values, context) => {
    const parts = new Map<string, string | number>();
    for (const [heading, value] of Object.entries(values ?? {})) {
      if (value === null || value === '') continue;
      const name = partNameOf(heading);
      const read = valueOf(value);
      if (name !== null && read !== null) {
        parts.set(name, read);
        continue;
      }
      const message = name === null ? expectedName : expected(what);
      context.addIssue({
        code: 'custom',
        path: [heading],
        message: message.error({ input: name === null ? heading : value }),
      });
    }
    if (parts.size > MAX_NAMES) {
      const message = `expected at most ${MAX_NAMES} names, got ${parts.size}`;
      context.addIssue({ code: 'custom', message });
    }
    return partsToJson(parts);
  });
}

export const importedAttributes = partsSchema(
  `attributes as { name: text of at most ${MAX_VALUE} characters }, such as { "route": "London to Rome" }`,
  attributeValue,
);
export const importedRatings = partsSchema(
  'part scores as { name: number from 1 to 5 }, such as { "seat": 4 }',
  partRatingValue,
);

function partsToJson(parts: ReadonlyMap<string, unknown>): string | null {
  if (parts.size === 0) return null;
  return JSON.stringify(Object.fromEntries([...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Equal for spellings of an attribute that count as one. */
export function attributeKey(value: string): string {
  return fold(value).trim();
}
