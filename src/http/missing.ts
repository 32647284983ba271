// Answers requests that match no route: browsers get a page, others an error in JSON.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../errors.ts';
import { wantsPage } from './requests.ts';

export type MissingHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export class MissingRoutes {
  readonly #isReady: () => boolean;
  /** Answers with a page. */
  page: MissingHandler | null = null;

  /** Pages need a snapshot: `isReady` says whether there is one. */
  constructor(isReady: () => boolean) {
    this.#isReady = isReady;
  }

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    refuse: (error: Error) => void,
  ): Promise<void> {
    try {
      if (!wantsPage(request.raw)) refuse(new Refusal('not_found'));
      else if (this.#isReady()) await this.page?.(request, reply);
      else refuse(new Refusal('not_ready'));
    } catch (error) {
      refuse(error as Error);
    }
  }
}
