// Reviews from Google's own interfaces: the Places API (New), and the Business Profile API page by page.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError, show } from '../../errors.ts';
import { type ImportSource, placeOf } from '../../model/import-source.ts';
import { readSmall } from '../formats/small-files.ts';
import type { Copy, Seen } from './collect.ts';
import { digestOf, download, refusalOf } from './fetch-source.ts';

/** How Google knows us, from the settings. */
export interface GoogleAccess {
  readonly placesKey: string | null;
  /** The path of a file of `gcloud auth application-default login`. */
  readonly credentialsFile: string | null;
}

const PLACES = 'https://places.googleapis.com/v1/places/';
const PROFILES = 'https://mybusiness.googleapis.com/v4/';
const TOKENS = 'https://oauth2.googleapis.com/token';
const TIMEOUT_MS = 30_000;
/** Pages of 50 reviews. */
const MOST_PAGES = 2_000;

const credentialsSchema = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  refresh_token: z.string(),
});
const pageSchema = z.object({
  reviews: z.array(z.unknown()).default([]),
  nextPageToken: z.string().optional(),
});

/**
 * Copies the answers of Google into a folder; none if the first page is what it was: the newest changes come first.
 *
 * @throws {InputError} if Google refuses, or a setting is missing.
 */
export async function collectGoogle(
  source: ImportSource,
  seen: Seen,
  folder: string,
  access: GoogleAccess,
): Promise<{ copies: Copy[]; seen: Seen }> {
  const { google_place: place, google_location: location } = source;
  const first =
    place === null
      ? `${PROFILES}${location}/reviews?pageSize=50&orderBy=updateTime%20desc`
      : PLACES + encodeURIComponent(place);
  const headers = place === null ? await authorize(access) : placesHeaders(access);
  const copies: Copy[] = [];
  let next = seen;
  for (let page = 1, url = first; page <= MOST_PAGES; page++) {
    const path = join(folder, `${page}-reviews.json`);
    const known = page === 1 && seen.digest !== null ? seen : null;
    const answer = await download(url, path, known, { headers });
    if (answer === null) return { copies: [], seen };
    if (page === 1) {
      const { etag, lastModified } = answer;
      next = { ...seen, etag, lastModified, digest: await digestOf(path) };
      if (next.digest === seen.digest) return { copies: [], seen: next };
    }
    const body = pageSchema.safeParse(parseJson(await readFile(path, 'utf8')));
    if (!body.success) throw new InputError(`${url}: expected reviews as JSON, got another answer`);
    if (body.data.reviews.length > 0) {
      copies.push({ path, name: `${placeOf(source)}, page ${page}` });
    }
    const { nextPageToken: token } = body.data;
    if (token === undefined) return { copies, seen: next };
    url = `${first}&pageToken=${encodeURIComponent(token)}`;
  }
  throw new InputError(`${first}: expected at most ${MOST_PAGES} pages, got more`);
}

function placesHeaders({ placesKey }: GoogleAccess): Record<string, string> {
  if (placesKey === null) {
    throw new InputError(
      'expected GOOGLE_PLACES_KEY, the key of a project of Google Cloud with the Places API (New), got none',
    );
  }
  return { 'x-goog-api-key': placesKey, 'x-goog-fieldmask': 'reviews' };
}

async function authorize({ credentialsFile: file }: GoogleAccess): Promise<Record<string, string>> {
  const variable = 'GOOGLE_APPLICATION_CREDENTIALS';
  const expected = `${variable}: expected a file that "gcloud auth application-default login" wrote`;
  if (file === null) throw new InputError(`${expected}, got none; docs/import.md says how`);
  const given = credentialsSchema.safeParse(parseJson(await readSmall(file, variable, 'a file')));
  if (!given.success) throw new InputError(`${expected}, got another file: ${show(file)}`);
  const body = new URLSearchParams({ ...given.data, grant_type: 'refresh_token' });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(TOKENS, { method: 'POST', body, redirect: 'error', signal }).catch(
    (cause: unknown) => {
      throw new InputError(`${TOKENS}: ${(cause as Error).message}`, { cause });
    },
  );
  if (answer.status !== 200) throw await refusalOf(TOKENS, answer);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
