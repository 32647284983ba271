// Questions in a terminal, one after another.

import { createInterface, type Interface } from 'node:readline/promises';
import { InputError } from '../../errors.ts';

/** Says what is wrong with an answer; null if nothing is. */
export type Check = (answer: string) => string | null;

export class Questions {
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #output: NodeJS.WritableStream;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#reader = createInterface({ input });
    // Buffers lines that arrive before they are asked for.
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#output = output;
  }

  /** Repeats the question until `check` finds no fault. @throws {InputError} if the answers end. */
  async ask(text: string, check: Check = () => null): Promise<string> {
    for (;;) {
      this.#output.write(`${text}: `);
      const { done, value } = await this.#lines.next();
      if (done === true) throw new InputError('the questions ended early: nothing was written');
      const answer = value.trim();
      const fault = check(answer);
      if (fault === null) return answer;
      this.#output.write(`  ${fault}\n`);
    }
  }

  close(): void {
    this.#reader.close();
  }
}

export type Ask = (question: string) => Promise<boolean>;

/** Null if there is no terminal. */
export function askInTerminal(): Ask | null {
  if (!process.stdin.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(?:es)?$/i.test((await terminal.question(question)).trim());
    } finally {
      terminal.close();
    }
  };
}
