// Helper processes of benchmarks, which run one of our files and answer questions by messages.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pin, type Role } from './cores.ts';
import { end } from './server.ts';

export class Companion<Question extends object, Answer> {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a file; `environment` is added to ours, `options` are of Node. A null `role` allows all cores. */
  static start<Question extends object, Answer>(
    file: URL,
    role: Role | null,
    environment: Readonly<Record<string, string>> = {},
    options: readonly string[] = [],
  ): Companion<Question, Answer> {
    const child = fork(fileURLToPath(file), {
      env: { ...process.env, ...environment },
      execArgv: [...process.execArgv, ...options],
      // Messages may carry bytes.
      serialization: 'advanced',
    });
    if (child.pid !== undefined && role !== null) pin(child.pid, role);
    return new Companion(child);
  }

  /** Sends a question and waits for the answer. One question at a time. */
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

/** The child's side: answers questions in order. */
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
