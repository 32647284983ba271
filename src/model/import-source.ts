// A source of reviews that is kept in step, as the settings file has it.

import { z } from 'zod';
import { expected } from './issues.ts';

const MAX_MINUTES = 43_200;

const text = (what: string) => z.string(expected(what)).trim().min(1, expected(what));
const optional = (what: string) =>
  text(what)
    .nullish()
    .transform((value) => value ?? null);

/** HTTP, without a password: it would be shown by `status`. */
function isWebUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}

const expectedGoogle = expected(
  'the id of a place, or a location such as "accounts/1/locations/2"',
);
const expectedUrl = expected('an http or https URL without a password');

const importSourceSchema = z
  .strictObject({
    name: z
      .string(expected('a name'))
      .regex(/^[\w.-]{1,60}$/, expected('a name of letters, digits, ".", "_" and "-"')),
    file: optional('the path of a file'),
    directory: optional('the path of a directory'),
    url: z
      .string(expectedUrl)
      .refine(isWebUrl, expectedUrl)
      .nullish()
      .transform((value) => value ?? null),
    google: z
      .string(expectedGoogle)
      .regex(/^(?:accounts\/\d+\/locations\/\d+|[\w-]{10,300})$/, expectedGoogle)
      .nullish()
      .transform((value) => value ?? null),
    every_minutes: z
      .int(expected(`minutes from 1 to ${MAX_MINUTES}`))
      .min(1, expected(`minutes from 1 to ${MAX_MINUTES}`))
      .max(MAX_MINUTES, expected(`minutes from 1 to ${MAX_MINUTES}`))
      .default(60),
    format: optional('a format, or the path of a mapping file'),
    source: optional('where the reviews were written, such as "google"'),
    verified_by: optional('how the reviews were verified'),
    prune: z.boolean(expected('true or false')).default(false),
    business: z.boolean(expected('true or false')).default(false),
  })
  .refine(
    ({ file, directory, url, google }) =>
      [file, directory, url, google].filter((place) => place !== null).length === 1,
    { error: 'expected one of "file", "directory", "url" and "google"' },
  );

export type ImportSource = z.output<typeof importSourceSchema>;

export const importSourcesSchema = z
  .array(importSourceSchema, expected('a list of sources'))
  .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, {
    error: 'expected sources with different names',
  });

/** How Google knows us, from the settings. */
export interface GoogleAccess {
  readonly placesKey: string | null;
  /** The path of a file of `gcloud auth application-default login`. */
  readonly credentialsFile: string | null;
}

export function placeOf({ file, directory, url, google }: ImportSource): string {
  return file ?? directory ?? url ?? `Google ${google}`;
}
