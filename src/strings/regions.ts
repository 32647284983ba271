// The language of a business's customers, from the country in its address.

/** Regions (ISO 3166-1) by the language that most of their customers read. Others read English. */
const REGIONS = {
  de: ['DE', 'AT', 'CH', 'LI'],
  es: 'ES AR BO CL CO CR CU DO EC GT HN MX NI PA PE PY SV UY VE'.split(' '),
  fr: ['FR', 'BE', 'LU', 'MC'],
  it: ['IT', 'SM', 'VA'],
  nl: ['NL', 'SR'],
  pt: ['PT', 'BR', 'AO', 'MZ', 'CV'],
  en: ['US', 'GB', 'IE', 'CA', 'AU', 'NZ', 'ZA', 'IN', 'SG', 'PH', 'PR'],
} as const satisfies Record<string, readonly string[]>;

type LanguageCode = keyof typeof REGIONS;

export const LANGUAGE_CODES = Object.keys(REGIONS) as LanguageCode[];

/** How people write countries, besides their names in our languages. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['usa', 'US'],
  ['united states of america', 'US'],
  ['uk', 'GB'],
  ['great britain', 'GB'],
  ['england', 'GB'],
  ['scotland', 'GB'],
  ['wales', 'GB'],
  ['northern ireland', 'GB'],
  ['holland', 'NL'],
  ['the netherlands', 'NL'],
]);

/** The region of a country, as a code or a name in one of our languages; null if it is none of `regions`. */
export function regionOf(
  country: string | null | undefined,
  regions: readonly string[] = Object.values(REGIONS).flat(),
): string | null {
  const given = country?.trim().replaceAll('.', '') ?? '';
  const code = given.toUpperCase();
  if (regions.includes(code)) return code;
  const folded = foldName(given);
  if (folded === '') return null;
  const other = OTHER_NAMES.get(folded);
  if (other !== undefined) return other;
  for (const language of LANGUAGE_CODES) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const found = regions.find((region) => foldName(names.of(region) ?? '') === folded);
    if (found !== undefined) return found;
  }
  return null;
}

function foldName(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The language of a region; English if it is unknown. */
export function languageOfRegion(region: string | null): LanguageCode {
  return (
    LANGUAGE_CODES.find((code) => (REGIONS[code] as readonly string[]).includes(region ?? '')) ??
    'en'
  );
}

/** The region whose formats a language uses where the business is in none of ours. */
export const STANDARD_REGIONS: Readonly<Record<LanguageCode, string>> = {
  de: 'DE',
  es: 'ES',
  fr: 'FR',
  it: 'IT',
  nl: 'NL',
  pt: 'PT',
  en: 'US',
};

export type { LanguageCode };
