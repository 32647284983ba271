// Bodies that are rendered from the current snapshot on request: each is compressed in the requested
// encodings, and has an entity tag for every encoding.

import { compress, type Encoding, hashOf } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answer, answerNotModified, COMMON_HEADERS, policyOf } from './answer.ts';
import type { HeaderList } from '../model/http-seam.ts';
import { isNotModified } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';
import { tagOf, tagsOf } from './forms.ts';
import type { ReadContext } from './handlers.ts';

/** A body in the encodings that were requested so far. */
export class Body {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly tag: string;
  readonly #forms = new Map<ContentEncoding, Uint8Array>();

  constructor(content: string | Uint8Array, contentType: string) {
    this.bytes = Buffer.from(content);
    this.contentType = contentType;
    this.tag = hashOf(this.bytes);
    this.#forms.set('identity', this.bytes);
  }

  /** Whether compression makes it smaller. */
  get isCompressible(): boolean {
    return !/^image\/(?:png|jpeg|webp)$/.test(this.contentType);
  }

  has(encoding: ContentEncoding): boolean {
    return this.#forms.has(encoding);
  }

  /** The body in an encoding; a promise when it is requested for the first time. */
  form(encoding: ContentEncoding): Uint8Array | Promise<Uint8Array> {
    return this.#forms.get(encoding) ?? this.#compress(encoding as Encoding);
  }

  async #compress(encoding: Encoding): Promise<Uint8Array> {
    const form = await compress(this.bytes, encoding, 'onRequest');
    this.#forms.set(encoding, form);
    return form;
  }
}

/** A body for each snapshot, rendered when first requested and kept as long as the snapshot. */
export class SnapshotBody {
  readonly #rendered = new WeakMap<Snapshot, Body>();
  readonly #render: (snapshot: Snapshot) => Body;

  constructor(render: (snapshot: Snapshot) => Body) {
    this.#render = render;
  }

  of(snapshot: Snapshot): Body {
    const body = this.#rendered.get(snapshot) ?? this.#render(snapshot);
    this.#rendered.set(snapshot, body);
    return body;
  }
}

export type BodyRequest = Pick<ReadContext, 'request' | 'response' | 'cacheControl' | 'extra'>;

interface BodyOptions {
  /** Headers beside the common ones. */
  readonly headers?: HeaderList;
  /** 400 and 404 are pages for browsers; other clients get JSON. */
  readonly status?: 200 | 400 | 404;
}

/** Answers GET and HEAD with bodies. */
export class BodyAnswerer {
  readonly #encodings = new EncodingChooser();

  /** Whether the body exists in the encoding that the client accepts. */
  isReady({ request }: Pick<BodyRequest, 'request'>, body: Body): boolean {
    return body.has(this.#encodingOf(request, body));
  }

  #encodingOf({ headers }: BodyRequest['request'], { isCompressible }: Body): ContentEncoding {
    return isCompressible ? this.#encodings.choose(headers['accept-encoding']) : 'identity';
  }

  /** Answers; the promise resolves after the body is compressed, if it has to be. */
  answer(
    { request, response, cacheControl, extra }: BodyRequest,
    body: Body,
    { headers = [], status = 200 }: BodyOptions = {},
  ): Promise<void> | undefined {
    const encoding = this.#encodingOf(request, body);
    const { tag } = body;
    const all = [
      ...COMMON_HEADERS,
      ...extra,
      ...headers,
      ...policyOf(body.contentType),
      'Cache-Control',
      cacheControl,
      'Vary',
      status === 404 ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    ];
    if (status === 200) {
      all.push('ETag', `"${tagOf(tag, encoding)}"`);
      if (isNotModified(request.headers, { tags: tagsOf(tag) })) {
        answerNotModified(response, all);
        return undefined;
      }
    }
    const named = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const send = (form: Uint8Array) => {
      const typed = [...all, 'Content-Type', body.contentType, ...named];
      answer(request, response, typed, [form], status);
    };
    const form = body.form(encoding);
    if (form instanceof Promise) return form.then(send);
    send(form);
    return undefined;
  }
}
