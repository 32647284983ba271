// Closed word classes of English, used to find clauses, opinions and nouns.

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
export const FINITE = setOf(
  `is was are were be been am has had have do does did will would can could should may might must
   shall took came went made gave got said told called left found knew did saw felt thought kept let
   put ran sent spoke stood took understood wrote brought bought caught cost cut drove fell forgot
   heard held kept led lost meant met paid read said seemed looks looked tasted seems tastes feels goes
   comes makes takes gives gets knows works needs wants keeps says tells helps offers serves loves
   love like likes enjoy recommend need want think know get go come`,
);
/** The most common function words: they say nothing about what a sentence is about. */
export const STOP_WORDS = setOf(
  `a an the and or so for of in on at to from with by as than then that this these those it its i we
   you me us her my our your his their is was are were be been am has had have do does did will
   would which who what very really too also just there here too all any some`,
);
/** All words that cannot be the noun after an adjective. */
export const FUNCTION_WORDS = STOP_WORDS.union(
  setOf(
    `but yet nor without about he she they him them can could should may might must not no if when
   where whom whose why how because since while although though after before until during only even
   still always never ever again both every each more most much many few less least enough out up
   down off over under into onto through around between near within along across behind inside
   outside per via like unlike despite except however therefore well now today yesterday tomorrow
   soon later already almost quite rather pretty such own same other another one ones overall thanks
   thank please yes ok okay`,
  ),
);
export const INTENSIFIERS = setOf(
  `very really extremely so incredibly super absolutely totally completely truly exceptionally highly
   particularly especially remarkably utterly amazingly insanely ridiculously unbelievably seriously
   genuinely thoroughly beyond damn deeply hugely immensely wonderfully terribly awfully real mega
   ultra overly way far much always consistently extra downright outright entirely`,
);
export const DIMINISHERS = setOf(
  `somewhat slightly bit little fairly kinda sorta rather partly mildly relatively moderately
   sometimes occasionally reasonably almost mostly generally`,
);
/** Verbs of what is not the case: "would be great", "could be better". */
export const UNREAL = setOf('would could should might ought');
