// Draws pictures for links in a thread, one at a time: drawing takes a tenth of a second, and the event loop
// answers others meanwhile. The thread starts with the first picture and ends when it has been idle.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { moduleBeside, QUIET } from '../../model/program-files.ts';
import type { ShareContent } from './share-picture.ts';

const IDLE_MS = 60_000;
/** Pictures take a tenth of a second. */
const TIME_LIMIT_MS = 20_000;

export class SharePictureDrawer {
  #thread: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when the pictures requested so far are drawn. */
  #last: Promise<unknown> = Promise.resolve();

  /** Draws a picture as PNG, after those requested before. */
  draw(content: ShareContent): Promise<Uint8Array> {
    const drawn = this.#last.then(() => this.#drawNow(content));
    this.#last = drawn.catch(() => undefined);
    return drawn;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  async #drawNow(content: ShareContent): Promise<Uint8Array> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#open());
    try {
      const drawn = await answerOf(thread, content);
      if (typeof drawn === 'string') throw new Error(`a picture was not drawn: ${drawn}`);
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      return drawn;
    } catch (error) {
      // The renderer may be in any state.
      await this.close();
      throw error;
    }
  }

  #open(): Worker {
    const file = moduleBeside(import.meta.url, './share-picture-thread');
    const thread = new Worker(file, { execArgv: [...QUIET] });
    thread.unref();
    // An error between two pictures ends the thread only; the next picture starts another.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = null;
    });
    return thread;
  }
}

async function answerOf(thread: Worker, content: ShareContent): Promise<Uint8Array | string> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const done = new AbortController();
  const options = { signal: AbortSignal.any([signal, done.signal]) };
  const answered = once(thread, 'message', options);
  const exited = once(thread, 'exit', options);
  thread.postMessage(content, []);
  try {
    const [drawn] = (await Promise.race([answered, exited])) as [Uint8Array | string | number];
    return typeof drawn === 'number' ? `the drawing thread exited with ${drawn}` : drawn;
  } finally {
    done.abort();
    await Promise.allSettled([answered, exited]);
  }
}
