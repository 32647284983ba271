// Which process runs on which cores: what is measured has one to itself, what measures the others.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Role = 'measured' | 'measuring';

/** Whether the system lets us choose, and there is something to choose. */
export function canPin(): boolean {
  const { status } = spawnSync('taskset', ['--version'], { stdio: 'ignore' });
  return status === 0 && availableParallelism() > 1;
}

/** Moves a process with all its threads to the cores of its role, where the system can. Without a role it stays. */
export function pin(processId: number, role: Role | null): void {
  if (role === null || !canPin()) return;
  const last = availableParallelism() - 1;
  const cores = role === 'measured' ? '0' : `1-${last}`;
  const args = ['--all-tasks', '--cpu-list', '--pid', cores, String(processId)];
  const { status, stderr } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`process ${processId} cannot be pinned: ${stderr}`);
}
