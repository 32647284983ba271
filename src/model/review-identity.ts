// The identity of a review, by which the next import recognises it, and its id. Ids are derived: from the id at
// the source, or else from what the review says, under a key of the store. Without the key, an id would confirm
// guesses of an author whose full name is not published.

import { createHash, createHmac } from 'node:crypto';
import { fold } from './fold.ts';
import { encodeUlid, isUlid, randomPartOf } from './ulid.ts';

/** What a review says of itself, as its file has it. */
export interface Statement {
  readonly source: string;
  readonly author: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Without its title. */
  readonly text: string | null;
  /** The branch, if it is known: one author may write the same of two on one day. */
  readonly location?: string | null;
}

/** Longer identities are stored as digests: databases limit the size of an indexed value. */
const LONGEST_NAME = 500;

/**
 * The form of a text from which the identity of a review is derived. It keeps characters that are not
 * stored, because earlier versions stored them: a review must be recognised after an update.
 */
function identityText(raw: string): string {
  return raw.toWellFormed().replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').trim();
}

function nameOf({ source, author, date, text, location = null }: Statement): string {
  return JSON.stringify([
    identityText(source),
    identityText(author),
    date,
    text && identityText(text),
    ...(location === null ? [] : [fold(location)]),
  ]);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hmac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

interface Identified {
  readonly id: string;
  readonly identity: string;
  /** The identity that it had while its branch was not known; null if it does not depend on that. */
  readonly unplaced: string | null;
}

/**
 * The id and the identity of a review: the same review gets the same identity in every store.
 *
 * @param given the id of the file, and the id at the source; an id that is no ULID is the source's.
 * @param key the key of the store for ids of reviews without an id of their source
 */
export function identify(
  given: { readonly id: string | null; readonly source_id: string | null } & Statement,
  key: string,
): Identified {
  if (given.id !== null && isUlid(given.id)) {
    return { id: given.id, identity: `id:${given.id}`, unplaced: null };
  }
  const dayMs = Date.parse(`${given.date}T00:00:00Z`);
  const sourceId = given.source_id ?? given.id;
  if (sourceId === null) {
    const name = nameOf(given);
    const identityOf = (text: string) => `content:${sha256(text).toString('base64url')}`;
    return {
      id: encodeUlid(dayMs, hmac(key, name)),
      identity: identityOf(name),
      unplaced: given.location ? identityOf(nameOf({ ...given, location: null })) : null,
    };
  }
  const name = JSON.stringify([identityText(given.source), sourceId]);
  const digest = sha256(name);
  return {
    id: encodeUlid(dayMs, digest),
    identity:
      name.length > LONGEST_NAME ? `digest:${digest.toString('base64url')}` : `source:${name}`,
    unplaced: null,
  };
}

/** Whether an id is the one that earlier versions derived from this statement, without a key. */
export function isIdOf(id: string, statement: Statement): boolean {
  return isFromDigest(id, sha256(nameOf(statement)));
}

/** Whether an id is the one that earlier versions derived from what had this identity. */
export function isIdOfIdentity(id: string, identity: string): boolean {
  const [kind, digest] = identity.split(':', 2);
  return kind === 'content' && isFromDigest(id, Buffer.from(digest as string, 'base64url'));
}

function isFromDigest(id: string, digest: Buffer): boolean {
  return randomPartOf(id) === randomPartOf(encodeUlid(0, digest));
}

/** Another id with the same day, which only the key leads to. */
export function keyedId(id: string, key: string): string {
  return id.slice(0, -randomPartOf(id).length) + randomPartOf(encodeUlid(0, hmac(key, id)));
}
