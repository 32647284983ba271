// Serves the documents of the current snapshot. Headers and validators are prepared once per snapshot; a
// request is a lookup and a write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENCODINGS, linksOf } from '../snapshot/documents.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import { answerNotModified, COMMON_HEADERS, type HeaderList, sendPieces } from './answer.ts';
import { isNotModified, type Validators } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';

/** A document in one encoding, ready to send. */
interface Form {
  readonly body: readonly Uint8Array[];
  readonly headers: HeaderList;
  readonly headersNotModified: HeaderList;
}

interface ReadyDocument {
  readonly validators: Validators;
  /** Values of `If-None-Match` with a single tag, which nearly all clients send. */
  readonly quoted: ReadonlySet<string>;
  readonly forms: Readonly<Record<ContentEncoding, Form>>;
}

/** The documents of one snapshot by path, ready to send. */
export class DocumentSet {
  readonly #ready: ReadonlyMap<string, ReadyDocument>;
  readonly #encodings: EncodingChooser;

  constructor(snapshot: Snapshot, cacheControl: string) {
    this.#encodings = new EncodingChooser();
    this.#ready = new Map(
      [...snapshot.documents.values()].map((document) => [
        document.path,
        prepare(document, snapshot.origin, cacheControl),
      ]),
    );
  }

  has(path: string): boolean {
    return this.#ready.has(path);
  }

  /**
   * Answers GET or HEAD; false, with nothing written, if no document has the path. `extra` are headers of
   * this answer alone.
   */
  answer(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    extra: HeaderList = [],
  ): boolean {
    const document = this.#ready.get(path);
    if (!document) return false;
    const { headers } = request;
    const form = document.forms[this.#encodings.choose(headers['accept-encoding'])];
    const noneMatch = headers['if-none-match'];
    const isKnown = noneMatch !== undefined && document.quoted.has(noneMatch);
    if (isKnown || isNotModified(headers, document.validators)) {
      answerNotModified(response, join(form.headersNotModified, extra));
      return true;
    }
    response.writeHead(200, join(form.headers, extra) as string[]);
    if (request.method === 'HEAD') response.end();
    else sendPieces(response, form.body);
    return true;
  }
}

function join(headers: HeaderList, extra: HeaderList): HeaderList {
  return extra.length === 0 ? headers : [...headers, ...extra];
}

function prepare(document: Document, origin: string, cacheControl: string): ReadyDocument {
  const formOf = (encoding: ContentEncoding): Form => {
    const isPlain = encoding === 'identity';
    const body = isPlain ? document.body : document.compressed[encoding];
    const tag = isPlain ? document.tag : `${document.tag}-${encoding}`;
    const headersNotModified = [
      ...COMMON_HEADERS,
      'ETag',
      `"${tag}"`,
      'Last-Modified',
      new Date(document.changedAt * 1000).toUTCString(),
      'Cache-Control',
      cacheControl,
      'Vary',
      'Accept-Encoding',
      ...(document.isTopic ? ['Link', linksOf(document.path, origin)] : []),
    ];
    const headers = [
      ...headersNotModified,
      'Content-Type',
      document.contentType,
      'Content-Length',
      String(body.length),
      ...(isPlain ? [] : ['Content-Encoding', encoding]),
    ];
    return { body: [body], headers, headersNotModified };
  };
  const tags = [document.tag, ...ENCODINGS.map((encoding) => `${document.tag}-${encoding}`)];
  return {
    validators: { tags, changedAt: document.changedAt },
    quoted: new Set(tags.map((tag) => `"${tag}"`)),
    forms: {
      identity: formOf('identity'),
      br: formOf('br'),
      zstd: formOf('zstd'),
      gzip: formOf('gzip'),
    },
  };
}
