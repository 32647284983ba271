// Fingerprints of the answers of a server, byte for byte.

import { createHash } from 'node:crypto';
import { get } from 'node:http';

export const DOCUMENTS = ['/reviews.json', '/insights.json', '/api/feed.json', '/feed.xml'];
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd'];
const DYNAMIC = [
  '/api/reviews/since/1970-01-01',
  '/api/reviews/since/2024-03-01',
  '/api/reviews/search?limit=100',
  '/api/reviews/search?query=boiler&limit=3',
];

/** An answer as received, with its encoding. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export function rawGet(url: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    }).on('error', reject);
  });
}

/**
 * Status, validators and a hash of the body of every document in every encoding, and of answers that are
 * rendered on request.
 */
export async function fingerprint(baseUrl: string): Promise<Record<string, string>> {
  const wanted = [
    ...DOCUMENTS.flatMap((path) => ENCODINGS.map((encoding) => [path, encoding] as const)),
    ...DYNAMIC.map((path) => [path, 'identity'] as const),
  ];
  const prints = await Promise.all(
    wanted.map(async ([path, encoding]) => {
      const { status, headers, body } = await rawGet(baseUrl + path, {
        'Accept-Encoding': encoding,
      });
      const hash = createHash('sha256').update(body).digest('hex');
      const said = [
        status,
        headers['content-encoding'] ?? 'identity',
        headers['etag'],
        headers['last-modified'] ?? 'undated',
        body.length,
        hash,
      ];
      return [`${path} as ${encoding}`, said.join(' ')] as const;
    }),
  );
  return Object.fromEntries(prints);
}
