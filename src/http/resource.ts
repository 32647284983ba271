// What is sent as it is: a document, a page or a file, with its headers and validators prepared once, in the encodings
// that clients accept. A request is a lookup and a write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '../model/http-seam.ts';
import { BlockBody } from '../snapshot/blocks.ts';
import { compress, ENCODINGS, hashOf } from '../snapshot/documents.ts';
import { answerNotModified, COMMON_HEADERS, policyOf, sendPieces } from './answer.ts';
import { isNotModified, type Validators } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';

export interface ResourceInput {
  readonly content: string | Uint8Array | BlockBody;
  readonly contentType: string;
  readonly cacheControl: string;
  /** The entity tag of the content, without quotes; by default its hash. */
  readonly tag?: string;
  readonly changedAtSeconds?: number;
  /** Further headers, also of a 304. */
  readonly headers?: HeaderList;
  /** Headers by which the content was chosen, beside the encoding. */
  readonly vary?: readonly string[];
  /** 400 and 404 are pages for browsers; other clients get JSON. */
  readonly status?: 200 | 400 | 404;
  /** Encodings that are compressed already; others are when first requested. */
  readonly compressed?: Readonly<Partial<Record<ContentEncoding, Uint8Array | BlockBody>>>;
}

/** The content in one encoding. */
interface Form {
  readonly body: Iterable<Uint8Array>;
  readonly headers: HeaderList;
  readonly headersNotModified: HeaderList;
}

const CHOOSER = new EncodingChooser();

export class Resource {
  readonly #input: ResourceInput;
  readonly #content: Uint8Array | BlockBody;
  readonly #tag: string;
  readonly #validators: Validators;
  /** Values of `If-None-Match` with a single tag, which nearly all clients send. */
  readonly #quoted: ReadonlySet<string>;
  readonly #forms = new Map<ContentEncoding, Form>();

  constructor(input: ResourceInput) {
    const { content, changedAtSeconds, compressed = {} } = input;
    this.#input = input;
    this.#content = typeof content === 'string' ? Buffer.from(content) : content;
    this.#tag = input.tag ?? hashOf(this.#content as Uint8Array);
    const tags = [this.#tag, ...ENCODINGS.map((encoding) => `${this.#tag}-${encoding}`)];
    this.#validators = changedAtSeconds === undefined ? { tags } : { tags, changedAtSeconds };
    this.#quoted = new Set(tags.map((tag) => `"${tag}"`));
    for (const [encoding, body] of Object.entries({ ...compressed, identity: this.#content })) {
      this.#keep(encoding as ContentEncoding, body);
    }
  }

  get size(): number {
    return this.#content.length;
  }

  /** Answers GET or HEAD; the promise resolves after the content is compressed, if it has to be. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const encoding = this.#encodingFor(request);
    const form = this.#forms.get(encoding);
    if (form === undefined) {
      return this.#compress(encoding).then((made) => this.#send(request, response, made));
    }
    this.#send(request, response, form);
    return undefined;
  }

  /** Answers if the content is ready in the accepted encoding; false, with nothing written, if not. */
  answerReady(request: IncomingMessage, response: ServerResponse): boolean {
    const form = this.#forms.get(this.#encodingFor(request));
    if (form === undefined) return false;
    this.#send(request, response, form);
    return true;
  }

  #encodingFor({ headers }: IncomingMessage): ContentEncoding {
    // Compression does not make these smaller.
    if (/^image\/(?:png|jpeg|webp)$/.test(this.#input.contentType)) return 'identity';
    return CHOOSER.choose(headers['accept-encoding']);
  }

  #send(request: IncomingMessage, response: ServerResponse, form: Form): void {
    const { status = 200 } = this.#input;
    if (status === 200 && this.#isKnown(request)) {
      answerNotModified(response, form.headersNotModified);
      return;
    }
    response.writeHead(status, form.headers as string[]);
    if (request.method === 'HEAD') response.end();
    else sendPieces(response, form.body);
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const noneMatch = headers['if-none-match'];
    return (
      (noneMatch !== undefined && this.#quoted.has(noneMatch)) ||
      isNotModified(headers, this.#validators)
    );
  }

  async #compress(encoding: ContentEncoding): Promise<Form> {
    if (encoding === 'identity' || this.#content instanceof BlockBody) {
      throw new Error(`no form in ${encoding} was given`);
    }
    return this.#keep(encoding, await compress(this.#content, encoding, 'onRequest'));
  }

  #keep(encoding: ContentEncoding, body: Uint8Array | BlockBody): Form {
    const { contentType, cacheControl, status = 200, changedAtSeconds } = this.#input;
    const { headers = [], vary = [] } = this.#input;
    const tag = encoding === 'identity' ? this.#tag : `${this.#tag}-${encoding}`;
    const headersNotModified = [
      ...COMMON_HEADERS,
      ...(status === 200 ? ['ETag', `"${tag}"`] : []),
      'Cache-Control',
      cacheControl,
      'Vary',
      [...vary, 'Accept-Encoding'].join(', '),
      ...(changedAtSeconds === undefined
        ? []
        : ['Last-Modified', new Date(changedAtSeconds * 1000).toUTCString()]),
      ...headers,
      ...policyOf(contentType),
    ];
    const form = {
      body: body instanceof BlockBody ? body : [body],
      headersNotModified,
      headers: [
        ...headersNotModified,
        'Content-Type',
        contentType,
        'Content-Length',
        String(body.length),
        ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
      ],
    };
    this.#forms.set(encoding, form);
    return form;
  }
}
