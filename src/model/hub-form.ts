// The form of a subscription request to the hub (WebSub, section 5.1), with the checks of its fields that
// do not depend on this hub.

import { z } from 'zod';
import { expected } from './issues.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Maximum bytes of a request: enough for two long URLs and a secret. */
export const MAX_REQUEST_BYTES = 8 * 1024;

/** A secret must have fewer bytes of UTF-8 (section 5.1). */
const SECRET_BYTES = 200;

/** The hub repeats the token to the callback, percent-encoded. */
export const MAX_TOKEN_LENGTH = 512;

const SECONDS = expected('a positive number of seconds in decimal digits');

export const hubFormSchema = z.object({
  'hub.mode': z.enum(['subscribe', 'unsubscribe'], expected('subscribe or unsubscribe')),
  'hub.topic': z.string().describe('URL of the topic, as its Link header names it'),
  'hub.callback': z
    .string()
    .max(2048)
    .describe('where deliveries go: an https URL at a public address')
    .meta({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]://' }),
  'hub.lease_seconds': z
    .string()
    .regex(/^0*[1-9]\d{0,15}$/, SECONDS)
    .refine((text) => Number.isSafeInteger(Number(text)), SECONDS)
    .optional()
    .describe('requested lease; ignored with unsubscribe'),
  'hub.secret': z
    .string()
    .refine((text) => Buffer.byteLength(text) < SECRET_BYTES, {
      error: ({ input }) =>
        `expected fewer than ${SECRET_BYTES} bytes, got ${Buffer.byteLength(String(input))}`,
    })
    .optional()
    .meta({
      description: 'deliveries are signed with it; fewer than 200 bytes',
      maxLength: SECRET_BYTES - 1,
    }),
  'hub.verify_token': z
    .string()
    .refine((text) => encodeURIComponent(text).length <= MAX_TOKEN_LENGTH, {
      error: ({ input }) =>
        `expected at most ${MAX_TOKEN_LENGTH} characters, percent-encoded, ` +
        `got ${encodeURIComponent(String(input)).length}`,
    })
    .optional()
    .meta({
      description: 'of PubSubHubbub 0.3: repeated in the verification request',
      maxLength: MAX_TOKEN_LENGTH,
    }),
});

export type HubField = keyof typeof hubFormSchema.shape;

/** The known fields; others are ignored, as the Recommendation requires. */
export const HUB_FIELDS = Object.keys(hubFormSchema.shape) as HubField[];
