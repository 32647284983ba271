// A server in the process of the test. It publishes, loads and imports sources there too.

import { pino } from 'pino';
import { parseConfig } from '../../src/config.ts';
import { type RunningServer as ServeHandle, serve } from '../../src/serving/serve.ts';
import { publishHere, syncHere } from './publish.ts';
import { RunningServer } from './running-server.ts';

export class LocalServer extends RunningServer {
  readonly #handle: ServeHandle;
  readonly #lines: readonly string[];
  #closed: Promise<void> | null = null;

  private constructor(handle: ServeHandle, lines: readonly string[]) {
    super(handle.url);
    this.#handle = handle;
    this.#lines = lines;
  }

  static async start(
    environment: Readonly<Record<string, string>>,
    { example = false }: { example?: boolean } = {},
    config = parseConfig(environment),
  ): Promise<LocalServer> {
    const lines: string[] = [];
    const logger = pino({ level: config.logLevel }, { write: (line) => void lines.push(line) });
    const here = { publish: publishHere, sync: syncHere };
    return new LocalServer(await serve(config, logger, { example, group: null, ...here }), lines);
  }

  get log(): string {
    return this.#lines.join('');
  }

  /** Closes it once, however often it is called. */
  close(): Promise<void> {
    this.#closed ??= this.#handle.close();
    return this.#closed;
  }
}
