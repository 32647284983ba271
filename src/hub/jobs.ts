// The three requests that the hub sends to callbacks: a challenge, content, and a denial.

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { HubConfig } from '../config.ts';
import { linksOf } from '../snapshot/documents.ts';
import type { Outcome } from '../store/outcomes.ts';
import type { Admit, CallbackClient } from './callback.ts';
import { withoutQuery } from './callback-url.ts';
import { timeoutMs } from './claims.ts';
import type { Job } from './job.ts';
import type { HubMetrics } from './metrics.ts';
import type { Reply } from './reply.ts';

/** The longest wait that a subscriber can ask for with Retry-After. */
const LONGEST_WAIT_MS = 3_600_000;
/** A callback that takes this part of its time, or more, counts as slow. */
const SLOW = 1 / 4;
/** Retries come up to so much later than they could, so that they do not come all at once. */
const JITTER = 0.1;

/** What came of a request that was sent. */
type Ended = Exclude<Reply, { kind: 'postponed' }>;

export interface Clock {
  /** ms since 1970. */
  readonly now: () => number;
  /** ms since some moment; never set back. */
  readonly elapsed: () => number;
}

export interface JobParts {
  readonly clock: Clock;
  readonly hub: HubConfig;
  readonly callbacks: CallbackClient;
  readonly metrics: HubMetrics;
  readonly logger: FastifyBaseLogger;
}

/** Does a job; never fails, whatever the callback does. */
export async function runJob(job: Job, parts: JobParts, admit: Admit): Promise<Outcome> {
  switch (job.kind) {
    case 'verify':
      return verify(job, parts, admit);
    case 'deliver':
      return deliver(job, parts, admit);
    case 'deny':
      return deny(job, parts, admit);
  }
}

/** Verification of intent (WebSub, section 5.3). */
async function verify(
  { intent }: Extract<Job, { kind: 'verify' }>,
  { clock, hub, callbacks, metrics, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { mode, topic_url: topicUrl, callback } = intent;
  // 192 bits, in characters that no reader has to decode.
  const challenge = randomBytes(24).toString('base64url');
  const askedAtMs = clock.now();
  const startedAt = clock.elapsed();
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
    admit,
  );
  if (reply.kind === 'postponed') {
    const claimed = { table: 'intents', number: intent.number } as const;
    return { kind: 'postponed', claimed, network: reply.full.network };
  }
  const ms = clock.elapsed() - startedAt;
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
      ms: Math.round(ms),
    },
    'verification',
  );
  if (reason !== null) return { kind: 'unconfirmed', intent };
  const isSlow = ms >= SLOW * timeoutMs(hub, 0);
  return { kind: 'confirmed', intent, askedAtMs, random: randomBytes(10), isSlow };
}

/** Null where the challenge was answered: any 2xx, and its body to the byte (section 5.3.1). */
function whyUnconfirmed(reply: Ended, challenge: string): string | null {
  if (reply.kind === 'failed' || !isSuccess(reply.status)) return errorOf(reply);
  const isEqual = reply.body.toString('latin1') === challenge;
  return isEqual ? null : 'the answer is not the challenge';
}

/** Content distribution (section 7). */
async function deliver(
  { delivery, document, origin }: Extract<Job, { kind: 'deliver' }>,
  { clock, hub, callbacks, metrics, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { id, callback, topic, secret, failures } = delivery;
  const { body, contentType } = document;
  const limitMs = timeoutMs(hub, body.length);
  const startedAt = clock.elapsed();
  const links = linksOf(document.path, origin);
  const content = { callback, body, contentType, links, secret, timeoutMs: limitMs };
  const reply = await callbacks.deliver(content, admit);
  if (reply.kind === 'postponed') {
    const claimed = { table: 'subscriptions', id } as const;
    return { kind: 'postponed', claimed, network: reply.full.network };
  }
  const ms = clock.elapsed() - startedAt;
  const seconds = ms / 1000;
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
      ms: Math.round(ms),
    },
    'delivery',
  );
  if (outcome === 'gone') return { kind: outcome, delivery };
  if (outcome === 'acknowledged') {
    return { kind: outcome, delivery, isSlow: ms >= SLOW * limitMs };
  }
  const waitsMs = waitsOf(reply, hub);
  return { kind: outcome, delivery, error: errorOf(reply), waitsMs };
}

/** Denial (section 5.2): what the subscriber answers does not matter. */
async function deny(
  { denial }: Extract<Job, { kind: 'deny' }>,
  { hub, callbacks, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { callback, topic_url: topicUrl, reason } = denial;
  const reply = await callbacks.ask(
    callback,
    [
      ['hub.mode', 'denied'],
      ['hub.topic', topicUrl],
      ['hub.reason', reason],
    ],
    0,
    timeoutMs(hub, 0),
    admit,
  );
  if (reply.kind === 'postponed') {
    const claimed = { table: 'denials', number: denial.number } as const;
    return { kind: 'postponed', claimed, network: reply.full.network };
  }
  logger.info({ topic: topicUrl, callback: withoutQuery(callback), reason }, 'denial');
  return { kind: 'denied', denial };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf(reply: Ended): 'acknowledged' | 'gone' | 'not_acknowledged' {
  if (reply.kind === 'failed') return 'not_acknowledged';
  if (isSuccess(reply.status)) return 'acknowledged';
  return reply.status === 410 ? 'gone' : 'not_acknowledged';
}

function errorOf(reply: Ended): string {
  return reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason;
}

/** The longest wait before another try, in ms. */
export function longestRetryMs({ retryDelaysSeconds }: HubConfig): number {
  const longest = Math.max(...retryDelaysSeconds.map((seconds) => 1000 * seconds), LONGEST_WAIT_MS);
  return Math.ceil(longest * (1 + JITTER));
}

/** The waits before a second and a third try: never shorter than the subscriber wishes, in reason. */
function waitsOf(reply: Ended, { retryDelaysSeconds }: HubConfig): readonly [number, number] {
  const asked =
    reply.kind === 'answered' && (reply.status === 429 || reply.status === 503)
      ? Math.min((reply.retryAfterSeconds ?? 0) * 1000, LONGEST_WAIT_MS)
      : 0;
  const wait = (seconds: number) =>
    Math.round(Math.max(seconds * 1000, asked) * (1 + JITTER * Math.random()));
  return [wait(retryDelaysSeconds[0]), wait(retryDelaysSeconds[1])];
}
