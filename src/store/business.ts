// The stored pictures of the business, and how its record is replaced.

import type { Business } from '../model/business.ts';
import {
  headerPath,
  type HeaderPicture,
  linksToHeader,
  withHeaderUrl,
  linksToLogo,
  type Logo,
} from '../model/business-pictures.ts';
import type { Executor } from './engine.ts';

/** The logo that this server publishes; null if there is none, or if it is kept elsewhere. */
export async function loadLogo(executor: Executor): Promise<Logo | null> {
  const row = await executor.selectFrom('business').select(['logo', 'icon']).executeTakeFirst();
  return row?.logo ? { bytes: row.logo, icon: row.icon } : null;
}

/** The picture at the top of the first page that this server publishes; null without one. */
export async function loadHeader(executor: Executor): Promise<HeaderPicture | null> {
  const row = await executor.selectFrom('business').select('header').executeTakeFirst();
  return row?.header ? { bytes: row.header } : null;
}

/** Stores the business with its pictures; returns what differs from the stored ones, in words. */
export async function saveBusiness(
  transaction: Executor,
  given: Business,
  pictures: { readonly logo: Logo | null; readonly header: HeaderPicture | null },
): Promise<readonly string[]> {
  const storedLogo = await loadLogo(transaction);
  const storedHeader = await loadHeader(transaction);
  let { logo, header } = pictures;
  let business = given;
  // A copy of what was published links to the stored pictures.
  if (storedLogo !== null && linksToLogo(given, storedLogo)) {
    logo = storedLogo;
    business = { ...business, logo_url: null };
  }
  if (storedHeader !== null && linksToHeader(given, storedHeader)) {
    header = storedHeader;
    business = withHeaderUrl(business, headerPath(storedHeader));
  }
  const record = JSON.stringify(business);
  const known = await transaction.selectFrom('business').select('record').executeTakeFirst();
  const isSameHeader = areEqual(header?.bytes ?? null, storedHeader?.bytes ?? null);
  const changes = [
    ...businessChanges(known ? (JSON.parse(known.record) as Business) : null, business),
    ...(isSame(logo, storedLogo) ? [] : ['business: its logo changed']),
    ...(isSameHeader ? [] : ['business: the picture of its first page changed']),
  ];
  if (known?.record === record && changes.length === 0) return [];
  const columns = {
    record,
    logo: logo?.bytes ?? null,
    icon: logo?.icon ?? null,
    header: header?.bytes ?? null,
  };
  await transaction
    .insertInto('business')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  return changes;
}

function isSame(one: Logo | null, other: Logo | null): boolean {
  if (one === null || other === null) return one === other;
  return areEqual(one.bytes, other.bytes) && areEqual(one.icon, other.icon);
}

function areEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/** Longer values are cut. */
const SHOWN_CHARACTERS = 60;

/** A line for each member that changes; `before` is null without a stored business. */
function businessChanges(before: Business | null, after: Business): string[] {
  if (before === null) return [`business: now ${shown(after.name)}`];
  const old: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys]
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]))
    .map((key) => `business: ${key} was ${shown(old[key])}, is now ${shown(now[key])}`);
}

function shown(value: unknown): string {
  const isNothing =
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isNothing) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
