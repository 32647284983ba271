// Files that do not change: each is compressed when an encoding is first requested, and from then on ready to send.

import { Body, type BodyRequest } from './bodies.ts';
import { isNotModified, type Validators } from './conditional.ts';
import { type ContentEncoding, EncodingChooser } from './encoding.ts';
import { type Form, prepareForm, sendForm, tagsOf } from './forms.ts';

export interface FileInput {
  readonly content: string | Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

export class ReadyFile {
  readonly #body: Body;
  readonly #cacheControl: string;
  readonly #validators: Validators;
  readonly #forms = new Map<ContentEncoding, Form>();

  constructor({ content, contentType, cacheControl }: FileInput) {
    this.#body = new Body(content, contentType);
    this.#cacheControl = cacheControl;
    this.#validators = { tags: tagsOf(this.#body.tag) };
  }

  /** The file in an encoding that was prepared before; null in others. */
  kept(encoding: ContentEncoding): Form | null {
    return this.#forms.get(encoding) ?? null;
  }

  async prepare(encoding: ContentEncoding): Promise<Form> {
    const { tag, contentType } = this.#body;
    const body = await this.#body.form(encoding);
    const form = prepareForm({
      body,
      encoding,
      tag,
      contentType,
      cacheControl: this.#cacheControl,
    });
    this.#forms.set(encoding, form);
    return form;
  }

  isKnownTo({ request }: Pick<BodyRequest, 'request'>): boolean {
    return isNotModified(request.headers, this.#validators);
  }
}

/** Answers GET and HEAD with files. */
export class FileAnswerer {
  readonly #encodings = new EncodingChooser();

  /** Answers; the promise resolves after the file is compressed, if it has to be. */
  async answer(context: Omit<BodyRequest, 'cacheControl'>, file: ReadyFile): Promise<void> {
    const encoding = this.#choose(context);
    send(context, file, file.kept(encoding) ?? (await file.prepare(encoding)));
  }

  /** Answers if the file is ready in the accepted encoding; false, with nothing written, if not. */
  answerKept(context: Omit<BodyRequest, 'cacheControl'>, file: ReadyFile): boolean {
    const form = file.kept(this.#choose(context));
    if (form !== null) send(context, file, form);
    return form !== null;
  }

  #choose({ request }: Pick<BodyRequest, 'request'>): ContentEncoding {
    return this.#encodings.choose(request.headers['accept-encoding']);
  }
}

function send(context: Omit<BodyRequest, 'cacheControl'>, file: ReadyFile, form: Form): void {
  const { request, response, extra } = context;
  sendForm(request, response, form, { isKnown: file.isKnownTo(context), extra });
}
