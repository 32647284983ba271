// Processes that a benchmark runs beside itself: a file of ours that is asked, and answers, by messages.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pin, type Role } from './cores.ts';
import { end } from './server.ts';

export class Companion<Question extends object, Answer> {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a file; `environment` comes on top of our own. `role` is null where it may use all cores. */
  static start<Question extends object, Answer>(
    file: URL,
    role: Role | null,
    environment: Readonly<Record<string, string>> = {},
  ): Companion<Question, Answer> {
    const child = fork(fileURLToPath(file), {
      env: { ...process.env, ...environment },
      // What a message carries may be bytes.
      serialization: 'advanced',
    });
    if (child.pid !== undefined && role !== null) pin(child.pid, role);
    return new Companion(child);
  }

  /** Asks, and waits for the answer; one question at a time. */
  ask(question: Question): Promise<Answer> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => {
        reject(new Error(`${child.spawnargs.at(-1)} ended with code ${code}`));
      };
      child.once('exit', onExit);
      child.once('message', (answer) => {
        child.off('exit', onExit);
        resolve(answer as Answer);
      });
      child.send(question);
    });
  }

  async stop(): Promise<void> {
    await end(this.#child, 'SIGKILL');
  }
}

/** The other side: answers every question, in their order. */
export function answerQuestions(answer: (question: never) => Promise<unknown>): void {
  let last: Promise<void> = Promise.resolve();
  const answerAfter = async (before: Promise<void>, question: unknown) => {
    await before;
    process.send?.(await answer(question as never));
  };
  process.on('message', (question) => {
    last = answerAfter(last, question);
  });
}
