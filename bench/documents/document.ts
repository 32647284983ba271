// The prepared document of all compared servers: bytes, headers and tag.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';

export interface Document {
  readonly path: string;
  readonly body: Buffer;
  readonly contentType: string;
  readonly tag: string;
  /** Names and values in turn, for `writeHead`: of a 304, and with two more of a 200. */
  readonly headersNotModified: readonly string[];
  readonly headers: readonly string[];
}

/** Headers that the HTTP server writes, or that depend on the body. */
const NOT_KEPT = new Set([
  'connection',
  'keep-alive',
  'date',
  'content-length',
  'content-type',
  'content-encoding',
]);

/** The document as a server sends it with gzip. */
export async function fetchDocument(url: string): Promise<Document> {
  const answer = await request(url, { headers: { 'accept-encoding': 'gzip' } });
  const body = Buffer.from(await answer.body.arrayBuffer());
  const { 'content-type': contentType, etag, 'content-encoding': encoding } = answer.headers;
  if (encoding !== 'gzip') throw new Error(`${url} came as ${String(encoding)}`);
  const headersNotModified = Object.entries(answer.headers).flatMap(([name, value]) =>
    NOT_KEPT.has(name) ? [] : [name, String(value)],
  );
  return {
    path: new URL(url).pathname,
    body,
    contentType: String(contentType),
    tag: String(etag),
    headersNotModified,
    headers: headersNotModified.concat(
      ['content-type', String(contentType)],
      ['content-encoding', 'gzip', 'content-length', String(body.length)],
    ),
  };
}

/** Headers as an object. */
export function headersOf(list: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    list.flatMap((name, place) => (place % 2 === 0 ? [[name, list[place + 1] ?? '']] : [])),
  );
}

export async function keepDocument(folder: string, document: Document): Promise<void> {
  const { body, ...rest } = document;
  await writeFile(join(folder, 'body'), body);
  await writeFile(join(folder, 'document.json'), JSON.stringify(rest));
}

/** The document that this process serves. */
export function readDocument(): Document {
  const folder = process.env['DOCUMENT'] ?? '';
  const rest = JSON.parse(readFileSync(join(folder, 'document.json'), 'utf8')) as Document;
  return { ...rest, body: readFileSync(join(folder, 'body')) };
}
