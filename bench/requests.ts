// HTTP/1.1 requests as bytes.

export interface Request {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The bytes of an HTTP/1.1 request to an origin. */
export function bytesOf(origin: string, request: Request): Buffer {
  const { method = 'GET', path, headers = {}, body } = request;
  const lines = Object.entries({
    Host: new URL(origin).host,
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
