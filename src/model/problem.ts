// The JSON of every error: the members of RFC 9457 and the issues of invalid input.

import { z } from 'zod';

const issueSchema = z.strictObject({
  code: z.string().describe('machine-readable'),
  path: z
    .array(z.union([z.string(), z.int()]))
    .readonly()
    .describe('the parameter or field concerned'),
  message: z.string().describe('what was expected and what was given'),
});

export const problemSchema = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().describe('name of the status'),
  status: z.int().min(400).max(599),
  detail: z.string().describe('what went wrong, human-readable'),
  issues: z
    .array(issueSchema)
    .min(1)
    .readonly()
    .optional()
    .describe('on every 400: all issues of the request'),
});

export type Problem = z.infer<typeof problemSchema>;
