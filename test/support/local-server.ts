// A server in the process of the test. It publishes, loads and imports sources there too.

import { pino } from 'pino';
import { Overload } from '../../src/http/admission/overload.ts';
import { CallLimits } from '../../src/hub/call-limits.ts';
import { createSocketServer, TIMEOUTS } from '../../src/http/connections.ts';
import { answerUnreadable } from '../../src/http/problems.ts';
import { parseConfig } from '../../src/config.ts';
import { type RunningServer as ServeHandle, serve } from '../../src/serving/serve.ts';
import { loadHere, publishHere, syncHere } from './publish.ts';
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
    const here = { publish: publishHere, load: loadHere, sync: syncHere };
    const shared = {
      overload: new Overload(),
      calls: new CallLimits(config.hub, () => performance.now()),
    };
    let handle: any = (_: any, response: any) => response.writeHead(503).end();
    const front = createSocketServer(config, TIMEOUTS, {
      onRequest: (a, b) => handle(a, b),
      onRefused: () => undefined,
    });
    front.on(
      'clientError',
      (error, socket) => void answerUnreadable(error as never, socket as never),
    );
    await new Promise<void>((resolve) =>
      front.listen({ host: config.host, port: config.port }, resolve),
    );
    const { port } = front.address() as any;
    const served = await serve({ ...config, port }, logger, {
      example,
      group: null,
      ...here,
      shared,
    });
    handle = (a: any, b: any) => served.http.handle(a, b);
    const closing = {
      url: `http://localhost:${port}`,
      close: async () => {
        const done = new Promise((r) => front.close(r));
        front.closeIdleConnections();
        await served.close();
        front.closeAllConnections();
        await done;
      },
    };
    return new LocalServer(closing, lines);
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
