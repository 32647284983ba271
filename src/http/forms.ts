// Bodies in one encoding with their headers, prepared so that a request is answered with one write.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockBody } from '../snapshot/blocks.ts';
import { ENCODINGS } from '../snapshot/documents.ts';
import { answerNotModified, COMMON_HEADERS, sendPieces } from './answer.ts';
import type { HeaderList } from '../model/http-seam.ts';
import type { ContentEncoding } from './encoding.ts';

export interface Form {
  readonly body: Iterable<Uint8Array>;
  readonly headers: HeaderList;
  readonly headersNotModified: HeaderList;
}

export interface FormInput {
  readonly body: Uint8Array | BlockBody;
  readonly encoding: ContentEncoding;
  /** The entity tag of the unencoded body, without quotes. */
  readonly tag: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** Further headers, also of a 304. */
  readonly headers?: HeaderList;
}

/** The entity tag of a body in an encoding, without quotes. */
export function tagOf(tag: string, encoding: ContentEncoding): string {
  return encoding === 'identity' ? tag : `${tag}-${encoding}`;
}

/** The entity tags of a body in all encodings, without quotes. */
export function tagsOf(tag: string): string[] {
  return [tag, ...ENCODINGS.map((encoding) => tagOf(tag, encoding))];
}

export function prepareForm(input: FormInput): Form {
  const { body, encoding, tag, contentType, cacheControl, headers: further = [] } = input;
  const headersNotModified = [
    ...COMMON_HEADERS,
    'ETag',
    `"${tagOf(tag, encoding)}"`,
    'Cache-Control',
    cacheControl,
    'Vary',
    'Accept-Encoding',
    ...further,
  ];
  const headers = [
    ...headersNotModified,
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
  ];
  return { body: body instanceof BlockBody ? body : [body], headers, headersNotModified };
}

/** Answers GET or HEAD. `extra` are headers of this answer alone. */
export function sendForm(
  request: IncomingMessage,
  response: ServerResponse,
  form: Form,
  { isKnown, extra }: { readonly isKnown: boolean; readonly extra: HeaderList },
): void {
  if (isKnown) {
    answerNotModified(response, join(form.headersNotModified, extra));
    return;
  }
  response.writeHead(200, join(form.headers, extra) as string[]);
  if (request.method === 'HEAD') response.end();
  else sendPieces(response, form.body);
}

function join(headers: HeaderList, extra: HeaderList): HeaderList {
  return extra.length === 0 ? headers : [...headers, ...extra];
}
