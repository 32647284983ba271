// How the pages of a business look, as its file says.

import { z } from 'zod';
import { expected } from './issues.ts';
import { plainText } from './text.ts';

/** Parts of the first page below its head, in their usual order. */
export const HOME_SECTIONS = [
  'summary',
  'newest',
  'aspects',
  'subjects',
  'questions',
  'years',
] as const;
export type HomeSection = (typeof HOME_SECTIONS)[number];

/** Fonts that devices have; pages load none. */
export const FONTS = ['system', 'serif', 'rounded', 'classic'] as const;
export type Font = (typeof FONTS)[number];

const COLOR_SCHEMES = ['auto', 'light', 'dark'] as const;

const MAX_LABEL_LENGTH = 40;
const MAX_LINKS = 8;

const LINK_TARGET = 'an address that begins with https://, http://, tel: or mailto:';

const label = z
  .string(expected('text'))
  .overwrite(plainText)
  .min(1, expected('text that is not empty'))
  .max(MAX_LABEL_LENGTH, expected(`text of at most ${MAX_LABEL_LENGTH} characters`));
const link = z.strictObject({
  label,
  url: z
    .string(expected(LINK_TARGET))
    .regex(/^(?:https?:\/\/[^\s/]|tel:[+\d]|mailto:[^\s@]+@)\S*$/, expected(LINK_TARGET)),
});

const MAX_PIXELS = 4_096;
const isPixels = expected(`a number of pixels from 1 to ${MAX_PIXELS}`);
const pixels = z.int(isPixels).min(1, isPixels).max(MAX_PIXELS, isPixels);

const anyOf = (names: readonly string[]) => expected(`one of ${names.join(', ')}`);

export const COLOR =
  'a colour as "#" and six digits such as "#1f5c4d" (green), "#1d4ed8" (blue) or "#b91c1c" (red)';

export const siteLookSchema = z.strictObject({
  color: z
    .string(expected('a colour'))
    .regex(/^#[0-9a-f]{6}$/i, expected(COLOR))
    .nullable()
    .default(null),
  font: z.enum(FONTS, anyOf(FONTS)).default('system'),
  color_scheme: z.enum(COLOR_SCHEMES, anyOf(COLOR_SCHEMES)).default('auto'),
  sections: z
    .array(z.enum(HOME_SECTIONS, anyOf(HOME_SECTIONS)))
    .refine((names) => new Set(names).size === names.length, expected('each section once'))
    .nullable()
    .default(null),
  call_to_action: link.nullable().default(null),
  header: z
    .strictObject({
      url: z.url({ protocol: /^https?$/, ...expected('an http or https URL') }),
      width: pixels,
      height: pixels,
    })
    .nullable()
    .optional(),
  footer_links: z
    .array(link)
    .max(MAX_LINKS, expected(`at most ${MAX_LINKS} links`))
    .default([]),
});

export type SiteLook = z.infer<typeof siteLookSchema>;
