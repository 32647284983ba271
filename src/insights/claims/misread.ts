// Finds sentences that read like a claim and tell something else: words with another meaning ("the emergency room"), a time
// that was kept ("between 2 and 4, came at 2:15").

import type { AnnotatedText } from '../text/annotate.ts';
import type { SentenceModel } from './model.ts';

/** The logit of what a sentence does not tell. */
const UNTOLD = -8;
/** What is misread, and the beginnings of the names of classes that its sentence does not tell. */
const MISREADINGS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(\d{1,2}(?::\d\d)?) ?(?:[ap]m)? ?(?:and|to|-|–|till?|until) ?(\d{1,2}(?::\d\d)?)(?![\d:])[^.!?\d]{0,40}(?:came|come|arrived|here|there|showed|turned up|pulled (?:up|in)|knocked|rang)\b[^.!?\d]{0,15}(\d{1,2}(?::\d\d)?)(?![\d:])/iu,
    /^(?:punctuality-|scheduling-|!late-arrival)$/,
  ],
  [
    /\b(?:luggage|baggage) (?:compartment|rack|trolley|tag|label)s?\b/iu,
    /^(?:baggage|!lost-luggage)/,
  ],
  [
    /\bemergency rooms?\b|\broom for (?:improvement|error|doubt|more)\b/iu,
    /^(?:facilit|room_and|ambience)/,
  ],
  [/\bworth the wait\b|\b(?:can['’]?t|cannot) wait\b/iu, /^(?:waiting-|speed-|!long-wait)$/],
];

/** Takes what a sentence does not tell from its logits. */
export function removeMisread(
  { text, sentences }: AnnotatedText,
  logits: readonly Float64Array[],
  { classes }: Pick<SentenceModel, 'classes'>,
): void {
  for (const [pattern, misread] of MISREADINGS) {
    if (!pattern.test(text)) continue;
    sentences.forEach(({ start, end }, at) => {
      const match = pattern.exec(text.slice(start, end));
      if (match === null || !isKept(match.slice(1))) return;
      classes.forEach((name, index) => {
        if (misread.test(name)) logits[at]![index] = UNTOLD;
      });
    });
  }
}

/** Whether the last of three times is between the others, on a clock of twelve hours; true without times. */
function isKept(times: readonly (string | undefined)[]): boolean {
  const [from = 0, to = 0, came = 0] = times.map((time = '') => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours % 12) + minutes / 60;
  });
  const after = (time: number) => (time - from + 12) % 12;
  return after(came) <= after(to);
}
