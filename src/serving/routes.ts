// Binds every operation of the table in model/routes.ts to its handler. A missing handler is a type error.

import { Refusal } from '../errors.ts';
import { answerUnstored, TEXT_TYPE } from '../http/answer.ts';
import type { ReadContext } from '../http/handlers.ts';
import { answerHealth, answerMetrics, answerReadiness } from '../http/health.ts';
import { answerRecord, answerReview, answerSearch, answerSince } from '../http/reviews.ts';
import type { HttpServer } from '../http/server.ts';
import type { HubEndpoint } from '../hub/endpoint.ts';
import {
  CARD_TYPE,
  CATALOG_TYPE,
  type RecordInput,
  renderCard,
  renderCatalog,
  renderRegistryRecord,
} from '../discovery/mcp-records.ts';
import { MCP_HEADERS } from '../mcp/protocol.ts';
import type { ReviewEndpoint } from '../mcp/review-endpoint.ts';
import { FORM_TYPE, MAX_REQUEST_BYTES } from '../model/hub-form.ts';
import { OPERATION_IDS, type OperationId, type OperationIn, ROUTES } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { VERSION } from '../version.ts';
import { type Binding, read, reply } from './bindings.ts';
import { bindDescriptions } from './descriptions.ts';
import { bindLog } from './log.ts';
import { bindPages } from './pages.ts';

/** What answers requests that do more than read. */
interface Surfaces {
  readonly hub: Pick<HubEndpoint, 'accept'>;
  readonly mcp: Pick<ReviewEndpoint, 'answer' | 'queries' | 'show'>;
}

/** Adds every route; with `isStatic` the pages are those of an export. */
export function addRoutes(
  server: HttpServer,
  { hub, mcp }: Surfaces,
  { isStatic = false } = {},
): void {
  server.onSnapshot((snapshot) => mcp.show(snapshot));
  const pages = bindPages(server, isStatic);
  const bindings: Readonly<Record<OperationId, Binding>> = {
    getReviews: document,
    getInsights: document,
    getJsonFeed: document,
    getAtomFeed: document,
    searchReviews: read(answerSearch),
    getReviewsSince: read(answerSince),
    getReview: read(answerReview),
    requestSubscription: subscriptionRequests(hub),
    callMcp: (_server, { path }) => {
      server.routeStream(path, MCP_HEADERS, (request, response, caller) => {
        void mcp.answer(request, response, caller);
      });
    },
    // The handler of callMcp takes both methods of the path.
    endMcpSession: () => undefined,
    ...bindMcpRecords(() => mcp.queries.businessRecord),
    ...bindDescriptions(server, () => mcp.queries.businessRecord, pages.markdownOf),
    ...bindLog(server),
    ...pages.bindings,
    ...bindOperating(server),
  };
  for (const id of OPERATION_IDS) bindings[id](server, ROUTES[id]);
}

const document: Binding = (server, route) => {
  const answer = ({ request, response }: ReadContext) => {
    server.serving.documents.get(route.path)?.answerReady(request, response);
  };
  read(answer)(server, route);
};

function subscriptionRequests(hub: Surfaces['hub']): Binding {
  return (server, { path }) => {
    const options = { type: FORM_TYPE, maxBytes: MAX_REQUEST_BYTES };
    server.routeForm(path, options, async (request, response) => {
      const { origin } = server.serving.snapshot;
      await hub.accept(request.headers, request.body, origin);
      const line = 'Accepted: the callback will be asked to confirm.\n';
      answerUnstored(request.raw, response, 202, TEXT_TYPE, line);
    });
  };
}

function bindMcpRecords(
  businessOf: () => RecordInput['business'],
): Record<Exclude<OperationIn<'MCP'>, 'callMcp' | 'endMcpSession'>, Binding> {
  const record = (render: (input: RecordInput) => object, type: string) =>
    read((context) => {
      const { origin } = context.snapshot;
      const input = { origin, business: businessOf(), version: VERSION };
      answerRecord(context, JSON.stringify(render(input)), type);
    });
  return {
    getServerCard: record(renderCard, CARD_TYPE),
    getAgentCatalog: record(renderCatalog, CATALOG_TYPE),
    getResourceManifest: record(renderCatalog, JSON_TYPE),
    getRegistryRecord: record(renderRegistryRecord, JSON_TYPE),
  };
}

function bindOperating(server: HttpServer): Record<OperationIn<'Operating'>, Binding> {
  const readiness = reply(({ raw }, response) => {
    const { readySnapshot, store, publishing, operators } = server;
    const hidden = operators.include(raw) ? {} : { detail: null };
    answerReadiness(raw, response, readySnapshot, {
      store: { ...store, ...hidden },
      publishing: { ...publishing, ...hidden },
    });
  });
  const metrics = reply(({ raw }, response) => {
    if (!server.operators.include(raw)) throw new Refusal('operators_only');
    return answerMetrics(raw, response, server.metrics);
  });
  return {
    getHealth: reply(({ raw }, response) => answerHealth(raw, response)),
    getReadiness: readiness,
    getMetrics: server.config.metrics ? metrics : () => undefined,
  };
}
