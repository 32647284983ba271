// Puts load on a server for a while, and says how many answers a second it gave: with wrk where that
// is installed, else with a client of our own.

import { spawnSync } from 'node:child_process';
import { Companion } from './companion.ts';
import type { Role } from './cores.ts';
import { askOnce } from './load/ask.ts';
import type { Answered, Attack } from './load/client.ts';
import { runWrk } from './load/wrk.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';
import { cpuSecondsOf } from './usage.ts';

/** A server that is measured. */
export interface Measured {
  readonly title: string;
  readonly origin: string;
  /** Its processes; those that they have started count too. */
  readonly processIds: readonly number[];
}

export interface LoadOptions {
  readonly connections: number;
  readonly forMs: number;
  /** Where in the list of requests to begin. */
  readonly from?: number;
  /** Where the client runs; null is on all cores. */
  readonly role?: Role | null;
}

export interface Rate {
  readonly calls: number;
  readonly perSecond: number;
  /** What the server used of one core while it was asked; null where the system does not tell. */
  readonly load: number | null;
}

/** Less than this of its core, and a server could have answered more than it was asked. */
const SATURATED = 0.9;

export function hasWrk(): boolean {
  // It answers its version with exit code 1.
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Asks the requests of a list in turn, over connections that stay open. */
export async function rateOf(
  { origin, processIds }: Measured,
  requests: readonly Buffer[],
  { connections, forMs, from = 0, role = 'measuring' }: LoadOptions,
): Promise<Rate> {
  const attack: Attack = { origin, requests, connections, forMs, from: from % requests.length };
  const before = cpuSecondsOf(processIds);
  const { calls, seconds } = hasWrk() ? await runWrk(attack, role) : await runOwn(attack, role);
  const used = cpuSecondsOf(processIds);
  const load = before === null || used === null ? null : (used - before) / seconds;
  await settle(origin, requests[0]);
  return { calls, perSecond: calls / seconds, load };
}

async function runOwn(attack: Attack, role: Role | null): Promise<Answered> {
  const client = Companion.start<Attack, Answered>(
    new URL('./load/client.ts', import.meta.url),
    role,
  );
  try {
    return await client.ask(attack);
  } finally {
    await client.stop();
  }
}

/** A slow server still works on what it was asked; it takes one more request when that is done. */
async function settle(origin: string, request: Buffer | undefined): Promise<void> {
  if (request === undefined) throw new Error('there is nothing to ask');
  await askOnce(origin, request);
}

/** What a table says of how busy a server was: its share of a core. */
export function showLoad(rates: readonly Rate[]): string {
  const loads = rates.flatMap(({ load }) => (load === null ? [] : [load]));
  if (loads.length === 0) return 'unknown';
  const share = median(loads);
  return share < SATURATED ? `${share.toFixed(2)}, idle in part` : share.toFixed(2);
}

/** Answers for a second of processor time, whoever else had the core meanwhile. */
export function showPerCpuSecond(rates: readonly Rate[]): string {
  const each = rates.flatMap(({ perSecond, load }) => (load === null ? [] : [perSecond / load]));
  return each.length === 0 ? 'unknown' : showRate(median(each));
}

export function showRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : count(perSecond);
}

/** How to read the two. */
export const LOAD_NOTES: readonly string[] = [
  'Core: the share of one that the server used; idle in part: it waited for the client or for others on this',
  'machine, so it could do more. A CPU second: answers for a second of the processor time that the server used.',
];
