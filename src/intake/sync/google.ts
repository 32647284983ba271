// Reviews from Google's own interfaces: the Places API (New), and the Business Profile API page by page.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, show } from '../../errors.ts';
import { type GoogleAccess, type ImportSource, placeOf } from '../../model/import-source.ts';
import { dateOfMs } from '../instant.ts';
import { readSmall } from '../formats/small-files.ts';
import { isObject, parsedJson } from '../readers/values.ts';
import { digestOf, download, postForm, type Validators } from './fetch-source.ts';

/** What was seen of the first page; the digest begins with the day. */
interface Known extends Validators {
  readonly digest: string | null;
}

const PLACES = 'https://places.googleapis.com/v1/places/';
const PROFILES = 'https://mybusiness.googleapis.com/v4/';
const PAGE = 'reviews?pageSize=50&orderBy=updateTime%20desc';
const TOKENS = 'https://oauth2.googleapis.com/token';
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
 * Copies the answers of Google into a folder; none if the first page is what it was on the same day: the newest reviews
 * come first, but replies to older ones do not.
 *
 * @throws {InputError} if Google refuses, or a setting is missing.
 */
export async function collectGoogle(
  source: ImportSource,
  seen: Known,
  folder: string,
  { nowMs, google: access }: { readonly nowMs: number; readonly google: GoogleAccess },
): Promise<{ copies: { path: string; name: string }[]; known: Known }> {
  const google = source.google as string;
  const first = isLocation(google) ? `${PROFILES}${google}/${PAGE}` : PLACES + google;
  const headers = isLocation(google) ? await authorize(access) : placesHeaders(access);
  const copies: { path: string; name: string }[] = [];
  const day = dateOfMs(nowMs) as string;
  let known = seen;
  for (let page = 1, url = first; page <= MOST_PAGES; page++) {
    const path = join(folder, `${page}-reviews.json`);
    const validators = page === 1 && seen.digest?.startsWith(day) === true ? seen : null;
    const answer = await download(url, path, validators, { headers });
    if (answer === null) return { copies: [], known };
    if (page === 1) {
      const { etag, lastModified } = answer;
      known = { etag, lastModified, digest: `${day} ${await digestOf(path)}` };
      if (known.digest === seen.digest) return { copies: [], known };
    }
    const body = parsedJson(await readFile(path, 'utf8'));
    if (!isObject(body)) throw new InputError(`${url}: expected JSON, got another answer`);
    const { reviews, nextPageToken: token } = body;
    if (Array.isArray(reviews)) copies.push({ path, name: `${placeOf(source)}, page ${page}` });
    if (typeof token !== 'string') return { copies, known };
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
  const given = parsedJson(await readSmall(file, variable, 'a file'));
  if (!isObject(given) || typeof given['refresh_token'] !== 'string') {
    throw new InputError(`${expected}, got another file: ${show(file)}`);
  }
  const body = new URLSearchParams({
    client_id: String(given['client_id']),
    client_secret: String(given['client_secret']),
    refresh_token: given['refresh_token'],
    grant_type: 'refresh_token',
  });
  const answer = await postForm(TOKENS, body);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return { authorization: `Bearer ${token}` };
}
