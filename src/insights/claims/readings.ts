// What the sentence model misreads: idioms that do not say what their words name ("honestly", "it's been six weeks"), and
// times, which were kept or not: "between 2 and 4, came at 2:15".

import type { AnnotatedText } from '../text/annotate.ts';
import type { SentenceModel } from './model.ts';
import rules from './readings.json' with { type: 'json' };

/** The logits of what a sentence does not tell, and of what it tells. */
const UNTOLD = -8;
const TOLD = 10;
const TIMES =
  /\b(\d{1,2}(?::\d\d)?) ?(?:[ap]m)? ?(?:and|to|-|–|till?|until) ?(\d{1,2}(?::\d\d)?)(?![\d:])[^.!?\d]{0,40}(?:came|come|arrived|here|there|it was|showed|turned up|pulled (?:up|in)|knocked|rang)\b[^.!?\d]{0,15}(\d{1,2}(?::\d\d)?)(?![\d:]| ?(?:min|hour|hr|day|week|deg|dollar|°|%))/iu;
const LATE = /^(?:punctuality-|!late-arrival)$/;
const LATE_OR_MOVED = /^(?:punctuality-|scheduling-|!late-arrival)$/;
const PUNCTUAL = /^punctuality\+$/;
/** How many hours after the beginning of a window somebody who is late still comes. */
const LATEST = 10;

const RULES = rules.map(({ stars: [least = 1, most = 5] = [], ...rule }) => ({
  least,
  most,
  of: rule.vertical,
  if: new RegExp(rule.if, 'iu'),
  unless: optional(rule.unless),
  next: optional(rule.next),
  told: optional(rule.told),
  untold: optional(rule.untold),
}));

function optional(pattern: string | undefined): RegExp | null {
  return pattern === undefined ? null : new RegExp(pattern, 'iu');
}

/** Whether a logit is as those of sentences that were read again. */
export function isSure(logit: number): boolean {
  return logit <= UNTOLD || logit >= TOLD;
}

/** Corrects the logits of the sentences that the model misreads. */
export function reread(
  { text, sentences }: Pick<AnnotatedText, 'text' | 'sentences'>,
  logits: readonly Float64Array[],
  { classes }: Pick<SentenceModel, 'classes'>,
  { rating, vertical }: { readonly rating: number; readonly vertical: string },
): void {
  const own = RULES.filter(
    ({ least, most, of = vertical }) => of === vertical && least <= rating && rating <= most,
  );
  const hasTimes = TIMES.test(text);
  if (!hasTimes && own.length === 0) return;
  const words = sentences.map(({ start, end }) => text.slice(start, end));
  words.forEach((sentence, at) => {
    const set = (names: RegExp | null, logit: number) =>
      classes.forEach((name, index) => {
        if (names?.test(name)) logits[at]![index] = logit;
      });
    for (const rule of own) {
      if (!rule.if.test(sentence) || rule.unless?.test(sentence)) continue;
      if (rule.next && !rule.next.test(words[at + 1] ?? '')) continue;
      set(rule.untold, UNTOLD);
      set(rule.told, TOLD);
    }
    const hours = hasTimes && hoursAfter(TIMES.exec(sentence)?.slice(1));
    if (!hours || hours.came > LATEST) return;
    const isKept = hours.came <= hours.window;
    if (isKept) set(LATE_OR_MOVED, UNTOLD);
    set(isKept ? PUNCTUAL : LATE, TOLD);
  });
}

/** How long after the first of three times the others are, in hours on a clock of twelve. */
function hoursAfter(times: readonly string[] | undefined) {
  if (times === undefined) return null;
  const [from = 0, to = 0, came = 0] = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours % 12) + minutes / 60;
  });
  const after = (time: number) => (time - from + 12) % 12;
  return { window: after(to), came: after(came) };
}
