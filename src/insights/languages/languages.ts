// The languages other than English whose reviews are read, and their cues for each vertical.

import { ofVertical } from '../../model/verticals.ts';
import { fold } from '../../model/fold.ts';
import { once } from '../once.ts';
import { PatternSet } from '../text/patterns.ts';
import type { Cue, Vertical } from '../verticals/verticals.ts';
import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import { type LanguageFile, parseLanguage } from './language-file.ts';
import { buildReader, type Reader } from './reader.ts';
import verticals from './verticals.json' with { type: 'json' };

const FILES = [de, es, fr];
/** Texts with less words may have no common one. */
export const FEW = 5;

/** Common words, folded like tokens. Most texts are English, and these words suffice to tell. */
const COMMON: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  FILES.map(({ code, common }) => [code, new Set(common.split(' ').map(fold))] as const),
);
/** Each is compiled on first use. */
const READERS: ReadonlyMap<string, () => Reader> = new Map(
  FILES.map((file) => [file.code, once(() => buildReader(parseLanguage(file)))] as const),
);

/** The reader of a language; null if its reviews are not read, and for English, which has its own analysis. */
export function readerOf(code: string | null): Reader | null {
  return READERS.get(code ?? '')?.() ?? null;
}

/** The cues of a language for the aspects that a vertical has. */
export function cuesFor(
  { cues, lists, topics }: LanguageFile,
  vertical: Vertical,
): Pick<Vertical, 'cues' | 'topicCues'> {
  const names: Readonly<Record<string, Readonly<Record<string, string>> | string>> = verticals;
  const own = ofVertical(names, vertical.id);
  const ids = new Set(vertical.aspects.map(({ id }) => id));
  // One object for all cues of a kind, so that equal matches are identical.
  const shared = new Map<string, Cue>();
  const patterns = cues.flatMap(({ aspect: general, kind, pattern }) => {
    const aspect = typeof own === 'object' && Object.hasOwn(own, general) ? own[general]! : general;
    if (!ids.has(aspect)) return [];
    const cue = shared.get(`${kind} ${aspect}`) ?? { aspect, kind };
    shared.set(`${kind} ${aspect}`, cue);
    return [[pattern, cue] as const];
  });
  return { cues: new PatternSet(patterns, lists.negators), topicCues: new PatternSet(topics) };
}

/** The language in which the largest share of words is common, if it is at least `least`. */
export function languageOfWords(
  words: readonly { readonly folded: string }[],
  least: number,
): string | null {
  const countIn = (common: ReadonlySet<string>) =>
    words.filter(({ folded }) => common.has(folded)).length;
  return languageWithMost(words.length, least, countIn);
}

/** The same for a short text: opinions and cues count too, with a common word or, among FEW words, with another of them. Words of
 * `english` that a language lacks count against it. */
export function languageOfFewWords(
  words: readonly string[],
  least: number,
  english: ReadonlySet<string>,
): string | null {
  return languageWithMost(words.length, least, (common, code) => {
    const isCommon = words.some((word) => common.has(fold(word)));
    if (!isCommon && words.length >= FEW) return 0;
    const { knows } = readerOf(code) as Reader;
    const isOwn = (word: string) => common.has(fold(word)) || knows(word);
    const own = words.filter(isOwn).length;
    const foreign = words.filter((word) => !isOwn(word) && english.has(fold(word))).length;
    return isCommon || own > 1 ? own - foreign : 0;
  });
}

/** Null if no language has the share `least` of the words, or two have the same number. */
function languageWithMost(
  words: number,
  least: number,
  countOf: (common: ReadonlySet<string>, code: string) => number,
): string | null {
  const counts = [...COMMON].map(([code, common]) => ({ code, count: countOf(common, code) }));
  const [first, second] = counts.toSorted((a, b) => b.count - a.count);
  if (!first || first.count === 0 || first.count < least * words) return null;
  return first.count === second?.count ? null : first.code;
}
