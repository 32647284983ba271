// Makes the publishes of a program under test fail, hang or wait.

import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledProgram } from './bundled-program.ts';
import { until } from './patience.ts';

const PRELOADED = new URL('broken-publish.ts', import.meta.url).href;

export class PublishSwitch {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'broken-publish');
  }

  /** The environment variables that load it into the program. */
  get environment(): Record<string, string> {
    const options = `${bundledProgram()} --import=${PRELOADED}`;
    return { NODE_OPTIONS: options, BROKEN_PUBLISH_FILE: this.#file };
  }

  /**
   * From now on publishes throw `TypeError: no sum`, hang, wait until `mend`, die as when the system kills
   * them, or use up their memory.
   */
  async break(how: 'throw' | 'hang' | 'wait' | 'die' | 'eat'): Promise<void> {
    await writeFile(this.#file, how);
  }

  /** Waits until a publish hangs or waits. */
  async reached(): Promise<void> {
    await until(() => existsSync(`${this.#file}.reached`));
  }

  async mend(): Promise<void> {
    await rm(this.#file);
  }
}
