// Operations of what proves reviews: their verification, and the transparency log.

import type { OperationIn } from '../model/routes.ts';
import { read, reviewIdParameter } from './reading.ts';
import { BINARY, jsonContent, TEXT } from './responses.ts';
import parts from './parts.json' with { type: 'json' };
import type { Described, OperationDetails, Parameter } from '../model/openapi.ts';

export function proofDetails({
  example,
}: Pick<Described, 'example'>): Record<OperationIn<'Proof'>, OperationDetails> {
  const ofReview = { parameters: [reviewIdParameter(example)], missing: 'UnknownReview' } as const;
  // A snapshot of an earlier version has no log.
  const ofLog = { isCompressed: true, missing: 'NotFound' } as const;
  return {
    getReviewVerification: read('getReviewVerification', {
      description:
        'What the business says of how it verified the review, and what the source says.',
      content: jsonContent('ReviewVerification'),
      ...ofReview,
    }),
    getVerification: read('getVerification', {
      description: 'Also how many reviews are withheld and removed, and why.',
      content: jsonContent('VerificationCounts'),
      missing: 'NotFound',
    }),
    getReviewProof: read('getReviewProof', {
      description:
        'The digest is SHA-256 of the salt and the canonical JSON (RFC 8785) of the review; the entry ' +
        'hashes to the leaf (RFC 6962), and leaf, index and proof lead to the root of the checkpoint.',
      content: jsonContent('ReviewProof'),
      ...ofReview,
    }),
    getCheckpoint: read('getCheckpoint', {
      description:
        'A signed note (https://c2sp.org/tlog-checkpoint) with the cosignatures of the configured witnesses.',
      content: { 'text/plain': TEXT },
      ...ofLog,
    }),
    getLogKey: read('getLogKey', {
      description: 'A verifier key (https://c2sp.org/signed-note) on each line.',
      content: { 'text/plain': TEXT },
      ...ofLog,
    }),
    getLogSalts: read('getLogSalts', { content: jsonContent('LogSalts'), ...ofLog }),
    getLogTile: read('getLogTile', {
      description: 'As https://c2sp.org/tlog-tiles has it.',
      content: { 'application/octet-stream': BINARY },
      parameters: [parts.tilePath as Parameter],
      ...ofLog,
    }),
  };
}
