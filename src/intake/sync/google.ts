// Reviews from Google's own interfaces: the Places API (New), and the Business Profile API page by page.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, show } from '../../errors.ts';
import { type ImportSource, placeOf } from '../../model/import-source.ts';
import { readSmall } from '../formats/small-files.ts';
import { isObject } from '../readers/values.ts';
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

/** As `--format`; null if the source is not Google's. */
export function googleFormat({ google }: ImportSource): string | null {
  if (google === null) return null;
  return isLocation(google) ? 'google-business' : 'google-places';
}

function isLocation(google: string): boolean {
  return google.startsWith('accounts/');
}

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
  const google = source.google as string;
  const first = isLocation(google)
    ? `${PROFILES}${google}/reviews?pageSize=50&orderBy=updateTime%20desc`
    : PLACES + google;
  const headers = isLocation(google) ? await authorize(access) : placesHeaders(access);
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
    const body = parseJson(await readFile(path, 'utf8'));
    if (!isObject(body)) throw new InputError(`${url}: expected JSON, got another answer`);
    const { reviews, nextPageToken: token } = body;
    if (Array.isArray(reviews)) copies.push({ path, name: `${placeOf(source)}, page ${page}` });
    if (typeof token !== 'string') return { copies, seen: next };
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
  const given = parseJson(await readSmall(file, variable, 'a file'));
  if (!isObject(given) || typeof given['refresh_token'] !== 'string') {
    throw new InputError(`${expected}, got another file: ${show(file)}`);
  }
  const body = new URLSearchParams({
    client_id: String(given['client_id']),
    client_secret: String(given['client_secret']),
    refresh_token: given['refresh_token'],
    grant_type: 'refresh_token',
  });
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
