// Answers that are made from the current snapshot when somebody asks: each is compressed in the
// encoding that is asked for, and has an entity tag for every encoding.

import { compress, type Encoding, ENCODINGS, hashOf } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { answer, answerNotModified, COMMON_HEADERS, type HeaderList, policyOf } from './answer.ts';
import { isNotModified } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';
import type { ReadContext } from './handlers.ts';

/** What a reader is sent, in the forms that were asked for so far. */
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

  has(encoding: ContentEncoding): boolean {
    return this.#forms.has(encoding);
  }

  /** The form in an encoding; at once, where it was asked for before. */
  form(encoding: ContentEncoding): Uint8Array | Promise<Uint8Array> {
    return this.#forms.get(encoding) ?? this.#compress(encoding as Encoding);
  }

  async #compress(encoding: Encoding): Promise<Uint8Array> {
    const form = await compress(this.bytes, encoding, 'onRequest');
    this.#forms.set(encoding, form);
    return form;
  }
}

/** A body for each snapshot, made when it is first asked for and kept as long as the snapshot. */
export class SnapshotBody {
  readonly #made = new WeakMap<Snapshot, Body>();
  readonly #make: (snapshot: Snapshot) => Body;

  constructor(make: (snapshot: Snapshot) => Body) {
    this.#make = make;
  }

  of(snapshot: Snapshot): Body {
    const body = this.#made.get(snapshot) ?? this.#make(snapshot);
    this.#made.set(snapshot, body);
    return body;
  }
}

/** A request for a body. */
export type BodyRequest = Pick<ReadContext, 'request' | 'response' | 'cacheControl' | 'extra'>;

interface BodyOptions {
  /** Headers of this body alone. */
  readonly headers?: HeaderList;
  /** 404 is an answer to whoever asks for a page by name; others are told in JSON. */
  readonly status?: 200 | 400 | 404;
}

/** Answers GET and HEAD with bodies. */
export class BodyAnswerer {
  readonly #encodings = new EncodingChooser();

  /** Whether a body can be answered with at once. */
  isReady({ request }: Pick<BodyRequest, 'request'>, body: Body): boolean {
    return body.has(this.#encodings.choose(request.headers['accept-encoding']));
  }

  /** Answers at once, or when the form that is asked for is made. */
  answer(
    { request, response, cacheControl, extra }: BodyRequest,
    body: Body,
    { headers = [], status = 200 }: BodyOptions = {},
  ): Promise<void> | undefined {
    const encoding = this.#encodings.choose(request.headers['accept-encoding']);
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
      all.push('ETag', encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`);
      const tags = [tag, ...ENCODINGS.map((each) => `${tag}-${each}`)];
      if (isNotModified(request.headers, { tags })) {
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
