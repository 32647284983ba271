// The stored logo of the business, and how its record is replaced.

import type { Business } from '../model/business.ts';
import { linksToLogo, type Logo } from '../model/logo.ts';
import type { Executor } from './engine.ts';

/** The logo that this server publishes; null if there is none, or if it is kept elsewhere. */
export async function loadLogo(executor: Executor): Promise<Logo | null> {
  const row = await executor.selectFrom('business').select(['logo', 'icon']).executeTakeFirst();
  return row?.logo ? { bytes: row.logo, icon: row.icon } : null;
}

/** Stores the business with its logo; returns whether they differ from the stored ones. */
export async function saveBusiness(
  transaction: Executor,
  given: Business,
  givenLogo: Logo | null,
): Promise<boolean> {
  const stored = await loadLogo(transaction);
  // A copy of what was published links to the stored logo.
  const isCopy = stored !== null && linksToLogo(given, stored);
  const logo = isCopy ? stored : givenLogo;
  const business = isCopy ? { ...given, logo_url: null } : given;
  const record = JSON.stringify(business);
  const known = await transaction.selectFrom('business').select('record').executeTakeFirst();
  if (known?.record === record && isSame(logo, stored)) return false;
  const columns = { record, logo: logo?.bytes ?? null, icon: logo?.icon ?? null };
  await transaction
    .insertInto('business')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
  return true;
}

function isSame(one: Logo | null, other: Logo | null): boolean {
  if (one === null || other === null) return one === other;
  return areEqual(one.bytes, other.bytes) && areEqual(one.icon, other.icon);
}

function areEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}
