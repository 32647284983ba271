// Answers with web pages, in HTML or Markdown. A page is rendered and compressed when first requested, and cached
// until the next snapshot.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { redirect } from './answer.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { dateBefore } from '../model/date.ts';
import { ROUTES } from '../model/routes.ts';
import { parseQuery } from './requests.ts';
import { Resource } from './resource.ts';

const TYPES = { html: 'text/html', markdown: 'text/markdown' } as const;
/** Characters of the Accept header that are read, as no client has a turn yet. Browsers send 140. */
const MAX_ACCEPT = 512;
/** Bytes of pages and URLs; compressed forms add about half. */
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
interface PageContent {
  readonly status: 200 | 400 | 404;
  readonly content: string;
}

type PageForm = keyof typeof TYPES;

/** Properties of all pages of a snapshot. */
interface PageSource {
  /** Value of the Content-Security-Policy header. */
  readonly policy: string;
  /** Value of the Content-Language header. */
  readonly language: string;
  /** Names of the parameters that change the page at a path. */
  parametersOf(path: string): Pick<ReadonlySet<string>, 'has'>;
}

interface ReadyPage {
  readonly route: string;
  readonly resource: Resource;
}

export class PageSet {
  readonly #kept = new LRUCache<string, ReadyPage>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ resource }, url) => resource.size + url.length,
  });
  #missing: ReadyPage | null = null;
  readonly #cacheControl: string;
  readonly #headers: Readonly<Record<PageForm, HeaderList>>;
  readonly #source: PageSource;

  constructor(source: PageSource, cacheControl: string) {
    this.#source = source;
    this.#cacheControl = cacheControl;
    const language = ['Content-Language', source.language];
    const policy = ['Content-Security-Policy', source.policy];
    const links = ['Link', CATALOGS];
    this.#headers = {
      html: [
        ...policy,
        'Referrer-Policy',
        'strict-origin-when-cross-origin',
        ...language,
        ...links,
      ],
      // The same page is found as HTML.
      markdown: ['X-Robots-Tag', 'noindex', ...language],
    };
  }

  /** The page of a request from the cache, else rendered now, in Markdown if its address or the client asks for that. */
  find(
    request: IncomingMessage,
    route: string,
    render: (form: PageForm, url: string) => PageContent,
  ): ReadyPage {
    const { key, form, url } = this.#ask(request);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const content = render(form, url);
    const page = this.#prepare(route, content, form, hasMarkdownAddress(request));
    if (content.status === 200) this.#kept.set(key, page);
    return page;
  }

  /** The 404 page, the same for every URL without a route. */
  findMissing(route: string, render: () => PageContent): ReadyPage {
    this.#missing ??= this.#prepare(route, render());
    return this.#missing;
  }

  #prepare(
    route: string,
    { status, content }: PageContent,
    form: PageForm = 'html',
    isAddressed = false,
  ): ReadyPage {
    const isNegotiated = form === 'markdown' && !isAddressed;
    const resource = new Resource({
      content,
      contentType: `${TYPES[form]}; charset=utf-8`,
      // A shared cache that does not know Vary must not give it to browsers.
      cacheControl: isNegotiated
        ? `private, ${this.#cacheControl.replace(/\bpublic,? */, '')}`
        : this.#cacheControl,
      headers: this.#headers[form],
      vary: isAddressed ? [] : ['Accept'],
      status,
    });
    return { route, resource };
  }

  /** Answers if the page is cached in the accepted encoding and returns its route; null, with nothing
   * written, if not or if the URL is long. */
  answerReady(request: IncomingMessage, response: ServerResponse): string | null {
    const url = request.url as string;
    if (url.length > MAX_READY_URL) return null;
    const page = this.#kept.get(this.#ask(request).key);
    return page?.resource.answerReady(request, response) ? page.route : null;
  }

  /** The form that a request asks for, the URL of the page, and the key of the page in that form. */
  #ask(request: IncomingMessage) {
    const url = this.#urlOf(request.url as string);
    if (!hasMarkdownAddress(request) && prefersMarkdown(request)) {
      return { key: `markdown ${url}`, form: 'markdown', url } as const;
    }
    return { key: url, form: hasMarkdownAddress(request) ? 'markdown' : 'html', url } as const;
  }

  /** The URL without parameters that do not change the page, such as those of advertisers. */
  #urlOf(url: string): string {
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

function hasMarkdownAddress({ url = '' }: IncomingMessage): boolean {
  return /^[^?#]*\.md(?:[?#]|$)/.test(url);
}

/** Whether a client prefers Markdown to HTML (RFC 9110, section 12.5.1). */
function prefersMarkdown({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || !accept.includes(TYPES.markdown) || accept.length > MAX_ACCEPT)
    return false;
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaTypes([TYPES.html, TYPES.markdown])[0] === TYPES.markdown;
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
