// Does a job: verifies an intent, delivers content, or sends a denial.

import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { HubConfig } from '../config.ts';
import { linksOf } from '../snapshot/documents.ts';
import type { Outcome } from '../store/hub/outcomes.ts';
import type { Admit, CallbackClient } from './callback.ts';
import { withoutQuery } from './callback-url.ts';
import { timeoutMs } from './claims.ts';
import type { Job } from './job.ts';
import { HUB_LIMITS } from './limits.ts';
import type { HubMetrics } from './metrics.ts';
import { callbackOf } from './parse-callback.ts';
import type { Reply } from './reply.ts';

/** The longest wait that a subscriber can set with Retry-After. */
const MAX_RETRY_AFTER_MS = HUB_LIMITS.retryAfterMs;
/** A callback is slow if it takes at least this part of its time limit. */
const SLOW_RATIO = 1 / 4;
/** Retries are delayed by up to this part more, so that they do not all happen at once. */
const JITTER = 0.1;

type SentReply = Exclude<Reply, { kind: 'postponed' }>;

export interface Clock {
  /** ms since 1970. */
  readonly nowMs: () => number;
  /** Monotonic, in ms. */
  readonly elapsedMs: () => number;
}

export interface JobParts {
  readonly clock: Clock;
  readonly hub: HubConfig;
  readonly callbacks: CallbackClient;
  readonly metrics: HubMetrics;
  readonly logger: FastifyBaseLogger;
}

/** Does a job. Failures of the callback are outcomes, not errors. */
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
  { row: intent }: Extract<Job, { kind: 'verify' }>,
  { clock, hub, callbacks, metrics, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { mode, topic_url: topicUrl } = intent;
  const callback = callbackOf(intent.callback, intent.domain);
  // 192 bits, in characters that need no percent-encoding.
  const challenge = randomBytes(24).toString('base64url');
  const askedAtMs = clock.nowMs();
  const startedAt = clock.elapsedMs();
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
    return { kind: 'postponed', claimed, network: reply.busy.network };
  }
  const ms = clock.elapsedMs() - startedAt;
  const reason = problemOfChallenge(reply, challenge);
  const outcome = reason === null ? 'confirmed' : 'unconfirmed';
  metrics.countVerification(mode, outcome);
  logger.info(
    {
      mode,
      topic: topicUrl,
      callback: withoutQuery(callback.href),
      outcome,
      ...(reason === null ? {} : { reason }),
      ms: Math.round(ms),
    },
    'verification',
  );
  if (reason !== null) return { kind: 'unconfirmed', intent };
  const isSlow = ms >= SLOW_RATIO * timeoutMs(hub, 0);
  return { kind: 'confirmed', intent, askedAtMs, random: randomBytes(10), isSlow };
}

/** Null if the response is any 2xx with exactly the challenge as its body (section 5.3.1). */
function problemOfChallenge(reply: SentReply, challenge: string): string | null {
  if (reply.kind === 'failed' || !isSuccess(reply.status)) return errorOf(reply);
  const isEqual = reply.body.toString('latin1') === challenge;
  return isEqual ? null : 'the response is not the challenge';
}

/** Content distribution (section 7). */
async function deliver(
  { row: delivery, document, origin }: Extract<Job, { kind: 'deliver' }>,
  { clock, hub, callbacks, metrics, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { id, topic, secret, failures } = delivery;
  const callback = callbackOf(delivery.callback, delivery.domain);
  const { contentType } = document;
  // Only documents that are no topics are kept in blocks.
  const body = document.body as Buffer;
  const limitMs = timeoutMs(hub, body.length);
  const startedAt = clock.elapsedMs();
  const links = linksOf(document.path, origin);
  const content = { callback, body, contentType, links, secret, timeoutMs: limitMs };
  const reply = await callbacks.deliver(content, admit);
  if (reply.kind === 'postponed') {
    const claimed = { table: 'subscriptions', id } as const;
    return { kind: 'postponed', claimed, network: reply.busy.network };
  }
  const ms = clock.elapsedMs() - startedAt;
  const seconds = ms / 1000;
  const outcome = outcomeOf(reply);
  metrics.countDelivery(topic, outcome, seconds);
  logger.info(
    {
      subscription: id,
      topic,
      callback: withoutQuery(callback.href),
      try: failures + 1,
      outcome,
      ...(outcome === 'acknowledged' ? {} : { reason: errorOf(reply) }),
      ms: Math.round(ms),
    },
    'delivery',
  );
  if (outcome === 'gone') return { kind: outcome, delivery };
  if (outcome === 'acknowledged') {
    return { kind: outcome, delivery, isSlow: ms >= SLOW_RATIO * limitMs };
  }
  const waitsMs = retryWaitsMs(reply, hub);
  return { kind: outcome, delivery, error: errorOf(reply), waitsMs };
}

/** Denial (section 5.2). The response does not matter. */
async function deny(
  { row: denial }: Extract<Job, { kind: 'deny' }>,
  { hub, callbacks, logger }: JobParts,
  admit: Admit,
): Promise<Outcome> {
  const { topic_url: topicUrl, reason } = denial;
  const callback = callbackOf(denial.callback, denial.domain);
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
    return { kind: 'postponed', claimed, network: reply.busy.network };
  }
  logger.info({ topic: topicUrl, callback: withoutQuery(callback.href), reason }, 'denial');
  return { kind: 'denied', denial };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf(reply: SentReply): 'acknowledged' | 'gone' | 'not_acknowledged' {
  if (reply.kind === 'failed') return 'not_acknowledged';
  if (isSuccess(reply.status)) return 'acknowledged';
  return reply.status === 410 ? 'gone' : 'not_acknowledged';
}

function errorOf(reply: SentReply): string {
  return reply.kind === 'answered' ? `answered ${reply.status}` : reply.reason;
}

export function longestRetryMs({ retryDelaysSeconds }: HubConfig): number {
  const longest = Math.max(
    ...retryDelaysSeconds.map((seconds) => 1000 * seconds),
    MAX_RETRY_AFTER_MS,
  );
  return Math.ceil(longest * (1 + JITTER));
}

/** The waits before the second and third try: at least the Retry-After of the response, within a limit. */
function retryWaitsMs(
  reply: SentReply,
  { retryDelaysSeconds }: HubConfig,
): readonly [number, number] {
  const retryAfterMs =
    reply.kind === 'answered' && (reply.status === 429 || reply.status === 503)
      ? Math.min((reply.retryAfterSeconds ?? 0) * 1000, MAX_RETRY_AFTER_MS)
      : 0;
  const wait = (seconds: number) =>
    Math.round(Math.max(seconds * 1000, retryAfterMs) * (1 + JITTER * Math.random()));
  return [wait(retryDelaysSeconds[0]), wait(retryDelaysSeconds[1])];
}
