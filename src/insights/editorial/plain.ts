// Decides whether a quote is plain: it is about one thing, and can be read without the sentences around it.

import type { Mention, ReviewInsights } from '../../model/insights.ts';

/** A verb without its complement ("The noise isn't, …"), a riddle, or a word for an earlier sentence. */
const ELLIPTICAL =
  /\b(?:is|was|are|were|do|does|did|has|have|could|would|should)(?:n['’]t| not)\s*[,.;:!?]|^guess who\b|^so:|\b(?:told|said|knew) (?:that|this|it) (?:is|was)\b/i;
/** The most parts between commas of a sentence that is no list. */
const MANY_PARTS = 4;
/** Aspects that one sentence may be about without digressing. */
const RELATED: readonly ReadonlySet<string>[] = [
  new Set(['staff', 'friendliness', 'professionalism']),
  new Set(['pricing', 'value', 'transparency', 'fees', 'billing']),
  new Set(['punctuality', 'scheduling', 'responsiveness', 'speed', 'waiting']),
  new Set([
    'quality_of_work',
    'problem_resolution',
    'technical_knowledge',
    'quality',
    'expertise',
    'knowledge',
  ]),
  new Set(['communication', 'transparency', 'responsiveness']),
  new Set(['room_and_seat', 'facilities', 'facility', 'ambience']),
];

/** Whether a phrase answers a sentence that is missing. */
export function isElliptical(phrase: string): boolean {
  return ELLIPTICAL.test(phrase);
}

/** How many other things a phrase speaks of: a quote answers one question. */
export function digressionsOf({ aspects, problems }: ReviewInsights, mention: Mention): number {
  const { id, phrase } = mention;
  const about = aspects.filter(
    (one) => one.phrase === phrase && one.id !== id && !isRelated(one.id, id),
  );
  const isAspect = aspects.some((one) => one.id === id);
  const wrong = problems.filter((one) => one.phrase === phrase).length - 1;
  const listed = phrase.split(',').length > MANY_PARTS ? 1 : 0;
  return Math.max(0, isAspect ? about.length : about.length - 1, wrong) + listed;
}

function isRelated(a: string, b: string): boolean {
  return RELATED.some((ids) => ids.has(a) && ids.has(b));
}
