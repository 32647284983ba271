// Operations of what proves reviews: their verification, and the transparency log.

import type { OperationIn } from '../model/routes.ts';
import { bodyRead, recordRead, reviewIdParameter } from './reading.ts';
import { answerRef, jsonContent } from './responses.ts';
import type { Described, MediaType, OperationDetails } from './types.ts';

const TEXT: Readonly<Record<string, MediaType>> = { 'text/plain': { schema: { type: 'string' } } };
const BINARY: Readonly<Record<string, MediaType>> = { 'application/octet-stream': { schema: {} } };

export function proofDetails({
  example,
}: Pick<Described, 'example'>): Record<OperationIn<'Proof'>, OperationDetails> {
  const id = reviewIdParameter(example);
  const proof = recordRead('getReviewProof', jsonContent('ReviewProof'), [id]);
  const verification = recordRead('getReviewVerification', jsonContent('ReviewVerification'), [id]);
  const tile = bodyRead('getLogTile', BINARY, [
    {
      name: 'path',
      in: 'path',
      required: true,
      description:
        'level and index of the tile, or `entries` and index of the bundle, as in `0/x001/234` or ' +
        '`entries/000.p/17`',
      schema: { type: 'string' },
    },
  ]);
  return {
    getReviewVerification: {
      description:
        'What the business says of how it verified the review, and what the source says.',
      ...verification,
      responses: { ...verification.responses, '404': answerRef('UnknownReview') },
    },
    getVerification: withMissing({
      description: 'Also how many reviews are withheld and removed, and why.',
      ...recordRead('getVerification', jsonContent('VerificationCounts')),
    }),
    getReviewProof: {
      description:
        'The digest is SHA-256 of the salt and the canonical JSON (RFC 8785) of the review; the entry ' +
        'hashes to the leaf (RFC 6962), and leaf, index and proof lead to the root of the checkpoint.',
      ...proof,
      responses: { ...proof.responses, '404': answerRef('UnknownReview') },
    },
    getCheckpoint: withMissing({
      description:
        'A signed note (https://c2sp.org/tlog-checkpoint) with the cosignatures of the configured witnesses.',
      ...bodyRead('getCheckpoint', TEXT),
    }),
    getLogKey: withMissing({
      description: 'A verifier key (https://c2sp.org/signed-note) on each line.',
      ...bodyRead('getLogKey', TEXT),
    }),
    getLogSalts: withMissing(bodyRead('getLogSalts', jsonContent('LogSalts'))),
    getLogTile: withMissing({ description: 'As https://c2sp.org/tlog-tiles has it.', ...tile }),
  };
}

/** A snapshot of an earlier version has no log. */
function withMissing(details: OperationDetails): OperationDetails {
  return { ...details, responses: { ...details.responses, '404': answerRef('NotFound') } };
}
