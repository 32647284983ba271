// What a server answers at some paths: the validators, and a hash of the body.

import { createHash } from 'node:crypto';
import { rawGet } from '../support/fingerprint.ts';

/** By path. */
export type Answers = Readonly<
  Record<string, { readonly etag: string; readonly last_modified: string; readonly sha256: string }>
>;

export async function answersAt(baseUrl: string, paths: readonly string[]): Promise<Answers> {
  const answers = await Promise.all(
    paths.map(async (path) => {
      const { status, headers, body } = await rawGet(baseUrl + path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const { etag = '', 'last-modified': lastModified = '' } = headers;
      return [path, { etag: String(etag), last_modified: String(lastModified), sha256 }] as const;
    }),
  );
  return Object.fromEntries(answers);
}
