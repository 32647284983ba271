// Serves the documents of the current snapshot. Headers and validators are prepared once per snapshot; a
// request is a lookup and a write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { linksOf } from '../snapshot/documents.ts';
import type { Document, Snapshot } from '../snapshot/snapshot.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { isNotModified, type Validators } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';
import { type Form, prepareForm, sendForm, tagsOf } from './forms.ts';

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
    const isKnown =
      (noneMatch !== undefined && document.quoted.has(noneMatch)) ||
      isNotModified(headers, document.validators);
    sendForm(request, response, form, { isKnown, extra });
    return true;
  }
}

function prepare(document: Document, origin: string, cacheControl: string): ReadyDocument {
  const { path, contentType, tag, changedAtSeconds } = document;
  const headers = [
    'Last-Modified',
    new Date(changedAtSeconds * 1000).toUTCString(),
    ...(document.isTopic ? ['Link', linksOf(path, origin)] : []),
  ];
  const formOf = (encoding: ContentEncoding): Form => {
    const body = encoding === 'identity' ? document.body : document.compressed[encoding];
    return prepareForm({ body, encoding, tag, contentType, cacheControl, headers });
  };
  const tags = tagsOf(tag);
  return {
    validators: { tags, changedAtSeconds },
    quoted: new Set(tags.map((each) => `"${each}"`)),
    forms: {
      identity: formOf('identity'),
      br: formOf('br'),
      zstd: formOf('zstd'),
      gzip: formOf('gzip'),
    },
  };
}
