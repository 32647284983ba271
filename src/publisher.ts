// The process that publishes. What a publish takes of memory goes back to the system with its end. The
// work is done by a thread of it, so that the end of the parent is heard whatever is being computed.

import { Worker } from 'node:worker_threads';
import type { Failure, Task, TaskResult } from './threads.ts';

// What is sent to all processes of a program, as a terminal does, the parent acts upon.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without a parent nobody gives signs of life for the claim.
process.once('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
process.once('message', run);

function run(task: Task): void {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
  let outcome: Failure | TaskResult | null = null;
  thread.on('message', (message: TaskResult | object) => {
    // Under `node --watch` Node itself tells what was imported.
    if ('kind' in message) outcome = message;
  });
  thread.once('error', ({ name, message, stack }: Error) => {
    outcome = { name, message, stack };
  });
  thread.once('exit', (code) => {
    if (outcome) process.send?.(outcome, () => process.exit(code));
    else process.exit(code);
  });
}
