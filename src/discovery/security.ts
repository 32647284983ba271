// `/.well-known/security.txt` (RFC 9116): the contact for reports of vulnerabilities.

import { z } from 'zod';
import { ROUTES } from '../model/routes.ts';
import { isoTime } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The RFC recommends less than a year (section 2.5.5). */
const VALID_SECONDS = 360 * 24 * 60 * 60;

/**
 * Null if the business has no valid email address. The expiry counts from the last change of the reviews,
 * not from now, so that every server of a store answers the same.
 */
export function renderSecurity(snapshot: Snapshot, email: string | null): string | null {
  if (!z.email().safeParse(email).success) return null;
  const [user = '', host = ''] = (email as string).split('@');
  const changedAtSeconds = snapshot.documents.get(ROUTES.getReviews.path)?.changedAtSeconds ?? 0;
  return [
    `Contact: mailto:${encodeURIComponent(user)}@${host}`,
    `Expires: ${isoTime(changedAtSeconds + VALID_SECONDS)}`,
    `Canonical: ${snapshot.origin}${ROUTES.getSecurity.path}`,
    '',
  ].join('\n');
}
