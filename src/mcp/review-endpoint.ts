// The endpoint that serves the reviews: answers from the current snapshot and notifies subscribers of
// resources that changed with it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SnapshotQueries } from '../snapshot/queries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { reportFault, type ServerContext } from './context.ts';
import { type EndpointOptions, McpEndpoint } from './endpoint.ts';
import { readResource } from './resources.ts';
import { reviewServerFactory } from './review-server.ts';
import type { Caller } from '../model/http-seam.ts';

type Options = Omit<EndpointOptions, 'servers'> & Pick<ServerContext, 'version'>;

/** Resources compared before yielding to the event loop. */
const COMPARED_PER_TURN = 10;

export class ReviewEndpoint {
  readonly #options: Options;
  readonly #endpoint: McpEndpoint;
  #queries: SnapshotQueries | null = null;

  private constructor(options: Options, endpoint: McpEndpoint) {
    this.#options = options;
    this.#endpoint = endpoint;
  }

  /** Opens the endpoint. Call `show` before the first request. */
  static async open(options: Options): Promise<ReviewEndpoint> {
    const { version, report } = options;
    let opened: ReviewEndpoint | null = null;
    const queries = () => (opened as ReviewEndpoint).queries;
    const servers = reviewServerFactory({ queries, version, report });
    opened = new ReviewEndpoint(options, await McpEndpoint.open({ ...options, servers }));
    return opened;
  }

  /** Answers from the current snapshot. @throws before the first `show`. */
  get queries(): SnapshotQueries {
    if (!this.#queries) throw new Error('no snapshot has been shown yet');
    return this.#queries;
  }

  /** Switches to a new snapshot and notifies subscribers of changed resources. */
  show(snapshot: Snapshot): void {
    const before = this.#queries;
    this.#queries = new SnapshotQueries(snapshot);
    if (before) {
      this.#notifyChanges(before, this.#queries).catch((error: unknown) => {
        reportFault(this.#options, error);
      });
    }
  }

  answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    return this.#endpoint.answer(request, response, caller);
  }

  get subscribedUris(): ReadonlySet<string> {
    return this.#endpoint.subscribedUris;
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  async #notifyChanges(before: SnapshotQueries, after: SnapshotQueries): Promise<void> {
    let compared = 0;
    for (const uri of this.#endpoint.subscribedUris) {
      if (readResource(before, uri) !== readResource(after, uri)) this.#endpoint.notifyUpdated(uri);
      compared += 1;
      if (compared % COMPARED_PER_TURN === 0) await yieldToEventLoop();
    }
  }
}
