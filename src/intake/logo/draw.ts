// Draws a logo as icons, in a thread that can be stopped: a file that was checked may still be a riddle for
// the renderer.

import { Worker } from 'node:worker_threads';
import { moduleBeside, QUIET } from '../../model/program-files.ts';
import { LogoProblem } from './problem.ts';

/** An SVG to draw in these sizes: the pixels of its longer side. */
export interface Drawing {
  readonly svg: string;
  readonly sizes: readonly number[];
}

/** The pictures as PNG; a text says why there are none. */
export type Drawn = readonly Uint8Array[] | string;

/** Logos take milliseconds. */
const TIME_LIMIT_MS = 20_000;

/** @throws {LogoProblem} if it cannot be drawn. */
export async function draw(
  drawing: Drawing,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<readonly Uint8Array[]> {
  const file = moduleBeside(import.meta.url, './draw-thread');
  const thread = new Worker(file, { workerData: drawing, execArgv: [...QUIET] });
  let timer: NodeJS.Timeout | undefined;
  try {
    const drawn = await new Promise<Drawn>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', (code) => reject(new Error(`the drawing thread exited with ${code}`)));
      timer = setTimeout(
        () => resolve(`it was not drawn within ${timeLimitMs / 1000} s`),
        timeLimitMs,
      );
    });
    if (typeof drawn === 'string') throw new LogoProblem(`one that cannot be drawn: ${drawn}`);
    return drawn;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
