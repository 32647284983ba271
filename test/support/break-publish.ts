// Makes the publishes of a program under test fail or hang.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PRELOADED = new URL('broken-publish.ts', import.meta.url).href;

export class PublishSwitch {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'broken-publish');
  }

  /** What the environment of the program needs. */
  get environment(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${PRELOADED}`, BROKEN_PUBLISH_FILE: this.#file };
  }

  /**
   * From now on publishes throw `TypeError: no sum`, hang, die as when the system kills them, or use up
   * their memory.
   */
  async break(how: 'throw' | 'hang' | 'die' | 'eat'): Promise<void> {
    await writeFile(this.#file, how);
  }

  async mend(): Promise<void> {
    await rm(this.#file);
  }
}
