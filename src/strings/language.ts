// Chooses the language of a site: the operator's setting, else the language of the business's country.

import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { Format } from './format.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pt } from './pt.ts';
import {
  LANGUAGE_CODES,
  type LanguageCode,
  languageOfRegion,
  regionOf,
  STANDARD_REGIONS,
} from './regions.ts';
import type { Strings } from './strings.ts';

const STRINGS: Readonly<Record<LanguageCode, (format: Format) => Strings>> = {
  de,
  en,
  es,
  fr,
  it,
  nl,
  pt,
};

/** A language with its texts and formats. */
export interface Language {
  readonly code: LanguageCode;
  /** BCP 47 with the region, such as "de-AT". */
  readonly tag: string;
  readonly strings: Strings;
  readonly format: Format;
}

/** By tag. Formats take milliseconds to make, and an operator names few regions. */
const loaded = new Map<string, Language>();

/** Whether a setting names one of our languages, with or without a region: "de", "de-AT". */
export function isSiteLanguage(setting: string): boolean {
  return codeOf(setting) !== null && /^[a-z]{2}(?:-[A-Z]{2})?$/.test(setting);
}

function codeOf(setting: string): LanguageCode | null {
  return LANGUAGE_CODES.find((code) => setting.slice(0, 2) === code) ?? null;
}

/** The language of a setting (null if there is none) and of the country in the business's address. */
export function languageOf(
  setting: string | null,
  country: string | null | undefined = null,
): Language {
  const region = regionOf(country);
  const code = (setting && codeOf(setting)) || languageOfRegion(region);
  const formats = setting?.slice(3) || region || STANDARD_REGIONS[code];
  return load(code, `${code}-${formats}`);
}

function load(code: LanguageCode, tag: string): Language {
  const before = loaded.get(tag);
  if (before) return before;
  const format = new Format(tag);
  const language = { code, tag, format, strings: STRINGS[code](format) };
  loaded.set(tag, language);
  return language;
}

/** The first of our languages that an Accept-Language header names; browsers send the best first. */
export function acceptedLanguage(header = ''): Language {
  const codes = header.split(',', 20).map((range) => codeOf(range.trim().toLowerCase()));
  return languageOf(codes.find((code) => code !== null) ?? 'en');
}
