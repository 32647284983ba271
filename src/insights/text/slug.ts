// Makes ids from names.

import { fold } from '../../model/fold.ts';

/** "Grace O'Connor" gives "grace-o-connor"; letters of other scripts stay. */
export function slugOf(name: string): string {
  return fold(name)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
