// nginx as a server of static files, with one worker, if it is installed.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { pin } from './cores.ts';
import type { Measured } from './load.ts';
import { end } from './server.ts';
import { familyOf } from './usage.ts';

/** The folders of packages, which a user's path may lack. */
const CANDIDATES = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'];
const TIMEOUT_MS = 10_000;

/** A served file; if it has a `gzip` body, only that is sent. */
export interface StaticFile {
  readonly path: string;
  readonly body: Uint8Array;
  readonly isGzip: boolean;
  /** Names and values in turn, without the content type and nginx's own headers. */
  readonly headers: readonly string[];
  readonly contentType: string;
}

/** The program and its version; null if it is not installed. */
export function findNginx(): { readonly command: string; readonly version: string } | null {
  for (const command of CANDIDATES) {
    const { error, stderr } = spawnSync(command, ['-v'], { encoding: 'utf8' });
    if (!error) return { command, version: /nginx\/(\S+)/.exec(stderr)?.[1] ?? 'unknown' };
  }
  return null;
}

/** The table row that says that nginx is missing. */
export const NO_NGINX = 'nginx is not installed here, so its row is left out.';

export class Nginx implements Measured {
  readonly title = 'nginx, static file';
  readonly origin: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.origin = origin;
  }

  get processIds(): readonly number[] {
    return this.#child.pid === undefined ? [] : [this.#child.pid];
  }

  /** Serves files from its own folder; null if nginx is not installed. */
  static async start(folder: string, files: readonly StaticFile[]): Promise<Nginx | null> {
    const found = findNginx();
    if (!found) return null;
    const root = join(folder, 'root');
    await mkdir(join(folder, 'temp'));
    for (const { path, body, isGzip } of files) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path + (isGzip ? '.gz' : '')), body);
    }
    const port = await freePort();
    await writeFile(join(folder, 'nginx.conf'), configure(folder, root, port, files));
    const child = spawn(found.command, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const nginx = new Nginx(child, `http://127.0.0.1:${port}`);
    await nginx.#ready(files[0]?.path ?? '/');
    for (const id of familyOf(nginx.processIds)) pin(id, 'measured');
    return nginx;
  }

  async #ready(path: string): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error('nginx did not start');
      try {
        await (await fetch(this.origin + path)).arrayBuffer();
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(20);
      }
    }
  }

  async stop(): Promise<void> {
    await end(this.#child, 'SIGTERM');
  }
}

function configure(
  folder: string,
  root: string,
  port: number,
  files: readonly StaticFile[],
): string {
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    error_log ${folder}/error.log;
    pid ${folder}/pid;
    events { worker_connections 4096; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 1000000000;
      open_file_cache max=100;
      open_file_cache_valid 3600s;
      ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n')}
      types { }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        root ${root};
        ${files.map(locationOf).join('\n')}
      }
    }`;
}

function locationOf({ path, isGzip, headers, contentType }: StaticFile): string {
  const added = headers.flatMap((name, place) =>
    place % 2 === 0 ? [`add_header ${name} ${quote(headers[place + 1] ?? '')};`] : [],
  );
  return `location = ${path} {
    default_type ${quote(contentType)};
    ${isGzip ? 'gzip_static always;' : ''}
    ${added.join('\n')}
  }`;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

function quote(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
