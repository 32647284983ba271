// Generates load on a server and measures its rate of answers: with wrk if it is installed, otherwise
// with our own client.

import { spawnSync } from 'node:child_process';
import { Companion } from './companion.ts';
import type { Role } from './cores.ts';
import { askOnce } from './load/ask.ts';
import type { Answered, Attack } from './load/client.ts';
import { runWrk } from './load/wrk.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';
import { cpuSecondsOf } from './usage.ts';

/** A measured server. */
export interface Measured {
  readonly title: string;
  readonly origin: string;
  /** Its processes; their children count too. */
  readonly processIds: readonly number[];
}

export interface LoadOptions {
  readonly connections: number;
  readonly forMs: number;
  /** The index of the first request. */
  readonly from?: number;
  /** The cores of the client; null means all. */
  readonly role?: Role | null;
}

export interface Rate {
  readonly calls: number;
  readonly perSecond: number;
  /** The share of one core that the server used; null if the system does not report it. */
  readonly load: number | null;
}

/** A server that used less than this share of its core was not saturated. */
const SATURATED = 0.9;

export function hasWrk(): boolean {
  // It answers its version with exit code 1.
  return spawnSync('wrk', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** Sends the requests of a list in turn over persistent connections. */
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

/** Waits until a slow server has finished earlier requests: until it answers one more. */
async function settle(origin: string, request: Buffer | undefined): Promise<void> {
  if (request === undefined) throw new Error('there is nothing to ask');
  await askOnce(origin, request);
}

/** The share of its core that a server used, for a table. */
export function showLoad(rates: readonly Rate[]): string {
  const loads = rates.flatMap(({ load }) => (load === null ? [] : [load]));
  if (loads.length === 0) return 'unknown';
  const share = median(loads);
  return share < SATURATED ? `${share.toFixed(2)}, idle in part` : share.toFixed(2);
}

/** Answers for a second of processor time, which excludes time of other processes. */
export function showPerCpuSecond(rates: readonly Rate[]): string {
  const each = rates.flatMap(({ perSecond, load }) => (load === null ? [] : [perSecond / load]));
  return each.length === 0 ? 'unknown' : showRate(median(each));
}

export function showRate(perSecond: number): string {
  return perSecond < 100 ? perSecond.toFixed(1) : count(perSecond);
}

/** The note for these two columns. */
export const LOAD_NOTES: readonly string[] = [
  'Core: the share of one core that the server used; idle in part: it waited for the client or for other load on',
  'this machine, so it could do more. A CPU second: answers per second of processor time of the server.',
];
