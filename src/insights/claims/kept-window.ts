// "Between 2 and 4, came at 2:15": a time within the window that was promised is not late, whatever its words say.

import type { AnnotatedText } from '../text/annotate.ts';
import type { SentenceModel } from './model.ts';

/** The logit of what a sentence does not tell. */
const UNTOLD = -8;
const TIMES =
  /\b(\d{1,2}(?::\d\d)?) ?(?:[ap]m)? ?(?:and|to|-|–|till?|until) ?(\d{1,2}(?::\d\d)?)(?![\d:])[^.!?\d]{0,40}(?:came|come|arrived|here|there|showed|turned up|pulled (?:up|in)|knocked|rang)\b[^.!?\d]{0,15}(\d{1,2}(?::\d\d)?)(?![\d:])/iu;
const LATE = /^(?:punctuality-|scheduling-|!late-arrival)$/;

/** Takes lateness from the logits of sentences whose times say the opposite. */
export function removeKeptWindows(
  { text, sentences }: AnnotatedText,
  logits: readonly Float64Array[],
  { classes }: Pick<SentenceModel, 'classes'>,
): void {
  if (!TIMES.test(text)) return;
  sentences.forEach(({ start, end }, at) => {
    const times = TIMES.exec(text.slice(start, end))?.slice(1);
    if (times === undefined || !isKept(times)) return;
    classes.forEach((name, index) => {
      if (LATE.test(name)) logits[at]![index] = UNTOLD;
    });
  });
}

/** Whether the last of three times is between the others, on a clock of twelve hours. */
function isKept(times: readonly string[]): boolean {
  const [from = 0, to = 0, came = 0] = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours % 12) + minutes / 60;
  });
  const after = (time: number) => (time - from + 12) % 12;
  return after(came) <= after(to);
}
