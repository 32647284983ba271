// What pages show of a subject: of a person a score only if insights have one, of a service or town only stars.

import type { MentionKind } from '../../search/mentions.ts';

interface Figures {
  readonly score?: number | null;
  readonly active?: boolean | null;
}

/** Whether figures may be shown: of people only with a score, of everything else always. */
export function isScored(insight: object): boolean {
  const { score, active } = insight as Figures;
  return active === undefined || score !== null;
}

/**
 * Whether the sentences that mention a subject judge it. Those that mention a service, a town or a complaint judge
 * something else more often than not.
 */
export function isJudged(list: MentionKind, insight: object): boolean {
  return list === 'aspects' || (list === 'technicians' && isScored(insight));
}

export function isFormer(insight: object): boolean {
  return (insight as Figures).active === false;
}
