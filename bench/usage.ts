// CPU and memory of processes and their children; null if the system has no /proc.

import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Ticks a second in /proc: USER_HZ, which is 100 on every Linux. */
const TICKS = 100;

interface ProcessState {
  readonly id: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly residentKib: number;
}

/** Processor time so far, in seconds. */
export function cpuSecondsOf(processIds: readonly number[]): number | null {
  return sumOf(processIds, ({ cpuSeconds }) => cpuSeconds);
}

/** Resident memory in MiB; shared memory counts in each process. */
export function residentMibOf(processIds: readonly number[]): number | null {
  const kib = sumOf(processIds, ({ residentKib }) => residentKib);
  return kib === null ? null : kib / 1024;
}

/** Processes and their descendants; only themselves if the system does not report them. */
export function familyOf(processIds: readonly number[]): number[] {
  return statesOf(processIds)?.map(({ id }) => id) ?? [...processIds];
}

function sumOf(
  processIds: readonly number[],
  valueOf: (state: ProcessState) => number,
): number | null {
  return statesOf(processIds)?.reduce((sum, state) => sum + valueOf(state), 0) ?? null;
}

function statesOf(processIds: readonly number[]): ProcessState[] | null {
  if (!existsSync('/proc/self/stat')) return null;
  const states = readAll();
  const isMeant = (id: number): boolean => {
    const parent = states.get(id)?.parent;
    return processIds.includes(id) || (parent !== undefined && isMeant(parent));
  };
  return [...states.values()].filter(({ id }) => isMeant(id));
}

function readAll(): Map<number, ProcessState> {
  const ids = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0);
  return new Map(
    ids.flatMap((id) => {
      const state = readState(id);
      return state ? [[id, state] as const] : [];
    }),
  );
}

/** Null if the process has exited meanwhile. */
function readState(id: number): ProcessState | null {
  try {
    // The name, in parentheses, may hold anything.
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${id}/status`, 'latin1');
    return {
      id,
      parent: Number(fields[1]),
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
      residentKib: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
