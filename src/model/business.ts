// The business whose reviews are published, with its catalogue of services, technicians and service areas.

import { z } from 'zod';
import { show } from '../errors.ts';
import { expected } from './issues.ts';
import { partNameSchema } from './review-parts.ts';
import { siteLookSchema } from './site-look.ts';
import { plainText } from './text.ts';

const text = z
  .string(expected('text'))
  .overwrite(plainText)
  .min(1, expected('text that is not empty'));
const optionalText = text.nullable().default(null);
const webUrl = z.url({ protocol: /^https?$/, ...expected('an http or https URL') });
const optionalUrl = webUrl.nullable().default(null);
const time = z
  .string(expected('a time'))
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, expected('a time from "00:00" to "23:59" such as "08:30"'));
/** A name of the IANA database; offsets such as "+05:00" know no summer time. */
const timeZone = z
  .string(expected('a time zone'))
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    expected('a time zone such as "America/New_York"'),
  );
const slug = z
  .string(expected('an id'))
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    expected('an id of lower-case letters, digits, "-" and "_"'),
  );
const degrees = (limit: number) => {
  const message = expected(`degrees from -${limit} to ${limit}`);
  return z.number(message).min(-limit, message).max(limit, message);
};

/** Groups of synonyms, terms of a group, and characters of a term: each search looks them up. */
const MAX_GROUPS = 500;
const MAX_TERMS = 20;
const MAX_SYNONYM = 60;

const address = z
  .strictObject({
    street: optionalText,
    city: optionalText,
    region: optionalText,
    postal_code: optionalText,
    country: optionalText,
  })
  .nullable()
  .default(null);
const geo = z
  .strictObject({ latitude: degrees(90), longitude: degrees(180) })
  .nullable()
  .default(null);
const hours = z
  .array(z.strictObject({ days: z.array(text).min(1), opens: time, closes: time }))
  .default([]);

/** Branches: each has a page, and a search looks at all of them. */
const MAX_LOCATIONS = 1_000;
const locationSchema = z.strictObject({
  id: slug,
  name: text,
  aliases: z.array(text).default([]),
  address,
  telephone: optionalText,
  hours,
  geo,
});

/**
 * The JSON of the contract. Files may omit null and empty values. Unknown keys are rejected, because
 * they are probably misspelled.
 */
export const businessSchema = z
  .strictObject({
    id: slug.default('business'),
    name: text,
    legal_name: optionalText,
    description: optionalText,
    vertical: slug.default('general'),
    url: optionalUrl,
    telephone: optionalText,
    email: optionalText,
    address,
    geo,
    hours,
    time_zone: timeZone.nullable().optional(),
    locations: z
      .array(locationSchema)
      .max(MAX_LOCATIONS, expected(`at most ${MAX_LOCATIONS} locations`))
      .optional(),
    attributes: z.record(partNameSchema, text).optional(),
    ratings: z.record(partNameSchema, text).optional(),
    service_areas: z.array(text).default([]),
    services: z
      .array(z.strictObject({ id: slug, label: text, aliases: z.array(text).default([]) }))
      .default([]),
    technicians: z
      .array(
        z.strictObject({
          id: slug,
          name: text,
          aliases: z.array(text).default([]),
          active: z.boolean().default(true),
        }),
      )
      .default([]),
    same_as: z.array(webUrl).default([]),
    logo_url: optionalUrl,
    site: siteLookSchema.nullable().optional(),
    synonyms: z
      .array(
        z
          .array(text.max(MAX_SYNONYM, expected(`at most ${MAX_SYNONYM} characters`)))
          .min(2, expected('at least two words that mean the same'))
          .max(MAX_TERMS, expected(`at most ${MAX_TERMS} words that mean the same`)),
      )
      .max(MAX_GROUPS, expected(`at most ${MAX_GROUPS} groups`))
      .optional(),
  })
  .superRefine((business, context) => {
    for (const list of ['services', 'technicians', 'locations'] as const) {
      const seen = new Set<string>();
      business[list]?.forEach(({ id }, index) => {
        if (seen.has(id)) {
          context.addIssue({
            code: 'custom',
            path: [list, index, 'id'],
            message: `expected an id that is unique in ${list}, got ${show(id)} again`,
          });
        }
        seen.add(id);
      });
    }
  });

/** Keeps the JSON keys in snake_case, because it is stored and published unchanged. */
export type Business = z.infer<typeof businessSchema>;
export type Location = z.infer<typeof locationSchema>;

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The business before the first import that has one. */
export const UNNAMED_BUSINESS: Business = businessSchema.parse({ name: 'Unnamed business' });

export const WEEK = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** The index in `WEEK` of a day of opening hours: its English name or the first two or three letters; null for another text. */
export function weekdayOf(name: string): number | null {
  const given = name.trim().toLowerCase();
  const found = WEEK.findIndex((day) =>
    [day, day.slice(0, 3), day.slice(0, 2)].some((known) => known.toLowerCase() === given),
  );
  return found < 0 ? null : found;
}

/** Where a postal code stands behind the town. */
const POSTAL_CODE_LAST = 'AU BR CA GB HK IE IN NZ SG TW US ZA'.split(' ');

/** An address in a line, its country by `nameOf`; "" if there is none. */
export function addressOf(
  { address: given }: Pick<Business, 'address'>,
  nameOf = (country: string) => country,
): string {
  if (given === null) return '';
  const { street, city, region, postal_code: postalCode, country } = given;
  const join = (parts: (string | null)[], by: string) => parts.filter(Boolean).join(by);
  const isLast = country === null || POSTAL_CODE_LAST.includes(country);
  const [town, area] = isLast
    ? [city, join([region, postalCode], ' ')]
    : [join([postalCode, city], ' '), region];
  return join([street, town, area, country && nameOf(country)], ', ');
}
