// An index of words in its own process: built from the corpus, asked and timed.

import { answerQuestions } from '../companion.ts';
import { writeCorpus } from '../corpus.ts';

export type WordsQuestion =
  | { readonly kind: 'build'; readonly size: number }
  | { readonly kind: 'count' | 'time'; readonly searches: readonly string[] };

export interface WordsBuilt {
  readonly seconds: number;
}

export interface WordsTimed {
  /** One for each search. */
  readonly ms: readonly number[];
  readonly perCpuSecond: number;
}

/** Finds the 20 most relevant of the texts that have all words, and returns the number of all. */
export type CountMatches = (words: string) => number;

const REPEAT_MS = 2_000;
const REPEAT_TIMES = 20;

export function serveWords(
  build: (texts: readonly (string | null)[]) => CountMatches | Promise<CountMatches>,
): void {
  const kept: { search: CountMatches | null } = { search: null };
  const current = (): CountMatches => {
    if (!kept.search) throw new Error('nothing was built');
    return kept.search;
  };
  answerQuestions(async (question: WordsQuestion): Promise<WordsBuilt | number[] | WordsTimed> => {
    switch (question.kind) {
      case 'build': {
        const texts = Array.from(writeCorpus(question.size), ({ text }) => text);
        const begin = performance.now();
        kept.search = await build(texts);
        return { seconds: (performance.now() - begin) / 1000 };
      }
      case 'count':
        return question.searches.map(current());
      case 'time':
        return time(current(), question.searches);
    }
  });
}

function time(search: CountMatches, searches: readonly string[]): WordsTimed {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const sums = new Float64Array(searches.length);
  let times = 0;
  do {
    times += 1;
    searches.forEach((words, index) => {
      const begin = performance.now();
      search(words);
      sums[index] = (sums[index] as number) + performance.now() - begin;
    });
  } while (performance.now() - started < REPEAT_MS && times < REPEAT_TIMES);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ms: Array.from(sums, (sum) => sum / times),
    perCpuSecond: (searches.length * times * 1_000_000) / (user + system),
  };
}
