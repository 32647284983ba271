// Parses a subscription request: a form with a few fields (WebSub, section 5.1) to an intent, or to all its
// issues.

import { createHash } from 'node:crypto';
import type { HubConfig } from '../config.ts';
import { type Issue, type Parsed, show } from '../errors.ts';
import { HUB_FIELDS, type HubField, hubFormSchema } from '../model/hub-form.ts';
import { TOPIC_PATHS } from '../snapshot/documents.ts';
import type { NewIntent } from '../store/hub/intents.ts';
import { normalized } from './callback-url.ts';
import { type CallbackPolicy, parseCallback } from './parse-callback.ts';

/** Characters of a URL that is its own key; longer ones are hashed. */
const MAX_KEY_LENGTH = 600;

/** `origin` is the hub's own, under which the topics are published. */
interface RequestContext extends CallbackPolicy {
  readonly hub: HubConfig;
}

export function parseHubRequest(body: Buffer, context: RequestContext): Parsed<NewIntent> {
  const issues: Issue[] = [];
  const refuse = (field: HubField, code: string, message: string) => {
    issues.push({ code, path: [field], message });
  };
  const fields = readFields(body, refuse);
  /** Checks a field against the schema of the form. */
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
  const callback = parseCallback(fields.get('hub.callback'), context);
  if (!callback.ok) issues.push(...callback.issues);
  check('hub.lease_seconds', 'invalid_value');
  check('hub.secret', 'too_long');
  check('hub.verify_token', 'too_long');
  if (issues.length > 0 || topic === undefined || !callback.ok) return { ok: false, issues };
  return {
    ok: true,
    value: {
      mode: fields.get('hub.mode') === 'unsubscribe' ? 'unsubscribe' : 'subscribe',
      topic,
      topic_url: topicUrl,
      callback: callback.value,
      callback_key: keyOf(callback.value.href),
      lease_seconds: leaseSecondsOf(fields.get('hub.lease_seconds'), context.hub),
      secret: fields.get('hub.secret') ?? null,
      verify_token: fields.get('hub.verify_token') ?? null,
    },
  };
}

/** The fields of the form. Empty ones are left out, because some clients send them for absent ones. */
function readFields(
  body: Buffer,
  refuse: (field: HubField, code: string, message: string) => void,
): ReadonlyMap<HubField, string> {
  const given = new URLSearchParams(body.toString('utf8'));
  const fields = new Map<HubField, string>();
  const isUnsubscribe = given.get('hub.mode') === 'unsubscribe';
  for (const field of HUB_FIELDS) {
    // Ignored on unsubscribe, even if invalid (section 5.1).
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

/** Equal for all spellings of a URL, and short enough for a database index. */
function keyOf(href: string): string {
  const key = normalized(href);
  if (key.length <= MAX_KEY_LENGTH) return key;
  return `sha256:${createHash('sha256').update(key).digest('base64url')}`;
}

function topicOf(topicUrl: string, origin: string): (typeof TOPIC_PATHS)[number] | undefined {
  const requested = normalized(topicUrl);
  return TOPIC_PATHS.find((path) => normalized(origin + path) === requested);
}

/** The requested lease within the limits, or the default. The hub announces and enforces this number. */
function leaseSecondsOf(requested: string | undefined, hub: HubConfig): number {
  if (requested === undefined) return hub.leaseDefaultSeconds;
  return Math.min(Math.max(Number(requested), hub.leaseMinSeconds), hub.leaseMaxSeconds);
}
