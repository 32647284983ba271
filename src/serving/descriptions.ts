// Handlers of the operations that describe this origin: `/openapi.json` and its reference, the API catalog,
// and the files for language models and crawlers.

import { API_CATALOG_TYPE, apiCatalogLink, buildApiCatalog } from '../discovery/catalog.ts';
import { DOCUMENTATION } from '../discovery/documentation.ts';
import { FULL_PAGES, LLMS_TYPE, renderLlms, renderLlmsFull } from '../discovery/llms.ts';
import { renderRobots } from '../discovery/robots.ts';
import { renderSecurity } from '../discovery/security.ts';
import {
  renderSitemapFile,
  renderSitemapIndex,
  SITEMAP_TYPE,
  sitemapPaths,
} from '../discovery/sitemap.ts';
import type { ReadContext } from '../http/handlers.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { Resource } from '../http/resource.ts';
import type { HttpServer } from '../http/server.ts';
import type { Business } from '../model/business.ts';
import { businessFileSchema } from '../model/business-file.ts';
import type { ReviewJson } from '../model/review.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import type { Described } from '../model/openapi.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Binding, type PathLister, resource } from './bindings.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';

type ContentOf = (snapshot: Snapshot, parameters: ReadContext['parameters']) => string | null;

export function bindDescriptions(
  server: HttpServer,
  businessOf: () => Business,
  markdownOf: (path: string) => string | null,
): Record<OperationIn<'About'>, Binding> {
  const { cacheControl } = server.config;
  /** Rendered for each request. */
  const fresh = (contentType: string, contentOf: ContentOf, paths: PathLister): Binding =>
    resource(({ snapshot, parameters }) => {
      const content = contentOf(snapshot, parameters);
      return content === null ? null : new Resource({ content, contentType, cacheControl });
    }, paths);
  /** Rendered once for each snapshot. */
  const text = (
    contentType: string,
    render: (snapshot: Snapshot) => string,
    headersOf: (snapshot: Snapshot) => HeaderList = () => [],
  ): Binding => {
    const rendered = new WeakMap<Snapshot, Resource>();
    return resource(({ snapshot }) => {
      const headers = headersOf(snapshot);
      const found =
        rendered.get(snapshot) ??
        new Resource({ content: render(snapshot), contentType, cacheControl, headers });
      rendered.set(snapshot, found);
      return found;
    });
  };
  const security = (snapshot: Snapshot) => renderSecurity(snapshot, businessOf().email);
  const sitemapFile: ContentOf = (snapshot, { file: name = '' }) => {
    const { peopleIndexing: isIndexingPeople } = server.config;
    return renderSitemapFile(snapshot, name, { isIndexingPeople });
  };
  return {
    getOpenApi: text(JSON_TYPE, (snapshot) =>
      JSON.stringify(
        buildOpenApi(describeInterface(snapshot, businessOf(), server.config.metrics)),
      ),
    ),
    getApiCatalog: text(
      API_CATALOG_TYPE,
      ({ origin }) => JSON.stringify(buildApiCatalog(origin)),
      ({ origin }) => ['Link', apiCatalogLink(origin)],
    ),
    getBusinessSchema: text(JSON_TYPE, () => JSON.stringify(businessFileSchema(), null, 2)),
    getLlms: text(LLMS_TYPE, renderLlms),
    getLlmsFull: text(LLMS_TYPE, (snapshot) => {
      const pages = FULL_PAGES.flatMap((path) => markdownOf(path) ?? []);
      return renderLlmsFull(snapshot, pages, DOCUMENTATION);
    }),
    getRobots: text(TEXT_TYPE, ({ origin }) => renderRobots(origin)),
    getSecurity: fresh(TEXT_TYPE, security, () =>
      security(server.serving.snapshot) === null ? [] : [ROUTES.getSecurity.path],
    ),
    getSitemap: text(SITEMAP_TYPE, renderSitemapIndex),
    getSitemapFile: fresh(SITEMAP_TYPE, sitemapFile, () => sitemapPaths(server.serving.snapshot)),
  };
}

/** Input of `/openapi.json`. Its examples name the oldest review, which changes least. */
export function describeInterface(
  snapshot: Snapshot,
  business: Business,
  metrics: boolean,
): Described {
  const oldest = snapshot.reviewCount === 0 ? null : snapshot.reviewAt(snapshot.reviewCount - 1);
  const example = oldest && (JSON.parse(oldest.toString()) as ReviewJson);
  const { attributeNames: attributes, ratingNames: ratings } = snapshot.fields;
  return { origin: snapshot.origin, business, example, metrics, parts: { attributes, ratings } };
}
