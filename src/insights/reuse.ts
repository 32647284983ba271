// Keys under which analyses are stored and reused: equal keys mean equal analyses.

import { hash } from 'node:crypto';
import type { Business } from '../model/business.ts';
import type { Review } from '../model/review.ts';

/** The analyser and its version. Increment it with every change of a result or of the type Analysis. */
export const ANALYSER = 'claims/17';

/** The keys of the analyses of a business's reviews. */
export interface AnalysisKeys {
  /** Hash of the analyser and of the parts of the business that it reads. */
  readonly context: string;
  /** Of one review, its context and what a language model claims included. */
  readonly keyOf: (review: Review, claims?: string) => string;
}

export function analysisKeys(business: Business): AnalysisKeys {
  const { name, legal_name, vertical, services, technicians, service_areas } = business;
  const context = digest([
    ANALYSER,
    { name, legal_name, vertical, services, technicians, service_areas },
  ]);
  return {
    context,
    keyOf: ({ author, rating, text }, claims) =>
      digest([context, author, rating, text, ...(claims === undefined ? [] : [claims])]),
  };
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url');
}
