// The three requests that the hub sends to callbacks: a challenge, content, and word that it is over.

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { HubConfig } from '../config.ts';
import { linksOf } from '../snapshot/documents.ts';
import type { Outcome } from '../store/outcomes.ts';
import type { CallbackClient, Reply } from './callback.ts';
import { withoutQuery } from './callback-url.ts';
import { type Job, timeoutMs } from './claims.ts';
import type { HubMetrics } from './metrics.ts';

/** The longest wait that a subscriber can ask for with Retry-After. */
const LONGEST_WAIT_MS = 3_600_000;
/** Retries come up to so much later than they could, so that they do not come all at once. */
const JITTER = 0.1;

export interface JobParts {
  readonly hub: HubConfig;
  readonly callbacks: CallbackClient;
  readonly metrics: HubMetrics;
  readonly logger: FastifyBaseLogger;
}

/** Does a job; never fails, whatever the callback does. */
export async function runJob(job: Job, parts: JobParts): Promise<Outcome> {
  switch (job.kind) {
    case 'verify':
      return verify(job, parts);
    case 'deliver':
      return deliver(job, parts);
    case 'deny':
      return deny(job, parts);
  }
}

/** Verification of intent (WebSub, section 5.3). */
async function verify(
  { intent }: Extract<Job, { kind: 'verify' }>,
  { hub, callbacks, metrics, logger }: JobParts,
): Promise<Outcome> {
  const { mode, topic_url: topicUrl, callback } = intent;
  // 192 bits, in characters that no reader has to decode.
  const challenge = randomBytes(24).toString('base64url');
  const askedAt = Date.now();
  const reply = await callbacks.ask(
    callback,
    [
      ['hub.mode', mode],
      ['hub.topic', topicUrl],
      ['hub.challenge', challenge],
      ['hub.lease_seconds', String(intent.lease_seconds)],
      ...(intent.verify_token === null
        ? []
        : ([['hub.verify_token', intent.verify_token]] as const)),
    ],
    challenge.length,
    timeoutMs(hub, 0),
  );
  const reason = whyUnconfirmed(reply, challenge);
  const outcome = reason === null ? 'confirmed' : 'unconfirmed';
  metrics.countVerification(mode, outcome);
  logger.info(
    {
      mode,
      topic: topicUrl,
      callback: withoutQuery(callback),
      outcome,
      ...(reason === null ? {} : { reason }),
      ms: Date.now() - askedAt,
    },
    'verification',
  );
  return reason === null
    ? { kind: 'confirmed', intent, askedAt, random: randomBytes(10) }
    : { kind: 'unconfirmed', intent };
}

/** Null where the challenge was answered: any 2xx, and its body to the byte (section 5.3.1). */
function whyUnconfirmed(reply: Reply, challenge: string): string | null {
  if (reply.kind === 'failed' || !isSuccess(reply.status)) return errorOf(reply);
  const isEqual = reply.body.toString('latin1') === challenge;
  return isEqual ? null : 'the answer is not the challenge';
}

/** Content distribution (section 7). */
async function deliver(
  { delivery, document, origin }: Extract<Job, { kind: 'deliver' }>,
  { hub, callbacks, metrics, logger }: JobParts,
): Promise<Outcome> {
  const { id, callback, topic, secret, failures } = delivery;
  const { body, contentType } = document;
  const startedAt = performance.now();
  const reply = await callbacks.deliver({
    callback,
    body,
    contentType,
    links: linksOf(document.path, origin),
    secret,
    timeoutMs: timeoutMs(hub, body.length),
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const outcome = outcomeOf(reply);
  metrics.countDelivery(topic, outcome, seconds);
  logger.info(
    {
      subscription: id,
      topic,
      callback: withoutQuery(callback),
      try: failures + 1,
      outcome,
      ...(outcome === 'acknowledged' ? {} : { reason: errorOf(reply) }),
      ms: Math.round(seconds * 1000),
    },
    'delivery',
  );
  if (outcome !== 'not_acknowledged') return { kind: outcome, delivery };
  const waitsMs = waitsOf(reply, hub);
  return { kind: outcome, delivery, error: errorOf(reply), waitsMs };
}

/** Denial (section 5.2): what the subscriber answers does not matter. */
async function deny(
  { denial }: Extract<Job, { kind: 'deny' }>,
  { hub, callbacks, logger }: JobParts,
): Promise<Outcome> {
  const { callback, topic_url: topicUrl, reason } = denial;
  await callbacks.ask(
    callback,
    [
      ['hub.mode', 'denied'],
      ['hub.topic', topicUrl],
      ['hub.reason', reason],
    ],
    0,
    timeoutMs(hub, 0),
  );
  logger.info({ topic: topicUrl, callback: withoutQuery(callback), reason }, 'denial');
  return { kind: 'denied', denial };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf(reply: Reply): 'acknowledged' | 'gone' | 'not_acknowledged' {
  if (reply.kind === 'failed') return 'not_acknowledged';
  if (isSuccess(reply.status)) return 'acknowledged';
  return reply.status === 410 ? 'gone' : 'not_acknowledged';
}

function errorOf(reply: Reply): string {
  return reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason;
}

/** The longest wait before another try, in ms. */
export function longestRetryMs({ retryDelaysSeconds }: HubConfig): number {
  const longest = Math.max(...retryDelaysSeconds.map((seconds) => 1000 * seconds), LONGEST_WAIT_MS);
  return Math.ceil(longest * (1 + JITTER));
}

/** The waits before a second and a third try: never shorter than the subscriber wishes, in reason. */
function waitsOf(reply: Reply, { retryDelaysSeconds }: HubConfig): readonly [number, number] {
  const asked =
    reply.kind === 'answered' && (reply.status === 429 || reply.status === 503)
      ? Math.min((reply.retryAfterSeconds ?? 0) * 1000, LONGEST_WAIT_MS)
      : 0;
  const wait = (seconds: number) =>
    Math.round(Math.max(seconds * 1000, asked) * (1 + JITTER * Math.random()));
  return [wait(retryDelaysSeconds[0]), wait(retryDelaysSeconds[1])];
}
