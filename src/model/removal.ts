// Why a review is taken from readers: removed for good, or hidden.

/** The reasons, as commands take them and records have them. */
export const REMOVAL_REASONS = [
  'removed_at_source',
  'customer_request',
  'court_or_law',
  'failed_verification',
  'duplicate',
  'error',
] as const;

export type RemovalReason = (typeof REMOVAL_REASONS)[number];

/** Why a stored review is hidden. The log has no `not_agreed`: what was published is taken down as its customer asks. */
export const HIDING_REASONS = ['not_agreed', ...REMOVAL_REASONS] as const;

export type HidingReason = (typeof HIDING_REASONS)[number];

/** The reasons that the log gives; no command takes `replaced`. */
export const LOGGED_REASONS = [...REMOVAL_REASONS, 'replaced'] as const;

export type LoggedReason = (typeof LOGGED_REASONS)[number];

export function isRemovalReason(text: string): text is RemovalReason {
  return (REMOVAL_REASONS as readonly string[]).includes(text);
}
