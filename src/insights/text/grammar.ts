// Closed word classes of English, used to find clauses, opinions and nouns.

import grammar from './grammar.json' with { type: 'json' };

/** The words of a list that spaces separate. */
export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** From zero to twenty. */
export const NUMBER_WORDS =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
   seventeen eighteen nineteen twenty`.split(/\s+/);

/** Words that begin a contrast with the clause before. */
export const CONTRASTS = setOf(
  'but however yet except nevertheless nonetheless unfortunately sadly',
);
/** Words that begin a concession, which the rest of the sentence outweighs. */
export const CONCESSIONS = setOf(
  'although though despite while whereas albeit whilst notwithstanding',
);
export const CONJUNCTIONS = setOf(
  'and or so because since when which who as then plus where whose until after before cause that than',
);
export const SUBJECTS = setOf(
  `i we they he she it you this that these those there everyone everything nobody someone the my our
   your his her their its a an both all some no every each one what here`,
);
export const CONDITIONS = setOf('if unless whether');
/** Auxiliaries and common verbs in a finite form. Regular past forms are recognised by their ending. */
export const FINITE = setOf(grammar.finite);
/** The most common function words: they say nothing about what a sentence is about. */
export const STOP_WORDS = setOf(grammar.stop);
/** All words that cannot be the noun after an adjective. */
export const FUNCTION_WORDS = STOP_WORDS.union(setOf(grammar.function));
export const INTENSIFIERS = setOf(grammar.intensifiers);
export const DIMINISHERS = setOf(
  `somewhat slightly bit little fairly kinda sorta rather partly mildly relatively moderately
   sometimes occasionally reasonably almost mostly generally`,
);
/** Verbs of what is not the case: "would be great", "could be better". */
export const UNREAL = setOf('would could should might ought');
