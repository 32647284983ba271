// What several steps of the analysis ask of a text, so that it is found once.

import { once } from '../once.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import type { Vertical } from '../verticals/verticals.ts';
import { findBill } from './bills.ts';
import { findOthers } from './others.ts';
import { findPromise, type PromiseOutcome } from './promises.ts';

export interface Facts {
  /** For each clause 1 if it is about somebody else. */
  readonly others: Uint8Array;
  /** What became of a promise about time, and of a quote. */
  readonly promise: () => PromiseOutcome | null;
  readonly bill: () => PromiseOutcome | null;
}

export function factsOf(
  annotated: AnnotatedText,
  { others, own }: Pick<Vertical, 'others' | 'own'>,
): Facts {
  return {
    others: findOthers(annotated, others, own),
    promise: once(() => findPromise(annotated)),
    bill: once(() => findBill(annotated)),
  };
}
