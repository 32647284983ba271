// The answers about the transparency log.

import { z } from 'zod';

const index = z.int().min(0);
const hash = z.string().describe('SHA-256 in base64');

export const reviewProofSchema = z.strictObject({
  entry: z.string().describe('the newest entry of the review: the bytes that are hashed, in UTF-8'),
  index: index.describe('index of the entry in the log, from 0'),
  leaf_hash: hash.describe('SHA-256 of a zero byte and the entry'),
  inclusion_proof: z.array(hash).describe('from the sibling of the leaf to the child of the root'),
  salt: z
    .string()
    .describe('16 bytes in base64; the digest in the entry is that of the salt and the review'),
  checkpoint: z.string().describe('the signed note with size and root of the log'),
  keys: z.array(z.string()).describe('the verifier keys of the log'),
});

export const logSaltsSchema = z.strictObject({
  size: index.describe('entries of the log that these salts belong to'),
  reviews: z
    .record(z.string(), z.tuple([index, z.string()]))
    .describe(
      'by the id of the review: the index of its newest entry, and the salt of its digest, in base64',
    ),
});

export type ReviewProof = z.infer<typeof reviewProofSchema>;
export type LogSalts = z.infer<typeof logSaltsSchema>;
