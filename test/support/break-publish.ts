// Makes the publishes of a program under test fail or hang.

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PRELOADED = new URL('broken-publish.ts', import.meta.url).href;

export class PublishSwitch {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'broken-publish');
  }

  /** The environment variables that load it into the program. */
  get environment(): Record<string, string> {
    return { NODE_OPTIONS: `--import=${PRELOADED}`, BROKEN_PUBLISH_FILE: this.#file };
  }

  /** Makes publishes throw `TypeError: no sum`, or hang, from now on. */
  async break(how: 'throw' | 'hang'): Promise<void> {
    await writeFile(this.#file, how);
  }

  async mend(): Promise<void> {
    await rm(this.#file);
  }
}
