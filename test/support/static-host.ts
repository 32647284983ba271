// A static web host: serves a directory, with `.html` omitted from URLs and headers from `_headers`, like
// Netlify and Cloudflare Pages; or `plain`, which knows files and folders only, like the server of Python and S3.

import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface HostRule {
  readonly pattern: RegExp;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What these hosts know themselves. */
const TYPES = { html: 'text/html; charset=utf-8', md: 'text/markdown; charset=utf-8' };

function parseHeadersFile(text: string): HostRule[] {
  return text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const [path = '', ...lines] = block.trimEnd().split('\n');
      const pattern = path.replaceAll(/[.+?^$()[\]{}|\\]/g, '\\$&').replace('*', '.*');
      return {
        pattern: new RegExp(`^${pattern}$`),
        headers: lines.map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon).trim(), line.slice(colon + 2)] as const;
        }),
      };
    });
}

export class StaticHost {
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(folder: string, { plain = false } = {}): Promise<StaticHost> {
    const rules = parseHeadersFile(await readFile(join(folder, '_headers'), 'utf8'));
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://host');
      const name = decodeURIComponent(pathname);
      const names = name.endsWith('/') ? [`${name}index.html`] : [name];
      if (!plain) names.push(`${name}.html`);
      const found = plain ? [] : rules.filter(({ pattern }) => pattern.test(pathname));
      const send = async () => {
        for (const each of names) {
          const body = await readFile(join(folder, each)).catch(() => null);
          if (body === null) continue;
          const type = /\.(html|md)$/.exec(each)?.[1];
          if (type) response.setHeader('Content-Type', TYPES[type as keyof typeof TYPES]);
          for (const [header, value] of found.flatMap(({ headers }) => headers)) {
            // These hosts join the values of a header that two rules set.
            const before = header === 'content-type' ? undefined : response.getHeader(header);
            response.setHeader(
              header,
              before === undefined ? value : `${String(before)}, ${value}`,
            );
          }
          response.end(body);
          return;
        }
        if (plain && existsSync(join(folder, name, 'index.html'))) {
          response.writeHead(301, { Location: `${pathname}/` });
          response.end();
          return;
        }
        response.statusCode = 404;
        response.end(await readFile(join(folder, '404.html')));
      };
      void send();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StaticHost(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
