// Finds sentences that read like a claim and tell something else (misread.json): words with another meaning ("the emergency
// room"), a time that was kept ("between 2 and 4, came at 2:15"). Nothing was learned of them, so they are left out.

import type { AnnotatedText } from '../text/annotate.ts';
import { once } from '../once.ts';
import { classOfAspect, classOfProblem } from './classes.ts';
import { type Evidence, evidenceOfAspect, evidenceOfProblem } from './evidence.ts';
import misreadings from './misread.json' with { type: 'json' };
import type { SentenceModel } from './model.ts';

/** The logit of what a sentence does not tell. */
const UNTOLD = -8;

/** For each misreading its pattern, and the names of classes with the features of patterns that do not count in it. */
const MISREADINGS = once(() =>
  misreadings.map(({ pattern, classes }) => ({
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}:])`, 'iu'),
    misread: classes.map(featuresOf),
  })),
);

/** Of "punctuality-", "!late-arrival", or of "baggage", which are all classes of an aspect. */
function featuresOf(name: string) {
  if (name.startsWith('!')) {
    const { pattern, fact, clue } = evidenceOfProblem(name.slice(1));
    return { names: [classOfProblem(name.slice(1))], features: [...pattern, ...fact, ...clue] };
  }
  const aspect = name.replace(/-$/, '');
  const { praise, complaint, name: named } = evidenceOfAspect(aspect);
  if (name !== aspect) return { names: [name], features: [...complaint, ...named] };
  return {
    names: (['+', '-', '='] as const).map((sign) => classOfAspect(aspect, sign)),
    features: [...praise, ...complaint, ...named],
  };
}

/** The evidence that counts. What a sentence does not tell is taken from its logits, unless other words tell it. */
export function withoutMisread(
  { text, tokens, sentences }: AnnotatedText,
  evidence: readonly Evidence[],
  logits: readonly Float64Array[],
  { classes }: Pick<SentenceModel, 'classes'>,
): readonly Evidence[] {
  const dropped = new Set<Evidence>();
  for (const { pattern, misread } of MISREADINGS()) {
    if (!pattern.test(text)) continue;
    sentences.forEach(({ start, end, from, to }, at) => {
      const match = pattern.exec(text.slice(start, end));
      if (match === null || !isKept(match.slice(1))) return;
      const [first, last] = [start + match.index, start + match.index + match[0].length];
      for (const { names, features } of misread) {
        const own = evidence.filter(
          ({ token, feature }) => token >= from && token < to && features.includes(feature),
        );
        const within = own.filter(({ token }) => {
          const { start: begin = 0 } = tokens[token] ?? {};
          return begin >= first && begin < last;
        });
        for (const one of within) dropped.add(one);
        if (within.length < own.length) continue;
        for (const name of names) logits[at]![classes.indexOf(name)] = UNTOLD;
      }
    });
  }
  return dropped.size === 0 ? evidence : evidence.filter((one) => !dropped.has(one));
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
