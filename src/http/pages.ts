// Answers with web pages. A page is rendered and compressed when first requested, and cached until the next
// snapshot.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { redirect } from './answer.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { dateBefore } from '../model/date.ts';
import { ROUTES } from '../model/routes.ts';
import { parseQuery } from './requests.ts';
import { Resource } from './resource.ts';

/** Bytes of HTML and URLs; compressed forms add about half. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Reading a longer URL costs as much as many answers, so it waits for a turn. */
const MAX_READY_URL = 2_048;

/** Where programs find the interfaces (RFC 9727), and agents the MCP server (ARD, AI Catalog). */
const CATALOGS = [
  `<${ROUTES.getApiCatalog.path}>; rel="api-catalog"`,
  `<${ROUTES.getResourceManifest.path}>; rel="ard"`,
  `<${ROUTES.getAgentCatalog.path}>; rel="ai-catalog"`,
].join(', ');

/** A page as the site renders it. */
export interface PageContent {
  readonly status: 200 | 400 | 404;
  readonly html: string;
}

/** Properties of all pages of a snapshot. */
export interface PageSource {
  /** Value of the Content-Security-Policy header. */
  readonly policy: string;
  /** Value of the Content-Language header. */
  readonly language: string;
  /** Names of the parameters that change the page at a path. */
  parametersOf(path: string): Pick<ReadonlySet<string>, 'has'>;
}

/** A rendered page. */
export interface ReadyPage {
  readonly route: string;
  readonly resource: Resource;
}

/** The pages of one snapshot. */
export class PageSet {
  readonly #kept = new LRUCache<string, ReadyPage>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ resource }, url) => resource.size + url.length,
  });
  #missing: ReadyPage | null = null;
  readonly #cacheControl: string;
  readonly #headers: HeaderList;
  readonly #source: PageSource;

  constructor(source: PageSource, cacheControl: string) {
    this.#source = source;
    this.#cacheControl = cacheControl;
    this.#headers = [
      'Content-Security-Policy',
      source.policy,
      'Referrer-Policy',
      'strict-origin-when-cross-origin',
      'Content-Language',
      source.language,
      'Link',
      CATALOGS,
    ];
  }

  /** The page of a URL from the cache, else rendered now. */
  find(url: string, route: string, render: () => PageContent): ReadyPage {
    const key = this.#keyOf(url);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const content = render();
    const page = this.#prepare(route, content);
    if (content.status === 200) this.#kept.set(key, page);
    return page;
  }

  /** The 404 page, the same for every URL without a route. */
  findMissing(route: string, render: () => PageContent): ReadyPage {
    this.#missing ??= this.#prepare(route, render());
    return this.#missing;
  }

  #prepare(route: string, { status, html }: PageContent): ReadyPage {
    const resource = new Resource({
      content: html,
      contentType: 'text/html; charset=utf-8',
      cacheControl: this.#cacheControl,
      headers: this.#headers,
      status,
    });
    return { route, resource };
  }

  /** Answers if the page is cached in the accepted encoding and returns its route; null, with nothing
   * written, if not or if the URL is long. */
  answerReady(request: IncomingMessage, response: ServerResponse): string | null {
    const url = request.url as string;
    if (url.length > MAX_READY_URL) return null;
    const page = this.#kept.get(this.#keyOf(url));
    return page?.resource.answerReady(request, response) ? page.route : null;
  }

  /** The URL without parameters that do not change the page, such as those of advertisers. */
  #keyOf(url: string): string {
    const end = url.indexOf('?');
    if (end < 0) return normalizePath(url);
    const pairs = url.slice(end + 1).split('&');
    // Empty parameters redirect, and a fragment ends the query.
    if (url.includes('#') || pairs.some(isEmpty)) return url;
    const path = normalizePath(url.slice(0, end));
    const names = this.#source.parametersOf(path);
    const significant = pairs.flatMap((pair) => {
      const [name = ''] = Object.keys(parseQuery(pair));
      return names.has(name)
        ? [`${encodeURIComponent(name)}=${pair.slice(pair.indexOf('=') + 1)}`]
        : [];
    });
    return significant.length === 0 ? path : `${path}?${significant.join('&')}`;
  }
}

/** Decodes unreserved characters of a path (RFC 3986, section 6.2.2.2). */
function normalizePath(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Whether a target is a path. Browsers read `//` and `/\` at the start of a Location as another host's. */
function isPath(target: string): boolean {
  return /^\/(?![/\\])/.test(target);
}

/** Redirects to the path without its trailing slash; false, with nothing written, if it has none. */
export function redirectSlash(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = ''] = (request.url as string).split('?', 1);
  if (path === '/' || !path.endsWith('/') || !isPath(path)) return false;
  redirect(request, response, 301, path.slice(0, -1));
  return true;
}

/** Redirects to the URL of a page that search engines and caches know; false, with nothing written, if it is that. */
export function redirectPage(
  request: IncomingMessage,
  response: ServerResponse,
  nowMs: number,
): boolean {
  if (redirectSlash(request, response)) return true;
  const url = request.url as string;
  const location = withDates(withoutEmpty(url), nowMs);
  if (location === url || !isPath(url)) return false;
  redirect(request, response, 302, location);
  return true;
}

/** The URL without empty parameters, which forms send without scripts. */
function withoutEmpty(url: string): string {
  const end = url.indexOf('?');
  if (end < 0) return url;
  const path = url.slice(0, end);
  const given = url
    .slice(end + 1)
    .split('&')
    .filter((pair) => !isEmpty(pair));
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}

/**
 * The URL with dates in place of periods before today, such as `since=12m`: pages are cached, and a link to one means
 * the same tomorrow.
 */
function withDates(url: string, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return url.replaceAll(
    /(?<=[?&](?:since|until)=)\w+(?=&|$)/g,
    (period) => dateBefore(today, period) ?? period,
  );
}

/** Whether a parameter has no value. */
function isEmpty(pair: string): boolean {
  return /^[^=]*=?$/.test(pair);
}
