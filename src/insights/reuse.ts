// What an analysis depends on, as a key: equal keys have equal analyses, so that one that was kept can be
// used again.

import { hash } from 'node:crypto';
import type { Business } from '../model/business.ts';
import type { Review } from '../model/review.ts';

/** The analyser and its version, which grows whenever it would find something else in some review. */
export const ANALYSER = 'clauses-lexicon/4';

/** Keys of the analyses of a business's reviews. */
export interface AnalysisKeys {
  /** Of what all of them share: the analyser, and the business as far as it matters. */
  readonly context: string;
  /** Of one review, its context included. */
  readonly keyOf: (review: Review) => string;
}

export function analysisKeys(business: Business): AnalysisKeys {
  const { name, legal_name, vertical, services, technicians, service_areas } = business;
  const context = digest([
    ANALYSER,
    { name, legal_name, vertical, services, technicians, service_areas },
  ]);
  return {
    context,
    keyOf: ({ author, rating, text }) => digest([context, author, rating, text]),
  };
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url');
}
