// The stemmer of each language.

import { stemmer as ar } from '@orama/stemmers/arabic';
import { stemmer as bg } from '@orama/stemmers/bulgarian';
import { stemmer as da } from '@orama/stemmers/danish';
import { stemmer as de } from '@orama/stemmers/german';
import { stemmer as el } from '@orama/stemmers/greek';
import { stemmer as en } from '@orama/stemmers/english';
import { stemmer as es } from '@orama/stemmers/spanish';
import { stemmer as fi } from '@orama/stemmers/finnish';
import { stemmer as fr } from '@orama/stemmers/french';
import { stemmer as hi } from '@orama/stemmers/indian';
import { stemmer as hu } from '@orama/stemmers/hungarian';
import { stemmer as id } from '@orama/stemmers/indonesian';
import { stemmer as it } from '@orama/stemmers/italian';
import { stemmer as nl } from '@orama/stemmers/dutch';
import { stemmer as no } from '@orama/stemmers/norwegian';
import { stemmer as pt } from '@orama/stemmers/portuguese';
import { stemmer as ro } from '@orama/stemmers/romanian';
import { stemmer as ru } from '@orama/stemmers/russian';
import { stemmer as sr } from '@orama/stemmers/serbian';
import { stemmer as sv } from '@orama/stemmers/swedish';
import { stemmer as ta } from '@orama/stemmers/tamil';
import { stemmer as tr } from '@orama/stemmers/turkish';
import { stemmer as uk } from '@orama/stemmers/ukrainian';

type Stemmer = (word: string) => string;

/** By ISO 639-1 code. */
const STEMMERS: ReadonlyMap<string, Stemmer> = new Map(
  Object.entries({
    ar,
    bg,
    da,
    de,
    el,
    en,
    es,
    fi,
    fr,
    hi,
    hu,
    id,
    it,
    nl,
    no,
    pt,
    ro,
    ru,
    sr,
    sv,
    ta,
    tr,
    uk,
  }),
);

/** Longer words are not inflected forms. */
const MAX_LETTERS = 40;
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;

export function hasStemmer(language: string): boolean {
  return STEMMERS.has(language);
}

/** The stem of a folded word; null if it has none, as numbers have. */
export function stemOf(language: string, word: string): string | null {
  if (word.length > MAX_LETTERS || !LETTERS.test(word)) return null;
  return STEMMERS.get(language)?.(word) ?? null;
}
