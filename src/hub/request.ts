// What a subscriber asks of the hub: a form of a few fields (WebSub, section 5.1) to a request, or all
// that is wrong with it.

import { createHash } from 'node:crypto';
import type { HubConfig } from '../config.ts';
import { type Issue, type Parsed, show } from '../errors.ts';
import { HUB_FIELDS, type HubField, hubFormSchema } from '../model/hub-form.ts';
import { TOPIC_PATHS } from '../snapshot/documents.ts';
import type { NewIntent } from '../store/intents.ts';
import type { AddressPolicy } from './addresses.ts';
import { comparable, problemOfCallback, targetOf } from './callback-url.ts';
import { domainOf } from './domains.ts';

/** Characters of a key that is the URL itself. */
const LONGEST_KEY = 600;

export interface RequestContext {
  readonly hub: HubConfig;
  readonly addresses: AddressPolicy;
  /** The origin under which the topics are published. */
  readonly origin: string;
}

/** Parses the body of a request, form-encoded UTF-8, to the intent that it states. */
export function parseHubRequest(body: Buffer, context: RequestContext): Parsed<NewIntent> {
  const issues: Issue[] = [];
  const refuse = (field: HubField, code: string, message: string) => {
    issues.push({ code, path: [field], message });
  };
  const fields = readFields(body, refuse);
  /** Refuses what the form forbids, whoever the hub is. */
  const check = (field: HubField, code: string) => {
    const { error } = hubFormSchema.shape[field].safeParse(fields.get(field));
    const [issue] = error?.issues ?? [];
    if (issue) refuse(field, code, issue.message);
  };
  check('hub.mode', 'invalid_value');
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
  check('hub.lease_seconds', 'invalid_value');
  check('hub.secret', 'too_long');
  if (issues.length > 0 || topic === undefined || callback === undefined) {
    return { ok: false, issues };
  }
  const { host } = targetOf(callback);
  return {
    ok: true,
    value: {
      mode: fields.get('hub.mode') === 'unsubscribe' ? 'unsubscribe' : 'subscribe',
      topic,
      topicUrl,
      callback,
      callbackKey: keyOf(callback),
      host,
      domain: domainOf(host),
      leaseSeconds: grantedLease(wish, context.hub),
      secret: fields.get('hub.secret') ?? null,
      verifyToken: fields.get('hub.verify_token') ?? null,
    },
  };
}

/** The fields that were given; empty ones, which some clients send for none, are left out. */
function readFields(
  body: Buffer,
  refuse: (field: HubField, code: string, message: string) => void,
): ReadonlyMap<HubField, string> {
  const given = new URLSearchParams(body.toString('utf8'));
  const fields = new Map<HubField, string>();
  const isUnsubscribe = given.get('hub.mode') === 'unsubscribe';
  for (const field of HUB_FIELDS) {
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
