// `/.well-known/security.txt` (RFC 9116): whom to tell of a vulnerability.

import { z } from 'zod';
import { isoTime } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export const SECURITY_PATH = '/.well-known/security.txt';

/** The RFC recommends less than a year (section 2.5.5). */
const VALID_SECONDS = 360 * 24 * 60 * 60;

/**
 * Null where the business has no e-mail address. It expires some time after the reviews last changed, so
 * that every server of a store answers the same.
 */
export function renderSecurity(snapshot: Snapshot, email: string | null): string | null {
  if (!z.email().safeParse(email).success) return null;
  const [user = '', host = ''] = (email as string).split('@');
  const changedAt = snapshot.documents.get('/reviews.json')?.changedAt ?? 0;
  return [
    `Contact: mailto:${encodeURIComponent(user)}@${host}`,
    `Expires: ${isoTime(changedAt + VALID_SECONDS)}`,
    `Canonical: ${snapshot.origin}${SECURITY_PATH}`,
    '',
  ].join('\n');
}
