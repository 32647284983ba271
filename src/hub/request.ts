// What a subscriber asks of the hub: a form of a few fields (WebSub, section 5.1) to a request, or all
// that is wrong with it.

import { createHash } from 'node:crypto';
import type { HubConfig } from '../config.ts';
import { type Issue, type Parsed, show } from '../errors.ts';
import { TOPIC_PATHS } from '../snapshot/documents.ts';
import type { NewIntent } from '../store/subscriptions.ts';
import type { AddressPolicy } from './addresses.ts';
import { comparable, problemOfCallback, targetOf } from './callback-url.ts';

/** In bytes of UTF-8; a secret must have fewer (section 5.1). */
const SECRET_BYTES = 200;

/** Characters of a key that is the URL itself. */
const LONGEST_KEY = 600;

/** Fields that mean something here; others are ignored, as the Recommendation demands. */
const FIELDS = [
  'hub.mode',
  'hub.topic',
  'hub.callback',
  'hub.lease_seconds',
  'hub.secret',
  'hub.verify_token',
] as const;
type Field = (typeof FIELDS)[number];

export interface RequestContext {
  readonly hub: HubConfig;
  readonly addresses: AddressPolicy;
  /** The origin under which the topics are published. */
  readonly origin: string;
}

/** Parses the body of a request, form-encoded UTF-8, to the intent that it states. */
export function parseHubRequest(body: Buffer, context: RequestContext): Parsed<NewIntent> {
  const issues: Issue[] = [];
  const refuse = (field: Field, code: string, message: string) => {
    issues.push({ code, path: [field], message });
  };
  const fields = readFields(body, refuse);
  const mode = fields.get('hub.mode');
  if (mode !== 'subscribe' && mode !== 'unsubscribe') {
    refuse('hub.mode', 'invalid_value', `expected subscribe or unsubscribe, got ${show(mode)}`);
  }
  const topicUrl = fields.get('hub.topic') ?? '';
  const topic = topicOf(topicUrl, context.origin);
  if (topic === undefined) {
    const topics = TOPIC_PATHS.map((path) => context.origin + path).join(' or ');
    const got = show(fields.get('hub.topic'));
    refuse('hub.topic', 'unknown_topic', `expected ${topics}, got ${got}`);
  }
  const callback = fields.get('hub.callback');
  const problem =
    callback === undefined
      ? 'expected a URL that begins with https:// and a host, got nothing'
      : problemOfCallback(callback, context.addresses, context.origin);
  if (problem !== null) refuse('hub.callback', 'invalid_callback', problem);
  const lease = fields.get('hub.lease_seconds');
  const wish = lease === undefined ? context.hub.leaseDefaultSeconds : Number(lease);
  if (lease !== undefined && !(/^\d+$/.test(lease) && wish > 0 && Number.isSafeInteger(wish))) {
    const message = `expected a positive number of seconds in decimal digits, got ${show(lease)}`;
    refuse('hub.lease_seconds', 'invalid_value', message);
  }
  const secret = fields.get('hub.secret') ?? null;
  const secretBytes = secret === null ? 0 : Buffer.byteLength(secret);
  if (secretBytes >= SECRET_BYTES) {
    const message = `expected fewer than ${SECRET_BYTES} bytes, got ${secretBytes}`;
    refuse('hub.secret', 'too_long', message);
  }
  if (issues.length > 0 || topic === undefined || callback === undefined) {
    return { ok: false, issues };
  }
  return {
    ok: true,
    value: {
      mode: mode === 'unsubscribe' ? mode : 'subscribe',
      topic,
      topicUrl,
      callback,
      callbackKey: keyOf(callback),
      host: targetOf(callback).host,
      leaseSeconds: grantedLease(wish, context.hub),
      secret,
      verifyToken: fields.get('hub.verify_token') ?? null,
    },
  };
}

/** The fields that were given; empty ones, which some clients send for none, are left out. */
function readFields(
  body: Buffer,
  refuse: (field: Field, code: string, message: string) => void,
): ReadonlyMap<Field, string> {
  const given = new URLSearchParams(body.toString('utf8'));
  const fields = new Map<Field, string>();
  const isUnsubscribe = given.get('hub.mode') === 'unsubscribe';
  for (const field of FIELDS) {
    // There it is ignored, whatever it is (section 5.1).
    if (field === 'hub.lease_seconds' && isUnsubscribe) continue;
    const values = given.getAll(field);
    const [value = ''] = values;
    if (values.length > 1) {
      refuse(field, 'repeated', `expected it once, got it ${values.length} times`);
    } else if (value.includes('\0')) {
      refuse(field, 'invalid_value', 'expected text without the character U+0000');
    } else if (value.includes('\uFFFD')) {
      refuse(field, 'invalid_encoding', 'expected UTF-8, percent-encoded, got other bytes');
    }
    if (value !== '') fields.set(field, value);
  }
  return fields;
}

/** The same for all spellings of a URL; never longer than what a database can index. */
function keyOf(callback: string): string {
  const key = comparable(callback);
  if (key.length <= LONGEST_KEY) return key;
  return `sha256:${createHash('sha256').update(key).digest('base64url')}`;
}

function topicOf(topicUrl: string, origin: string): (typeof TOPIC_PATHS)[number] | undefined {
  const asked = comparable(topicUrl);
  return TOPIC_PATHS.find((path) => comparable(origin + path) === asked);
}

/** The lease that is announced is the one that is enforced: the wish, within the limits. */
function grantedLease(wish: number, { leaseMinSeconds, leaseMaxSeconds }: HubConfig): number {
  return Math.min(Math.max(wish, leaseMinSeconds), leaseMaxSeconds);
}
