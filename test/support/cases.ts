// How many cases the properties that take longest are tried on.

import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How many times as many cases as in `npm test`. */
    caseFactor: number;
  }
}

/** This many cases in `npm test`, ten times as many in `npm run test:long`. */
export function cases(count: number): number {
  return count * inject('caseFactor');
}
