// The endpoint that serves the reviews: it follows the current snapshot, and tells listeners of what
// changed with it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Answers } from '../snapshot/queries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { reportFault, type ServerContext } from './context.ts';
import { type EndpointOptions, McpEndpoint } from './endpoint.ts';
import { readResource } from './resources.ts';
import { reviewServerFactory } from './review-server.ts';
import type { Caller } from './http-exchange.ts';

type Options = Omit<EndpointOptions, 'definition'> & Pick<ServerContext, 'version'>;

/** Resources that are compared before other requests have a turn. */
const COMPARED_AT_ONCE = 10;

export class ReviewEndpoint {
  readonly #options: Options;
  #endpoint: McpEndpoint | null = null;
  #answers: Answers | null = null;

  private constructor(options: Options) {
    this.#options = options;
  }

  /** Has nothing to say before it was shown a snapshot. */
  static async open(options: Options): Promise<ReviewEndpoint> {
    const endpoint = new ReviewEndpoint(options);
    const definition = reviewServerFactory({
      answers: () => endpoint.answers,
      version: options.version,
      report: options.report,
    });
    endpoint.#endpoint = await McpEndpoint.open({ ...options, definition });
    return endpoint;
  }

  /** About the current snapshot. */
  get answers(): Answers {
    if (!this.#answers) throw new Error('no snapshot has been shown yet');
    return this.#answers;
  }

  /** Answers from another snapshot from now on. */
  show(snapshot: Snapshot): void {
    const before = this.#answers;
    this.#answers = new Answers(snapshot);
    if (before) {
      this.#tellChanges(before, this.#answers).catch((error: unknown) => {
        reportFault(this.#options, error);
      });
    }
  }

  answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    return this.#open.answer(request, response, caller);
  }

  /** URIs of resources that somebody listens for. */
  get subscribedUris(): ReadonlySet<string> {
    return this.#open.subscribedUris;
  }

  async close(): Promise<void> {
    await this.#endpoint?.close();
  }

  get #open(): McpEndpoint {
    return this.#endpoint as McpEndpoint;
  }

  async #tellChanges(before: Answers, after: Answers): Promise<void> {
    let compared = 0;
    for (const uri of this.#open.subscribedUris) {
      if (readResource(before, uri) !== readResource(after, uri)) this.#open.notifyUpdated(uri);
      compared += 1;
      if (compared % COMPARED_AT_ONCE === 0) await nextTurn();
    }
  }
}
