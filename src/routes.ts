// Every public URL.

import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  API_CATALOG_PATH,
  API_CATALOG_TYPE,
  apiCatalogLink,
  buildApiCatalog,
} from './api/catalog.ts';
import { buildOpenApi } from './api/openapi.ts';
import { OPENAPI_PATH, REFERENCE_PATH } from './api/paths.ts';
import { REFERENCE_FILES, referencePolicy, renderReference } from './api/reference.ts';
import type { Described } from './api/types.ts';
import { DOCUMENTATION } from './documentation.ts';
import { Refusal } from './errors.ts';
import { answerText, type HeaderList, listOf } from './http/answer.ts';
import { Body, BodyAnswerer, SnapshotBody } from './http/bodies.ts';
import { answerHealth, answerMetrics, answerReadiness } from './http/health.ts';
import {
  answerRecord,
  answerReview,
  answerSearch,
  answerSince,
  type ReadContext,
} from './http/reviews.ts';
import type { HttpServer } from './http/server.ts';
import type { HubEndpoint } from './hub/endpoint.ts';
import {
  CARD_PATH,
  CARD_TYPE,
  CATALOG_PATH,
  CATALOG_TYPE,
  type Discovered,
  REGISTRY_PATH,
  renderCard,
  renderCatalog,
  renderRegistryRecord,
} from './mcp/discovery.ts';
import { MCP_HEADERS, MCP_PATH } from './mcp/names.ts';
import type { ReviewEndpoint } from './mcp/review-endpoint.ts';
import { FORM_TYPE, MOST_REQUEST_BYTES } from './model/hub-form.ts';
import type { Business } from './model/business.ts';
import type { ReviewJson } from './model/review.ts';
import { LLMS_FULL_PATH, LLMS_PATH, LLMS_TYPE, renderLlms, renderLlmsFull } from './site/llms.ts';
import { renderRobots, ROBOTS_PATH } from './site/robots.ts';
import {
  renderSitemapFile,
  renderSitemapIndex,
  SITEMAP_FILES_PATH,
  SITEMAP_PATH,
  SITEMAP_TYPE,
} from './site/sitemap.ts';
import { DOCUMENT_PATHS, HUB_PATH, JSON_TYPE } from './snapshot/documents.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { VERSION } from './version.ts';

/** The routes that read, beside the documents. */
export const READ_ROUTES = {
  search: '/api/reviews/search',
  since: '/api/reviews/since/:date',
  review: '/api/reviews/:id',
  health: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
  card: CARD_PATH,
  catalog: CATALOG_PATH,
  registry: REGISTRY_PATH,
  openApi: OPENAPI_PATH,
  apiCatalog: API_CATALOG_PATH,
  reference: REFERENCE_PATH,
  llms: LLMS_PATH,
  llmsFull: LLMS_FULL_PATH,
  robots: ROBOTS_PATH,
  sitemap: SITEMAP_PATH,
  sitemapFile: `${SITEMAP_FILES_PATH}/:file`,
} as const;

const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

const UNLIMITED = { isLimited: false };

/** What answers at the paths that are more than reading. */
export interface Surfaces {
  readonly hub: Pick<HubEndpoint, 'accept'>;
  readonly mcp: Pick<ReviewEndpoint, 'answer' | 'answers' | 'show'>;
}

export function addRoutes(server: HttpServer, { hub, mcp }: Surfaces): void {
  for (const path of DOCUMENT_PATHS) {
    server.routeRead(path, (request, reply) => {
      const { documents } = server.serving;
      reply.hijack();
      documents.answer(path, request.raw, reply.raw, listOf(reply.getHeaders()));
    });
  }

  server.routeRead(READ_ROUTES.search, (request, reply) => {
    readFrom(server, request, reply, (context) =>
      answerSearch(context, request.query as Record<string, string | string[]>),
    );
  });
  server.routeRead(READ_ROUTES.since, (request, reply) => {
    const { date } = request.params as { date: string };
    readFrom(server, request, reply, (context) => answerSince(context, date));
  });
  server.routeRead(READ_ROUTES.review, (request, reply) => {
    const { id } = request.params as { id: string };
    readFrom(server, request, reply, (context) => answerReview(context, id));
  });

  const form = {
    type: FORM_TYPE,
    mostBytes: MOST_REQUEST_BYTES,
    perMinute: server.config.hub.requestsPerMinute,
  };
  server.routeForm(HUB_PATH, form, async (request, reply) => {
    const { origin } = server.serving.snapshot;
    await hub.accept(request.headers, request.body, origin);
    return answerText(reply, 202, 'Accepted: the callback will be asked to confirm.');
  });

  server.alsoShow((snapshot) => mcp.show(snapshot));
  server.routeRaw(MCP_PATH, MCP_HEADERS, (request, response, extra) => {
    void mcp.answer(request, response, extra);
  });
  const records = [
    [READ_ROUTES.card, renderCard, CARD_TYPE],
    [READ_ROUTES.catalog, renderCatalog, CATALOG_TYPE],
    [READ_ROUTES.registry, renderRegistryRecord, JSON_TYPE],
  ] as const;
  for (const [path, render, type] of records) {
    server.routeRead(path, (request, reply) => {
      readFrom(server, request, reply, (context) => {
        const discovered: Discovered = {
          origin: context.snapshot.origin,
          business: mcp.answers.businessRecord,
          version: VERSION,
        };
        answerRecord(context, render(discovered), type);
      });
    });
  }

  addBodies(server, mcp);

  server.routeRead(READ_ROUTES.health, (_request, reply) => answerHealth(reply), UNLIMITED);
  server.routeRead(
    READ_ROUTES.readiness,
    (_request, reply) => answerReadiness(reply, server.snapshot?.number ?? null, server.store),
    UNLIMITED,
  );
  if (server.config.metrics) {
    server.routeRead(
      READ_ROUTES.metrics,
      (_request, reply) => answerMetrics(reply, server.metrics),
      UNLIMITED,
    );
  }
}

/** What is made from the snapshot as it is asked for, and compressed. */
function addBodies(server: HttpServer, mcp: Surfaces['mcp']): void {
  const answerer = new BodyAnswerer();
  const route = (path: string, bodyOf: BodyOf, headersOf: HeadersOf = () => []) => {
    server.routeRead(path, async (request, reply) => {
      const context = contextOf(server, request, reply);
      const body = bodyOf(context.snapshot, request.params as { file?: string });
      if (body === null) throw new Refusal('not_found');
      await answerer.answer(context, body, headersOf(context.snapshot));
      reply.hijack();
    });
  };
  /** Made once for each snapshot. */
  const routeText = (
    path: string,
    render: (snapshot: Snapshot) => string,
    type: string,
    headersOf?: HeadersOf,
  ) => {
    const body = new SnapshotBody((snapshot) => new Body(render(snapshot), type));
    route(path, (snapshot) => body.of(snapshot), headersOf);
  };

  routeText(
    READ_ROUTES.openApi,
    (snapshot) => {
      const { businessRecord } = mcp.answers;
      return JSON.stringify(
        buildOpenApi(describe(snapshot, businessRecord, server.config.metrics)),
      );
    },
    JSON_TYPE,
  );
  routeText(
    READ_ROUTES.apiCatalog,
    ({ origin }) => JSON.stringify(buildApiCatalog(origin)),
    API_CATALOG_TYPE,
    ({ origin }) => ['Link', apiCatalogLink(origin)],
  );
  routeText(READ_ROUTES.reference, renderReference, HTML_TYPE, ({ origin }) => [
    'Content-Security-Policy',
    referencePolicy(origin),
  ]);
  for (const { path, contentType, read } of REFERENCE_FILES) {
    let body: Body | null = null;
    route(path, () => (body ??= new Body(read(), contentType)));
  }
  routeText(READ_ROUTES.llms, renderLlms, LLMS_TYPE);
  routeText(READ_ROUTES.llmsFull, (snapshot) => renderLlmsFull(snapshot, DOCUMENTATION), LLMS_TYPE);
  routeText(READ_ROUTES.robots, ({ origin }) => renderRobots(origin), TEXT_TYPE);
  routeText(READ_ROUTES.sitemap, renderSitemapIndex, SITEMAP_TYPE);
  route(READ_ROUTES.sitemapFile, (snapshot, { file = '' }) => {
    const xml = renderSitemapFile(snapshot, file);
    return xml === null ? null : new Body(xml, SITEMAP_TYPE);
  });
}

type BodyOf = (snapshot: Snapshot, parameters: { readonly file?: string }) => Body | null;
type HeadersOf = (snapshot: Snapshot) => HeaderList;

/** Hands the socket to an answer, unless the answer is a refusal, which is thrown before. */
function readFrom(
  server: HttpServer,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (context: ReadContext) => void,
): void {
  answer(contextOf(server, request, reply));
  reply.hijack();
}

function contextOf(server: HttpServer, request: FastifyRequest, reply: FastifyReply): ReadContext {
  return {
    request: request.raw,
    response: reply.raw,
    snapshot: server.serving.snapshot,
    cacheControl: server.config.cacheControl,
    extra: listOf(reply.getHeaders()),
  };
}

/** What `/openapi.json` is made for. Its examples name the oldest review, which stays. */
function describe(snapshot: Snapshot, business: Business, metrics: boolean): Described {
  const oldest = snapshot.reviewCount === 0 ? null : snapshot.reviewAt(snapshot.reviewCount - 1);
  const example = oldest && (JSON.parse(oldest.toString()) as ReviewJson);
  return { origin: snapshot.origin, business, example, metrics };
}
