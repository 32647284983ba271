// The process that publishes. What a publish takes of memory goes back to the system with its end. The
// work is done by a thread of it, so that the end of the parent is heard whatever is being computed.

import { Worker } from 'node:worker_threads';
import type { Failure, Task } from './threads.ts';

// What is sent to all processes of a program, as a terminal does, the parent acts upon.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without a parent nobody gives signs of life for the claim.
process.once('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
process.once('message', run);

function run(task: Task): void {
  const thread = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
  let failure: Failure | null = null;
  thread.once('error', ({ name, message, stack }: Error) => {
    failure = { name, message, stack };
  });
  thread.once('exit', (code) => {
    if (failure) process.send?.(failure, () => process.exit(1));
    else process.exit(code);
  });
}
