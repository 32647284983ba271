// The one JSON shape of every error: the members of RFC 9457, and the issues of bad input.

import { z } from 'zod';

const issueSchema = z.strictObject({
  code: z.string().describe('for programs'),
  path: z
    .array(z.union([z.string(), z.int()]))
    .readonly()
    .describe('the parameter or the field that it is about'),
  message: z.string().describe('what was expected, and what came'),
});

export const problemSchema = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().describe('the status in words'),
  status: z.int().min(400).max(599),
  detail: z.string().describe('what went wrong, for people'),
  issues: z
    .array(issueSchema)
    .min(1)
    .readonly()
    .optional()
    .describe('on every 400: all problems of the request at once'),
});

export type Problem = z.infer<typeof problemSchema>;
