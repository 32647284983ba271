// The server behind the configurations of deploy/proxies, each in the proxy that it is for, and behind caches, where these
// are installed.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { rawGet } from '../support/fingerprint.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/patience.ts';
import { finish, Workplace } from '../support/process.ts';
import { BOTH, requestOf } from '../support/rpc.ts';

const FOLDER = join(import.meta.dirname, '../../deploy/proxies');

interface Proxy {
  readonly name: string;
  /** The program, which may be outside of PATH. */
  readonly programs: readonly string[];
  /** Of deploy/proxies; null for a cache. */
  readonly file: string | null;
  /** The configuration for these ports, and the arguments with which the program reads it from a file. */
  readonly configure: (text: string, ports: Ports) => string;
  readonly args: (config: string, folder: string, port: number) => readonly string[];
}

interface Ports {
  readonly proxy: number;
  readonly server: number;
  readonly folder: string;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    programs: ['nginx', '/usr/sbin/nginx'],
    file: 'nginx.conf',
    configure: (text, { proxy, server, folder }) =>
      `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n` +
      ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};\n`)
        .join('') +
      // Without the redirect, and without TLS, for which there is no certificate here.
      `${text
        .replace(/server \{\n\tlisten 80;[^}]*\}\n/, '')
        .replaceAll(/\t(?:listen \[|ssl_).*\n/g, '')
        .replace('listen 443 ssl', `listen 127.0.0.1:${proxy}`)
        .replace(':8080', `:${server}`)}}\n`,
    args: (config, folder) => ['-p', folder, '-e', 'stderr', '-c', config],
  },
  {
    name: 'Apache',
    programs: ['apache2', '/usr/sbin/apache2', 'httpd'],
    file: 'apache.conf',
    configure: (text, { proxy, server, folder }) =>
      `ServerRoot ${folder}\nPidFile ${folder}/apache.pid\nErrorLog ${folder}/error.log\nServerName localhost\nUser www-data\n` +
      `Mutex posixsem\nListen 127.0.0.1:${proxy}\n` +
      ['mpm_event', 'authz_core', 'alias', 'headers', 'proxy', 'proxy_http']
        .map((module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so\n`)
        .join('') +
      text.replace('*:80', `*:${proxy}`).replaceAll(':8080', `:${server}`),
    args: (config) => ['-f', config, '-D', 'FOREGROUND'],
  },
  {
    name: 'Caddy',
    programs: ['caddy'],
    file: 'Caddyfile',
    configure: (text, { proxy, server }) =>
      '{\nadmin off\n}\n' +
      text.replace('reviews.example.com {', `http://:${proxy} {`).replaceAll(':8080', `:${server}`),
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  {
    name: 'HAProxy',
    programs: ['haproxy', '/usr/sbin/haproxy'],
    file: 'haproxy.cfg',
    configure: (text, { proxy, server }) =>
      text.replace('bind :80', `bind 127.0.0.1:${proxy}`).replace(':8080', `:${server}`),
    args: (config) => ['-db', '-f', config],
  },
];

const nginx = PROXIES[0]!;
const CACHES: readonly Proxy[] = [
  {
    ...nginx,
    file: null,
    // A worker of another user cannot reach temporary folders.
    configure: (_text, ports) =>
      `user root;\n${nginx.configure(
        `proxy_cache_path ${ports.folder}/cache keys_zone=pages:1m;\nserver {\nlisten 443 ssl;\nlocation / {\n` +
          'proxy_pass http://127.0.0.1:8080;\nproxy_http_version 1.1;\nproxy_set_header Host $host;\n' +
          'proxy_cache pages;\nadd_header X-Cache $upstream_cache_status;\n}\n}\n',
        ports,
      )}`,
  },
  {
    name: 'Varnish',
    programs: ['varnishd', '/usr/sbin/varnishd'],
    file: null,
    configure: (_text, { server }) =>
      `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${server}"; }\n` +
      'sub vcl_deliver { if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } }\n',
    args: (config, folder, proxy) =>
      `-F -n ${folder}/work -f ${config} -s malloc,16m -a 127.0.0.1:${proxy}`.split(' '),
  },
];

const installedOf = (proxies: readonly Proxy[]) =>
  proxies.flatMap((proxy) => {
    const program = proxy.programs.find((each) => !spawnSync(each, ['-V']).error);
    return program === undefined ? [] : [{ ...proxy, program }];
  });

let place: Workplace | null = null;
let stop: () => Promise<unknown> = () => Promise.resolve();
afterEach(async () => {
  await stop();
  await place?.close();
});

test('every configuration is one of those that this file runs', () => {
  for (const { file } of PROXIES)
    expect(readFileSync(join(FOLDER, file!), 'utf8')).toContain('8080');
});

/** Starts a server behind a proxy; their addresses. */
async function serveBehind({ program, file, configure, args }: Proxy & { program: string }) {
  place = await Workplace.open();
  const server = await place.serve(
    { BASE_URL: 'https://reviews.example.com', TRUST_PROXY: '1', HUB_REQUESTS_PER_MINUTE: '1' },
    '--example',
  );
  const folder = join(place.folder, 'proxy');
  await mkdir(folder);
  // Apache leaves root.
  await chmod(place.folder, 0o755);
  const ports = { proxy: await freePort(), server: Number(new URL(server.url).port), folder };
  const config = join(folder, file ?? 'config');
  const text = file === null ? '' : readFileSync(join(FOLDER, file), 'utf8');
  await writeFile(config, configure(text, ports));
  const running = spawn(program, args(config, folder, ports.proxy), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = finish(running);
  stop = () => {
    running.kill('SIGTERM');
    return ended;
  };
  const url = `http://127.0.0.1:${ports.proxy}`;
  await until(async () => {
    if (running.exitCode !== null) throw new Error((await ended).stderr);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { url, server, ports };
}

test.each(installedOf(CACHES))(
  'the cache of $name never mixes HTML and Markdown',
  async (cache) => {
    const { url, server } = await serveBehind(cache);
    let hits = 0;
    for (const path of ['/', '/faq', '/index.md']) {
      for (const accept of ['text/html', 'text/markdown', '*/*', 'text/html', 'text/markdown']) {
        for (const encoding of ['identity', 'gzip']) {
          const headers = { Accept: accept, 'Accept-Encoding': encoding };
          const [through, direct] = await Promise.all(
            [url, server.url].map((base) => rawGet(base + path, headers)),
          );
          const typeOf = (answer: typeof through) => [
            path,
            accept,
            answer!.headers['content-type'],
          ];
          expect(typeOf(through)).toEqual(typeOf(direct));
          if (String(through!.headers['x-cache']).startsWith('HIT')) hits += 1;
        }
      }
    }
    expect(hits).toBeGreaterThan(0);
  },
);

test.each(installedOf(PROXIES))('behind $name', async (proxy) => {
  const { url, server, ports } = await serveBehind(proxy);

  // Validators and compression are those of the server, to the byte.
  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    const headers = { 'Accept-Encoding': encoding };
    const [through, direct] = await Promise.all(
      [url, server.url].map((base) => rawGet(`${base}/reviews.json`, headers)),
    );
    expect(through!.headers).toMatchObject({
      etag: direct!.headers['etag'],
      vary: direct!.headers['vary'],
    });
    expect(through!.headers['content-encoding']).toBe(direct!.headers['content-encoding']);
    expect(through!.body.equals(direct!.body)).toBe(true);
    const known = { ...headers, 'If-None-Match': String(direct!.headers['etag']) };
    const again = await rawGet(`${url}/reviews.json`, known);
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(again.headers['etag']).toBe(direct!.headers['etag']);
  }
  expect((await rawGet(`${url}/api/reviews/since/2024-01-01`)).status).toBe(200);
  expect((await rawGet(`${url}/metrics`)).status).toBe(404);

  // The first event arrives while the stream is open.
  const { body, headers } = requestOf('modern', 'subscriptions/listen', {
    notifications: { resourceSubscriptions: [] },
  });
  const stream = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: BOTH, ...headers },
    body: JSON.stringify(body),
  });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = stream.body!.getReader();
  const first = await reader.read();
  expect(new TextDecoder().decode(first.value)).toContain('data:');
  await reader.cancel();

  // A client that names other addresses stays one client.
  const statuses = [];
  for (const forged of ['198.51.100.1', '198.51.100.2']) {
    statuses.push(await subscribe(ports.proxy, { 'X-Forwarded-For': forged }));
  }
  expect(statuses).toEqual([400, 429]);
});

/** Sends a request to the hub that it refuses; the status. */
function subscribe(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: '/api/websub/hub',
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end('hub.mode=subscribe');
  });
}
