// Checks the port of this machine: that it is free, or has a server of this store.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Config } from '../../config.ts';
import { ROUTES } from '../../model/routes.ts';
import type { StoreFacts } from './database.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { servesAnother, statusOf, troubleOf } from './reachability.ts';
import { ask, type DoctorAnswer } from './requests.ts';

/** What connecting to an address fails with that this machine does not have. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export async function checkPort(
  { host, port }: Pick<Config, 'host' | 'port'>,
  facts: StoreFacts | null,
): Promise<Finding> {
  const check = 'port';
  if (port === 0) return ok(check, 'PORT is 0: any free one');
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const origin = `http://${own.includes(':') ? `[${own}]` : own}:${port}`;
  const free = `end that program, which "ss -ltnp 'sport = :${port}'" names, or set PORT to a free port`;
  const noHost = (why: string) => {
    const action = 'set HOST to 127.0.0.1, to 0.0.0.0 or to an address of this machine';
    return wrong(check, `HOST is ${host}, which this machine does not ${why}`, action);
  };
  const isLoopback = own.startsWith('127.') || own === '::1';
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  // Another machine may answer there.
  if (isIP(own) !== 0 && !isLoopback && !addresses.some(({ address }) => address === own))
    return noHost('have');
  let answer: DoctorAnswer;
  try {
    answer = await ask(origin + ROUTES.getReadiness.path);
  } catch (error) {
    const { code = '', name } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return ok(check, `${port} is free: no server runs here`);
    if (name === 'TimeoutError' || code === 'ABORT_ERR' || code === 'ETIMEDOUT') {
      const action = `if it is this server, restart it; else ${free}`;
      return wrong(check, `port ${port} does not answer in time`, action);
    }
    if (!NO_ADDRESS.includes(code)) {
      return wrong(check, `port ${port} is taken by a program that does not speak HTTP`, free);
    }
    return noHost(`reach (${code})`);
  }
  if (statusOf(answer) === null) {
    return wrong(check, `port ${port} is taken by another program`, free);
  }
  if (!(await servesAnother(origin, answer, facts))) {
    const trouble = troubleOf(answer);
    if (trouble === null) return ok(check, `a server answers at ${port}`);
    const action = 'do what it says; the server goes on by itself';
    return wrong(check, `the server at ${port} says: ${trouble}`, action);
  }
  const action =
    'give one of the two servers another PORT; if they should be one, the same DATABASE_URL, and a restart after a restore';
  return wrong(check, `port ${port} is taken by a server of another store`, action);
}
