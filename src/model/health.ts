// Answers of the health checks.

import { z } from 'zod';

export const healthSchema = z.strictObject({ status: z.literal('ok') });

export const readinessSchema = z.strictObject({
  status: z.enum(['ready', 'starting']),
  snapshot: z.int().nullable().describe('number of the served snapshot'),
  store: z.strictObject({
    status: z.enum(['ok', 'unreachable']),
    detail: z.string().optional().describe('error of the last query'),
  }),
  publishing: z.strictObject({
    status: z
      .enum(['ok', 'waiting', 'failing'])
      .describe(
        'waiting: another process holds the claim to publish; failing: the last publish failed, and is tried again',
      ),
    detail: z.string().optional().describe('what waits, or why the last publish failed'),
  }),
});

export type Health = z.infer<typeof healthSchema>;
export type Readiness = z.infer<typeof readinessSchema>;

/** Whether the store answered when it was last asked, and why not. */
export interface StoreHealth {
  readonly reachable: boolean;
  readonly detail: string | null;
}

/** `waiting`: another process holds the claim to publish. `failing`: the last publish failed. */
export interface PublishHealth {
  readonly status: 'ok' | 'waiting' | 'failing';
  readonly detail: string | null;
}
