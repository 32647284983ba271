// Answers with web pages. A page is rendered when it is first asked for, and kept while there is room,
// compressed as it was asked for, until the next snapshot.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { compress, ENCODINGS, hashOf } from '../snapshot/documents.ts';
import {
  answerNotModified,
  COMMON_HEADERS,
  type HeaderList,
  sendPieces,
  setCommonHeaders,
} from './answer.ts';
import { isNotModified } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';

/** Memory for pages that were rendered, in bytes of HTML and URL; compressed forms add about half. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** A page as a surface renders it. */
export interface PageContent {
  readonly status: number;
  readonly html: string;
}

/** What is rendered for a request, and the headers that all pages of a snapshot carry. */
export interface PageSource {
  /** Value of the Content-Security-Policy header. */
  readonly policy: string;
  /** Names of the parameters that pages heed; any other changes nothing. */
  readonly parameters: ReadonlySet<string>;
}

/** A request for a page. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of this request alone. */
  readonly extra: HeaderList;
}

/** A page that was rendered, in the forms that were asked for. */
export interface ReadyPage {
  readonly route: string;
  readonly status: number;
  readonly tag: string;
  readonly body: Buffer;
  readonly forms: Map<ContentEncoding, Buffer>;
}

/** The pages of one snapshot. */
export class PageSet {
  readonly #kept = new LRUCache<string, ReadyPage>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }, url) => body.length + url.length,
  });
  readonly #encodings = new EncodingChooser();
  readonly #headers: HeaderList;
  readonly #parameters: ReadonlySet<string>;

  constructor({ policy, parameters }: PageSource, cacheControl: string) {
    this.#parameters = parameters;
    this.#headers = [
      ...COMMON_HEADERS,
      'Content-Security-Policy',
      policy,
      'Referrer-Policy',
      'strict-origin-when-cross-origin',
      'Cache-Control',
      cacheControl,
    ];
  }

  /** What `render` makes of a URL, or made of it before. */
  find(url: string, route: string, render: () => PageContent): ReadyPage {
    const key = this.#keyOf(url);
    return this.#kept.get(key) ?? this.#keep(key, route, render());
  }

  async answer(asked: PageRequest, page: ReadyPage): Promise<void> {
    const encoding = this.#encodings.choose(asked.request.headers['accept-encoding']);
    if (encoding !== 'identity' && !page.forms.has(encoding)) {
      page.forms.set(encoding, Buffer.from(await compress(page.body, encoding)));
    }
    this.#send(asked, page, encoding);
  }

  /** Answers at once where the page is kept in the form that is asked for: the route that it was
   * rendered for; null, and nothing done, where it is not. */
  answerKept(asked: PageRequest): string | null {
    const page = this.#kept.get(this.#keyOf(asked.request.url as string));
    if (!page) return null;
    const encoding = this.#encodings.choose(asked.request.headers['accept-encoding']);
    if (!page.forms.has(encoding)) return null;
    this.#send(asked, page, encoding);
    return page.route;
  }

  /** The URL without what changes nothing, such as the marks of advertisers: one page is kept once. */
  #keyOf(url: string): string {
    const end = url.indexOf('?');
    if (end < 0) return url;
    const pairs = url.slice(end + 1).split('&');
    // An empty parameter leads to another URL, and after a fragment there are none.
    if (url.includes('#') || pairs.some(isEmpty)) return url;
    const heeded = pairs.filter((pair) => {
      const [name = ''] = pair.split('=', 1);
      return this.#parameters.has(name) || /[%+]/.test(name);
    });
    const path = url.slice(0, end);
    return heeded.length === 0 ? path : `${path}?${heeded.join('&')}`;
  }

  #keep(key: string, route: string, { status, html }: PageContent): ReadyPage {
    const body = Buffer.from(html);
    const page = {
      route,
      status,
      tag: hashOf(body),
      body,
      forms: new Map<ContentEncoding, Buffer>([['identity', body]]),
    };
    // A page that is found under its route's own name is the same for all.
    if (status === 200 || key === route) this.#kept.set(key, page);
    return page;
  }

  #send(
    { request, response, extra }: PageRequest,
    page: ReadyPage,
    encoding: ContentEncoding,
  ): void {
    const { status, tag } = page;
    const body = page.forms.get(encoding) ?? page.body;
    const isPlain = encoding === 'identity';
    const headers = [...this.#headers, ...extra];
    // Who does not ask for a page is told in JSON that nothing is there.
    headers.push('Vary', status === 404 ? 'Accept, Accept-Encoding' : 'Accept-Encoding');
    if (status === 200) {
      headers.push('ETag', isPlain ? `"${tag}"` : `"${tag}-${encoding}"`);
      const tags = [tag, ...ENCODINGS.map((name) => `${tag}-${name}`)];
      if (isNotModified(request.headers, { tags })) {
        answerNotModified(response, headers);
        return;
      }
    }
    headers.push('Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length));
    if (!isPlain) headers.push('Content-Encoding', encoding);
    response.writeHead(status, headers);
    if (request.method === 'HEAD') response.end();
    else sendPieces(response, [body]);
  }
}

/** Sends to the path without the slash at its end; false, and nothing done, where it has none. */
export function redirectSlash(reply: FastifyReply, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  if (!/^\/[^/].*\/$/.test(path)) return false;
  void setCommonHeaders(reply).redirect(path.slice(0, -1), 301);
  return true;
}

/** Sends to the URL without the parameters that are empty, as a form without scripts sends them; false,
 * and nothing done, where there are none. */
export function redirectEmpty(reply: FastifyReply, url: string): boolean {
  const end = url.indexOf('?');
  if (end < 0 || !url.startsWith('/')) return false;
  const path = url.slice(0, end);
  const given = url
    .slice(end + 1)
    .split('&')
    .filter((pair) => !isEmpty(pair));
  const clean = given.length === 0 ? path : `${path}?${given.join('&')}`;
  if (clean === url) return false;
  void setCommonHeaders(reply).redirect(clean, 302);
  return true;
}

/** Whether a parameter has no value. */
function isEmpty(pair: string): boolean {
  return /^[^=]*=?$/.test(pair);
}
