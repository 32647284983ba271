// Searches by words: usual ones, and hostile ones that try to cost much.

import { writeCorpus } from './corpus.ts';

/** One to three words of one sentence, always the same, common and rare ones. */
export function buildWordSearches(): string[] {
  const texts = Array.from(writeCorpus(400), ({ text }) => text ?? '').filter(
    (text) => text !== '',
  );
  return texts.slice(0, 200).flatMap((text, number) => {
    const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const start = (number * 7) % Math.max(1, words.length - 3);
    const chosen = words.slice(start, start + 1 + (number % 3));
    // The space ends the last word, which is not a prefix.
    return chosen.length === 0 ? [] : [`${chosen.join(' ')} `];
  });
}

/** The longest search by words, in characters and in words, that is not refused. */
const LONG = 200;
const MANY = 50;

/** Hostile searches by their names. */
export function buildHostileSearches(): Readonly<Record<string, string>> {
  const texts = Array.from(writeCorpus(50), ({ text }) => text ?? '');
  const all = texts.join(' ').toLowerCase();
  const words = [...new Set(all.match(/[a-z]{2,}/g))].slice(0, MANY);
  const one =
    texts
      .find((text) => text.length > 2 * LONG)
      ?.toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const phrases = Array.from({ length: 8 }, (_, at) => `"${one.slice(at, at + 5).join(' ')}"`);
  return {
    '200 equal letters': 'a'.repeat(LONG),
    '200 characters of texts': all.slice(0, LONG),
    '50 words of one text': one.slice(0, MANY).join(' '),
    '50 words of several texts': words.join(' '),
    '50 unknown words': Array.from({ length: MANY }, (_, at) => `unknown${at}`).join(' '),
    'only stop words': 'the and in of to a was it for on with that they is had',
    'only exclusions': words.map((word) => `-${word}`).join(' '),
    'exclusions of stop words': '-the -and -of -to -was -it',
    'an unclosed quote': `"${all.slice(0, LONG - 1)}`,
    'only quotes': '"'.repeat(LONG),
    '8 phrases of stop words':
      '"of the" "and the" "in the" "to the" "that the" "was in" "it was" "had to"',
    '8 phrases of five words': phrases.join(' '),
    emoji: '👩🏽‍🔧👍'.repeat(20),
    'right-to-left': '\u202eשירות מצוין خدمة ممتازة\u202c',
    'the shortest prefix': 'the sta',
    'misspelled words': 'watre heatre kitchin',
  };
}
