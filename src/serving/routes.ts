// Every public URL.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { addDescriptions, contextOf, DESCRIPTION_ROUTES } from './descriptions.ts';
import { Refusal } from '../errors.ts';
import { answerText, listOf } from '../http/answer.ts';
import { Body, BodyAnswerer } from '../http/bodies.ts';
import { answerHealth, answerMetrics, answerReadiness } from '../http/health.ts';
import {
  answerRecord,
  answerReview,
  answerReviews,
  answerSearch,
  answerSince,
  type ReadContext,
  REVIEW_ROUTES,
} from '../http/reviews.ts';
import type { HttpServer } from '../http/server.ts';
import type { HubEndpoint } from '../hub/endpoint.ts';
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
} from '../discovery/mcp-records.ts';
import { type PageRequest, PageSet, redirectEmpty, redirectSlash } from '../http/pages.ts';
import { MCP_HEADERS, MCP_PATH } from '../mcp/protocol.ts';
import type { ReviewEndpoint } from '../mcp/review-endpoint.ts';
import { FORM_TYPE, MAX_REQUEST_BYTES } from '../model/hub-form.ts';
import { DOCUMENT_PATHS, HUB_PATH, JSON_TYPE } from '../snapshot/documents.ts';
import { type Asset, ASSETS, buildAssets } from '../site/assets.ts';
import { buildSiteFiles, pictureLink, SITE_FILE_PATHS } from '../site/files.ts';
import { MISSING, type PageParameters, PAGES, Site, STATIC_PAGES } from '../site/site.ts';
import { VERSION } from '../version.ts';

/** The routes that read, beside the documents. */
export const READ_ROUTES = {
  ...REVIEW_ROUTES,
  health: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
  card: CARD_PATH,
  catalog: CATALOG_PATH,
  registry: REGISTRY_PATH,
  ...DESCRIPTION_ROUTES,
} as const;

/** Cache-Control of what has another name when it changes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** For what answers as long as the server lives: a copy in files has none of it. */
const LIVE = { paths: () => [] };
const UNLIMITED = { isLimited: false, ...LIVE };

/** Other sites may show what is at these paths (https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header). */
const ANYWHERE = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const;

/** What answers at the paths that are more than reading. */
export interface Surfaces {
  readonly hub: Pick<HubEndpoint, 'accept'>;
  readonly mcp: Pick<ReviewEndpoint, 'answer' | 'answers' | 'show'>;
}

/** Every URL; with `isStatic` the pages are those of a copy in files. */
export function addRoutes(
  server: HttpServer,
  { hub, mcp }: Surfaces,
  { isStatic = false } = {},
): void {
  for (const path of DOCUMENT_PATHS) {
    server.routeRead(path, (request, reply) => {
      const { documents } = server.serving;
      reply.hijack();
      documents.answer(path, request.raw, reply.raw, listOf(reply.getHeaders()));
    });
  }

  const { cacheControl } = server.config;
  server.fastPath.add((request, response) => {
    const { snapshot } = server.serving;
    return answerReviews({ request, response, snapshot, cacheControl, extra: [] });
  });
  const search = (request: FastifyRequest, reply: FastifyReply) => {
    readFrom(server, request, reply, (context) =>
      answerSearch(context, request.query as Record<string, string | string[]>),
    );
  };
  server.routeRead(READ_ROUTES.search, search, LIVE);
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
    mostBytes: MAX_REQUEST_BYTES,
    perMinute: server.config.hub.requestsPerMinute,
  };
  server.routeForm(HUB_PATH, form, async (request, reply) => {
    const { origin } = server.serving.snapshot;
    await hub.accept(request.headers, request.body, origin);
    return answerText(reply, 202, 'Accepted: the callback will be asked to confirm.');
  });

  server.onSnapshot((snapshot) => mcp.show(snapshot));
  server.routeRaw(MCP_PATH, MCP_HEADERS, (request, response, caller) => {
    void mcp.answer(request, response, caller);
  });
  const records = [
    [READ_ROUTES.card, renderCard, CARD_TYPE],
    [READ_ROUTES.catalog, renderCatalog, CATALOG_TYPE],
    [READ_ROUTES.registry, renderRegistryRecord, JSON_TYPE],
  ] as const;
  for (const [path, render, type] of records) {
    const answerRecordOf = (request: FastifyRequest, reply: FastifyReply) => {
      readFrom(server, request, reply, (context) => {
        const discovered: Discovered = {
          origin: context.snapshot.origin,
          business: mcp.answers.businessRecord,
          version: VERSION,
        };
        answerRecord(context, JSON.stringify(render(discovered)), type);
      });
    };
    server.routeRead(path, answerRecordOf, LIVE);
  }

  addDescriptions(server, () => mcp.answers.businessRecord);
  addPages(server, isStatic);

  server.routeRead(READ_ROUTES.health, (_request, reply) => answerHealth(reply), UNLIMITED);
  server.routeRead(
    READ_ROUTES.readiness,
    (request, reply) => {
      const { readySnapshot, store, publishing } = server;
      if (server.operators.include(request.raw)) {
        return answerReadiness(reply, readySnapshot, { store, publishing });
      }
      return answerReadiness(reply, readySnapshot, {
        store: { ...store, detail: null },
        publishing: { ...publishing, detail: null },
      });
    },
    UNLIMITED,
  );
  if (server.config.metrics) {
    server.routeRead(
      READ_ROUTES.metrics,
      (request, reply) => {
        if (!server.operators.include(request.raw)) throw new Refusal('operators_only');
        return answerMetrics(reply, server.metrics);
      },
      UNLIMITED,
    );
  }
}

/** The web pages, and the files that they and other sites refer to. */
function addPages(server: HttpServer, isStatic: boolean): void {
  const { cacheControl, siteColor } = server.config;
  const assets = buildAssets(siteColor);
  let shown: Shown | null = null;
  const current = (): Shown => {
    if (!shown) throw new Refusal('not_ready');
    return shown;
  };
  server.onSnapshot((snapshot) => {
    const files = buildSiteFiles(snapshot, siteColor);
    const site = new Site(snapshot, assets.urls, { isStatic, picture: pictureLink(files) });
    shown = { site, files, pages: new PageSet(site, cacheControl) };
  });
  server.fastPath.add((request, response) => {
    return shown?.pages.answerKept({ request, response, extra: [] }) ?? null;
  });
  const find = (url: string, route: string, request: Partial<PageParameters> = {}) => {
    const { site, pages } = current();
    const page = pages.find(url, route, () =>
      site.render(route, { id: '', parameters: {}, ...request }),
    );
    return (asked: PageRequest) => pages.answer(asked, page);
  };
  for (const route of Object.keys(isStatic ? STATIC_PAGES : PAGES)) {
    const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
      if (redirectSlash(reply, request.url) || redirectEmpty(reply, request.url)) return reply;
      const parameters = request.query as PageParameters['parameters'];
      const answer = find(request.url, route, { ...(request.params as object), parameters });
      const extra = listOf(reply.getHeaders());
      reply.hijack();
      return answer({ request: request.raw, response: reply.raw, extra });
    };
    server.routeRead(route, answerPage, { paths: () => current().site.pathsOf(route) });
  }
  server.routeMissing(async (request, reply) => {
    if (redirectSlash(reply, request.url)) return reply;
    const { site, pages } = current();
    const page = pages.findMissing(MISSING, () => site.render(MISSING, { id: '', parameters: {} }));
    const extra = listOf(reply.getHeaders());
    reply.hijack();
    return pages.answer({ request: request.raw, response: reply.raw, extra }, page);
  });
  const answerer = new BodyAnswerer();
  const bodies = new Map<Asset['body'], Body>();
  const answerAsset = async (request: FastifyRequest, reply: FastifyReply) => {
    const asset = assets.find(request.url.split('?', 1)[0] as string);
    if (!asset) throw new Refusal('not_found');
    const body = bodies.get(asset.body) ?? new Body(asset.body, asset.contentType);
    bodies.set(asset.body, body);
    const context = contextOf(server, request, reply);
    reply.hijack();
    await answerer.answer(asset.isCurrent ? { ...context, cacheControl: FOR_GOOD } : context, body);
  };
  server.routeRead(`${ASSETS}:name`, answerAsset, { paths: () => assets.files.keys() });
  for (const path of SITE_FILE_PATHS) {
    const answerFile = (request: FastifyRequest, reply: FastifyReply) => {
      const file = current().files.get(path);
      if (!file) throw new Refusal('not_found');
      readFrom(server, request, reply, (context) => {
        const extra = [...context.extra, ...ANYWHERE];
        answerRecord({ ...context, extra }, file.body, file.contentType);
      });
    };
    server.routeRead(path, answerFile, {
      paths: () => (current().files.has(path) ? [path] : []),
    });
  }
}

/** What the pages of a snapshot are answered from. */
interface Shown {
  readonly site: Site;
  readonly pages: PageSet;
  readonly files: ReturnType<typeof buildSiteFiles>;
}

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
