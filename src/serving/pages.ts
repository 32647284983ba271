// Handlers of the web pages, and of the files that they and other sites use.

import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.ts';
import { redirect } from '../http/answer.ts';
import type { ReadContext, RoutedHandler } from '../http/handlers.ts';
import { PageSet, redirectPage, redirectSlash } from '../http/pages.ts';
import { Resource } from '../http/resource.ts';
import { answerRecord } from '../http/reviews.ts';
import type { HttpServer } from '../http/server.ts';
import {
  fillPath,
  markdownPath,
  OPERATION_IDS,
  type OperationIn,
  pageOfMarkdown,
  ROUTES,
} from '../model/routes.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import { type Asset, type AssetSet, buildAssets } from '../site/assets.ts';
import { renderEmbedReview, SCRIPT_TYPE } from '../site/embed.ts';
import { buildHeader, buildLogo, buildSiteFiles, iconLink } from '../site/files.ts';
import { branchFile, branchFilePaths } from '../site/locations/branch-files.ts';
import { SUBJECT_PATHS } from '../site/parts/links.ts';
import { MISSING, type PageParameters, Site, WHOLE } from '../site/site.ts';
import { lookOf } from '../site/parts/theme.ts';
import { SharePictureDrawer } from '../site/pictures/share-picture-drawer.ts';
import { businessContent, shareContent } from '../site/pictures/share-picture.ts';
import { View } from '../site/view.ts';
import { type Binding, read, reply, resource } from './bindings.ts';
import { SharePictures } from './share-pictures.ts';
import { describeInterface } from './descriptions.ts';

/** Cache-Control of files whose name changes with their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Lets other sites embed the file (https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header). */
const CROSS_ORIGIN = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const;

/** The site of the current snapshot. */
interface ShownSite {
  readonly view: View;
  readonly site: Site;
  readonly pages: PageSet;
  readonly files: ReadonlyMap<string, Asset>;
  /** The logo by its path; empty if this server publishes none. */
  readonly logo: ReadonlyMap<string, Asset>;
  /** The picture at the top of the first page, likewise. */
  readonly header: ReadonlyMap<string, Asset>;
}

interface BoundPages {
  readonly bindings: Record<OperationIn<'Pages' | 'Files'>, Binding>;
  /** The whole page at a path without parameters, in Markdown; null if there is none. */
  readonly markdownOf: (path: string) => string | null;
}

/** With `isStatic` the pages are those of an export. */
export function bindPages(server: HttpServer, isStatic: boolean): BoundPages {
  const { cacheControl, siteColor, peopleIndexing: isIndexingPeople } = server.config;
  let assets = buildAssets(siteColor);
  let shown: ShownSite | null = null;
  const current = (): ShownSite => {
    if (!shown) throw new Refusal('not_ready');
    return shown;
  };
  server.onSnapshot((snapshot) => {
    const look = lookOf(new View(snapshot).business, siteColor);
    const view = new View(snapshot, { color: look.color });
    const { business } = view;
    assets = buildAssets(look);
    const files = buildSiteFiles(snapshot, look.color);
    const [icon, logo] = [iconLink(snapshot), buildLogo(snapshot)];
    const openApi = () =>
      buildOpenApi(describeInterface(snapshot, business, server.config.metrics));
    const { color } = look;
    const options = { isStatic, isIndexingPeople, color, icon, openApi };
    const site = new Site(snapshot, assets.urls, options);
    const header = buildHeader(snapshot);
    shown = { view, site, files, logo, header, pages: new PageSet(site, cacheControl) };
  });
  server.router.addReady(
    (request, response) => shown?.pages.answerReady(request, response) ?? null,
  );
  routeMissingPage(server, current);
  const file: Binding = (_server, route) => {
    const answer = (context: ReadContext) => {
      const found = current().files.get(route.path);
      if (!found) throw new Refusal('not_found');
      answerRecord(context, found.body, found.contentType, CROSS_ORIGIN);
    };
    read(answer, () => (current().files.has(route.path) ? [route.path] : []))(server, route);
  };
  const bindings = {
    ...pageBindings(current, isStatic),
    getAsset: bindAssets(() => assets),
    getEmbedScript: file,
    getEmbedData: file,
    getEmbedReview: bindEmbedReview(server, () => current().view),
    getBadge: file,
    getLocationFile: bindBranchFiles(() => current().view),
    getFavicon: file,
    ...sharePictures(server, () => current().view),
    getLogo: bindPictureFile(() => current().logo),
    getHeader: bindPictureFile(() => current().header),
  };
  const markdownOf = (path: string) => {
    const parameters = { part: WHOLE };
    const { status, content } = current().site.renderMarkdown(path, { id: '', parameters }, path);
    return status === 200 ? content : null;
  };
  return { bindings, markdownOf };
}

/** A page for each operation of the group; an export also numbers the pages of a subject's reviews. */
function pageBindings(
  current: () => ShownSite,
  isStatic: boolean,
): Record<OperationIn<'Pages'>, Binding> {
  const subjectPages = new Set(Object.values(SUBJECT_PATHS).map((list) => `${list}/:id`));
  const page = (path: string): Binding => {
    const answer: RoutedHandler = async (request, response) => {
      const { raw } = request;
      if (redirectPage(raw, response, Date.now())) return;
      const { site, pages } = current();
      const parameters = request.query as PageParameters['parameters'];
      const asked = { id: '', ...(request.params as object), parameters };
      const ready = pages.find(raw, path, (form, url) =>
        form === 'html'
          ? site.render(path, asked)
          : site.renderMarkdown(path, asked, pageOfMarkdown(url)),
      );
      await ready.resource.answer(raw, response);
    };
    const paths = () => current().site.pathsOf(path);
    return (server, route) => {
      reply(answer, { paths })(server, route);
      const inMarkdown = { ...route, path: markdownPath(path) };
      reply(answer, { paths: () => paths().map(markdownPath) })(server, inMarkdown);
    };
  };
  const binding: Binding = (server, route) => {
    const numbered = `${route.path}/:page`;
    page(route.path)(server, route);
    if (isStatic && subjectPages.has(route.path))
      page(numbered)(server, { ...route, path: numbered });
  };
  const ids = OPERATION_IDS.filter((id) => ROUTES[id].group === 'Pages');
  return Object.fromEntries(ids.map((id) => [id, binding])) as ReturnType<typeof pageBindings>;
}

/** Answers browsers with a page where no route matches. */
function routeMissingPage(server: HttpServer, current: () => ShownSite): void {
  server.routeMissing(async ({ raw }, response) => {
    if (redirectSlash(raw, response)) return;
    const { site, pages } = current();
    const render = () => site.render(MISSING, { id: '', parameters: {} });
    const ready = pages.findMissing(MISSING, render);
    await ready.resource.answer(raw, response);
  });
}

function bindBranchFiles(viewOf: () => View): Binding {
  const answer = (context: ReadContext) => {
    const { id = '', name = '' } = context.parameters;
    const view = viewOf();
    const found = branchFile(view, id, name, view.color);
    if (!found) throw new Refusal('not_found');
    answerRecord(context, found.body, found.contentType, CROSS_ORIGIN);
  };
  return read(answer, () => branchFilePaths(viewOf()));
}

/** The module of a review by its id. */
function bindEmbedReview(server: HttpServer, viewOf: () => View): Binding {
  const answer = (context: ReadContext) => {
    const view = viewOf();
    const [, id = ''] = /^([0-9A-Z]+)\.js$/.exec(context.parameters['name'] ?? '') ?? [];
    const position = view.snapshot.positionOf(id);
    if (position === null) throw new Refusal('not_found');
    answerRecord(context, renderEmbedReview(view, position), SCRIPT_TYPE, CROSS_ORIGIN);
  };
  return read(answer, function* paths() {
    const { snapshot } = server.serving;
    for (let position = 0; position < snapshot.reviewCount; position++) {
      yield fillPath(ROUTES.getEmbedReview.path, { name: `${snapshot.idAt(position)}.js` });
    }
  });
}

/** The pictures of the business, and of a review or subject, drawn when they are first requested. */
function sharePictures(
  server: HttpServer,
  viewOf: () => View,
): Record<'getPicture' | 'getSharePicture', Binding> {
  const drawer = new SharePictureDrawer();
  server.app.addHook('onClose', () => drawer.close());
  const { cacheControl } = server.config;
  const pictures = new SharePictures(drawer, { cacheControl, headers: CROSS_ORIGIN });
  const getPicture = resource(() => pictures.draw(businessContent(viewOf())));
  const getSharePicture = reply(async (request, response) => {
    const { kind = '', name = '' } = request.params as Record<string, string | undefined>;
    const [, id = ''] = /^(.+)\.png$/.exec(name) ?? [];
    const content = shareContent(viewOf(), kind, id);
    if (content === null) throw new Refusal('not_found');
    const picture = await pictures.find(content, server.admission.clientOf(request.raw));
    if (picture === null) {
      // Crawlers remember that a picture is missing, so they get that of the business.
      const headers = [...CROSS_ORIGIN, 'Cache-Control', 'no-store'];
      return redirect(request.raw, response, 302, ROUTES.getPicture.path, headers);
    }
    await picture.answer(request.raw, response);
  });
  return { getPicture, getSharePicture };
}

/** Other sites may show the logo, and the picture of the first page. Their names change with their content. */
function bindPictureFile(pictures: () => ReadonlyMap<string, Asset>): Binding {
  const made = new WeakMap<Asset, Resource>();
  return resource(
    ({ request }) => {
      const asset = pictures().get(pathOf(request));
      if (!asset) return null;
      const { body: content, contentType } = asset;
      const input = { content, contentType, cacheControl: IMMUTABLE, headers: CROSS_ORIGIN };
      const found = made.get(asset) ?? new Resource(input);
      made.set(asset, found);
      return found;
    },
    () => pictures().keys(),
  );
}

function bindAssets(assets: () => AssetSet): Binding {
  const made = { current: new WeakMap<Buffer, Resource>(), old: new WeakMap<Buffer, Resource>() };
  return resource(
    ({ request, cacheControl: brief }) => {
      const asset = assets().find(pathOf(request));
      if (!asset) return null;
      const { body: content, contentType, isCurrent } = asset;
      const kept = isCurrent ? made.current : made.old;
      const cacheControl = isCurrent ? IMMUTABLE : brief;
      const found = kept.get(content) ?? new Resource({ content, contentType, cacheControl });
      kept.set(content, found);
      return found;
    },
    () => assets().files.keys(),
  );
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] as string;
}
