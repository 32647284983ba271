// Pins processes to cores: the measured process gets one, load generators get the others.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Role = 'measured' | 'measuring';

/** Whether the system has `taskset` and several cores. */
export function canPin(): boolean {
  const { status } = spawnSync('taskset', ['--version'], { stdio: 'ignore' });
  return status === 0 && availableParallelism() > 1;
}

/** Pins a process with all its threads to the cores of its role, if the system supports it. A null role changes nothing. */
export function pin(processId: number, role: Role | null): void {
  if (role === null || !canPin()) return;
  const last = availableParallelism() - 1;
  const cores = role === 'measured' ? '0' : `1-${last}`;
  const args = ['--all-tasks', '--cpu-list', '--pid', cores, String(processId)];
  const { status, stderr } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`process ${processId} cannot be pinned: ${stderr}`);
}
