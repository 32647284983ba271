// Asks a language model about the newest published reviews, a few at a time, and requests a publish when it has
// answered. Publishes never wait for the model: until it answers, the insights are those of the rules.

import type { FastifyBaseLogger } from 'fastify';
import type { Proposal } from '../insights/claims/claims.ts';
import { AnswerError, readAnswer } from '../insights/proposals/answer.ts';
import { proposalKeyOf, proposerOf, writeMessages } from '../insights/proposals/prompt.ts';
import type { Review } from '../model/review.ts';
import type { Database } from '../store/database.ts';
import {
  claimProposals,
  loadProposalStates,
  publishProposals,
  releaseProposals,
} from '../store/reviews/proposals.ts';
import { complete, type LanguageModel, ModelError } from './language-model.ts';

/** Reviews of a request. After an answer that cannot be used, each is asked about alone. */
const BATCH = 5;
/** Requests about a review whose answers cannot be used. Then it is left to the rules. */
const MOST_ATTEMPTS = 3;
/** Waits after failures: the first, doubled each time, and the longest. */
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;
/** What is answered is published this often while more is asked. */
const PUBLISH_EVERY_MS = 600_000;

interface ProposerParts {
  readonly model: LanguageModel;
  /** Names this process among those that may ask. */
  readonly owner: string;
  readonly database: Database;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Reviews with texts, newest first, of a business of a vertical. */
export interface Asked {
  readonly vertical: string;
  readonly reviews: readonly Review[];
}

type RequestOutcome = 'answered' | 'unusable' | 'failed';

export interface Turn {
  readonly outcome: RequestOutcome | null;
  /** Reviews that still have to be asked about, others' requests included. */
  readonly waiting: number;
  /** The wait before the next turn; null until there are other reviews. */
  readonly waitMs: number | null;
}

interface Open {
  readonly key: string;
  readonly review: Review;
  readonly attempts: number;
  readonly isClaimed: boolean;
}

export class Proposer {
  /** The model and the version of the prompt. */
  readonly name: string;
  readonly #parts: ProposerParts;
  #failures = 0;
  #publishedAtMs: number;

  constructor(parts: ProposerParts) {
    this.name = proposerOf(parts.model.model);
    this.#parts = parts;
    this.#publishedAtMs = parts.nowMs();
  }

  /** Sends at most one request, and requests a publish when all reviews are answered or it is time. */
  async takeTurn(asked: Asked): Promise<Turn> {
    const { database, nowMs } = this.#parts;
    const open = await this.#findOpen(asked);
    const batch = nextBatch(open);
    const isTime = nowMs() >= this.#publishedAtMs + PUBLISH_EVERY_MS;
    if (open.length === 0 || isTime) {
      await publishProposals(database);
      this.#publishedAtMs = nowMs();
    }
    if (batch.length === 0) {
      const waitMs = open.length === 0 ? null : FIRST_WAIT_MS;
      return { outcome: null, waiting: open.length, waitMs };
    }
    const { outcome, waitMs } = await this.#ask(asked.vertical, batch);
    const done = outcome === 'answered' ? batch.length : 0;
    return { outcome, waiting: open.length - done, waitMs };
  }

  /** The reviews without an answer. Those that were asked about too often count as answered. */
  async #findOpen({ vertical, reviews }: Asked): Promise<Open[]> {
    const { database, nowMs } = this.#parts;
    // Reviews of the same words and stars share a key.
    const byKey = new Map(reviews.map((review) => [proposalKeyOf(vertical, review), review]));
    const known = await loadProposalStates(database.read, nowMs());
    return [...byKey].flatMap(([key, review]): Open[] => {
      const state = known.get(key);
      if (state && (state.isAnswered || state.attempts >= MOST_ATTEMPTS)) return [];
      const { attempts = 0, isClaimed = false } = state ?? {};
      return [{ key, review, attempts, isClaimed }];
    });
  }

  async #ask(
    vertical: string,
    batch: readonly Open[],
  ): Promise<{ readonly outcome: RequestOutcome; readonly waitMs: number }> {
    const { model, owner, database, logger, signal, nowMs } = this.#parts;
    const keys = batch.map(({ key }) => key);
    const claimed = new Set(await claimProposals(database, owner, this.name, keys, nowMs()));
    const own = batch.filter(({ key }) => claimed.has(key));
    if (own.length === 0) return { outcome: 'answered', waitMs: 0 };
    const reviews = own.map(({ review }) => review);
    try {
      const content = await complete(model, writeMessages(vertical, reviews), signal);
      const answered = readAnswer(content, vertical, reviews);
      if (answered.size === 0) throw new AnswerError('expected an answer about these reviews');
      await releaseProposals(database, owner, keys, toRecords(own, answered));
      this.#failures = 0;
      return { outcome: 'answered', waitMs: 0 };
    } catch (error) {
      const isUnusable = error instanceof AnswerError;
      if (!isUnusable && !(error instanceof ModelError)) throw error;
      await releaseProposals(database, owner, keys, new Map(), !isUnusable);
      const waitMs = this.#backOff(isUnusable ? null : error.waitMs);
      const message = isUnusable
        ? 'an answer of the language model cannot be used'
        : 'the language model did not answer';
      if (!signal.aborted) logger.warn({ reason: error.message, waitMs }, message);
      return { outcome: isUnusable ? 'unusable' : 'failed', waitMs };
    }
  }

  #backOff(wantedMs: number | null): number {
    const ownMs = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#failures += 1;
    return Math.max(ownMs, wantedMs ?? 0);
  }
}

/** The newest that nobody asks about now: several that were not asked about before, or one that was. */
function nextBatch(open: readonly Open[]): readonly Open[] {
  const free = open.filter(({ isClaimed }) => !isClaimed);
  const fresh = free.filter(({ attempts }) => attempts === 0);
  return fresh.length > 0 ? fresh.slice(0, BATCH) : free.slice(0, 1);
}

function toRecords(
  batch: readonly Open[],
  answered: ReadonlyMap<number, readonly Proposal[]>,
): ReadonlyMap<string, string> {
  return new Map(
    batch.flatMap(({ key }, index) => {
      const claims = answered.get(index);
      return claims === undefined ? [] : [[key, JSON.stringify(claims)] as const];
    }),
  );
}
