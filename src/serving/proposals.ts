// Asks a language model about the published reviews while the server runs, if the operator has named one.

import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { AnalyserConfig } from '../config.ts';
import type { HttpServer } from '../http/server.ts';
import { addCounter, addGauge } from '../metrics.ts';
import { pause } from '../model/pause.ts';
import type { Review } from '../model/review.ts';
import type { Asked, Proposer, Turn } from '../publishing/proposer.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import { keepProposer } from '../store/reviews/proposals.ts';

const POLL_MS = 1_000;
const FAULT_WAIT_MS = 10_000;

interface ProposalsParts {
  /** Null without a language model. */
  readonly analyser: AnalyserConfig | null;
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  readonly registry: Registry;
  readonly server: Pick<HttpServer, 'snapshot'>;
  /** Whether this process asks. */
  readonly isLead: boolean;
  readonly signal: AbortSignal;
}

/** Runs until the signal aborts. Without a language model, deletes what one has proposed before. */
export async function runProposals(parts: ProposalsParts): Promise<void> {
  const { analyser, database, logger, isLead, signal } = parts;
  if (!isLead) return;
  const proposer = analyser && (await createProposer(analyser, parts));
  await keepProposer(database, proposer?.name ?? null).catch((error: unknown) => {
    logger.warn({ err: error }, 'proposals of another language model were not deleted');
  });
  if (!proposer) return;
  const show = addMetrics(parts.registry);
  let last: Snapshot | null = null;
  /** Null when all reviews of the last snapshot are answered. */
  let asked: Asked | null = null;
  while (!signal.aborted) {
    const { snapshot } = parts.server;
    let waitMs = POLL_MS;
    if (snapshot && snapshot !== last) {
      last = snapshot;
      asked = askedOf(snapshot, analyser.maxReviews);
    }
    if (asked) {
      try {
        const turn = await proposer.takeTurn(asked);
        show(turn);
        if (turn.waitMs === null) asked = null;
        else ({ waitMs } = turn);
      } catch (error) {
        logger.warn({ err: error }, 'the language model was not asked');
        waitMs = FAULT_WAIT_MS;
      }
    }
    await pause(waitMs, signal);
  }
}

async function createProposer(
  analyser: AnalyserConfig,
  { database, logger, signal }: ProposalsParts,
): Promise<Proposer> {
  // Imported here, because a server without a language model does without the analyser.
  const { Proposer } = await import('../publishing/proposer.ts');
  const parts = { owner: randomUUID(), database, logger, signal, nowMs: Date.now };
  return new Proposer({ ...parts, model: analyser });
}

/** The newest reviews of a snapshot, those without text left out. */
function askedOf(snapshot: Snapshot, maxReviews: number): Asked {
  const { business } = snapshot.head;
  const newest = snapshot.newestReviews(Math.min(maxReviews, snapshot.reviewCount));
  const reviews = JSON.parse(`[${newest.toString()}]`) as Review[];
  return { vertical: business.vertical, reviews: reviews.filter(({ text }) => text !== null) };
}

function addMetrics(registry: Registry): (turn: Turn) => void {
  const requests = addCounter(registry, 'analyserRequests');
  const waiting = addGauge(registry, 'analyserWaiting');
  return ({ outcome, waiting: count }) => {
    if (outcome !== null) requests.inc({ outcome });
    waiting.set(count);
  };
}
