// Importing and loading fill the space for new objects, which would grow by 64 MiB and stay there.

import { setFlagsFromString } from 'node:v8';

export class YoungSpace {
  #working = 0;

  /** Runs work while that space does not grow. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#working++ === 0) setFlagsFromString('--semi-space-growth-factor=1');
    try {
      return await work();
    } finally {
      // V8's own.
      if (--this.#working === 0) setFlagsFromString('--semi-space-growth-factor=2');
    }
  }
}
