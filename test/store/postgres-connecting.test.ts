// Connecting to PostgreSQL: TLS with the meaning that libpq gives its parameters, and rejected databases.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InputError, UnavailableError } from '../../src/errors.ts';
import { Database } from '../../src/store/database.ts';
import { administer } from '../support/databases.ts';
import { TlsBetween, TransactionPooler } from '../support/postgres-between.ts';
import { openingError, TestStore } from '../support/store.ts';
import { Certificate } from '../support/tls.ts';

let store: TestStore;
let certificate: Certificate;
beforeAll(async () => {
  // The certificate has the addresses of this machine, but not the name localhost.
  certificate = await Certificate.create(['database.example']);
});
beforeEach(async () => {
  store = await TestStore.create();
});
afterEach(() => store.close());
afterAll(() => certificate.close());

const portOfPostgres = () => Number(new URL(store.url).port);

function urlOf(port: number, host: string, parameters: Record<string, string>): string {
  const url = new URL(store.url);
  url.host = `${host}:${port}`;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const opens = async (url: string) => (await Database.open(url)).close();

describe('a server that offers TLS', () => {
  let proxy: TlsBetween;
  beforeEach(async () => {
    proxy = await new TlsBetween(portOfPostgres(), certificate).listen();
  });
  afterEach(() => proxy.close());

  const url = (host: string, parameters: Record<string, string>) =>
    urlOf(proxy.port, host, parameters);
  const root = () => ({ sslrootcert: certificate.path });

  test.each(['require', 'prefer', 'allow'])(
    'is used with TLS by %s, whoever signed its certificate',
    async (sslmode) => {
      await opens(url('localhost', { sslmode }));
      expect([proxy.encrypted > 0, proxy.plain]).toEqual([true, 0]);
    },
  );

  test('is used without TLS by disable', async () => {
    await opens(url('localhost', { sslmode: 'disable' }));
    expect([proxy.encrypted, proxy.plain > 0]).toEqual([0, true]);
  });

  test.each(['verify-ca', 'verify-full'])(
    'is rejected by %s if its certificate is self-signed',
    async (sslmode) => {
      const error = await openingError(url('127.0.0.1', { sslmode }));
      expect(error).toBeInstanceOf(UnavailableError);
      expect((error as Error).message).toContain('self-signed certificate');
    },
  );

  test.each(['verify-ca', 'require'])(
    'may have another host name with %s and sslrootcert',
    async (sslmode) => {
      await opens(url('localhost', { sslmode, ...root() }));
      expect(proxy.encrypted).toBeGreaterThan(0);
    },
  );

  test('must be signed by the given authority, also with require and sslrootcert', async () => {
    const other = await Certificate.create();
    const parameters = { sslmode: 'require', sslrootcert: other.path };
    expect(await openingError(url('localhost', parameters))).toBeInstanceOf(UnavailableError);
    await other.close();
  });

  test.each([{ sslmode: 'verify-full' }, {}])(
    'must have the right host name with sslrootcert and %j',
    async (mode) => {
      await opens(url('127.0.0.1', { ...mode, ...root() }));
      const error = await openingError(url('localhost', { ...mode, ...root() }));
      expect(error).toBeInstanceOf(UnavailableError);
      expect((error as Error).message).toContain('localhost');
    },
  );
});

describe('a server without TLS', () => {
  test.each(['prefer', 'allow', 'disable'])('is used with %s', async (sslmode) => {
    await opens(urlOf(portOfPostgres(), '127.0.0.1', { sslmode }));
  });

  test('is rejected by require', async () => {
    const error = await openingError(urlOf(portOfPostgres(), '127.0.0.1', { sslmode: 'require' }));
    expect(error).toBeInstanceOf(UnavailableError);
    expect((error as Error).message).toContain('does not support SSL');
  });
});

test.each<[Record<string, string>, string]>([
  [
    { sslmode: 'on' },
    'sslmode: expected disable, allow, prefer, require, verify-ca or verify-full',
  ],
  [{ sslrootcert: '/none/root.pem' }, 'sslrootcert: expected a file that can be read'],
  [
    { sslrootcert: 'system', sslmode: 'require' },
    'sslrootcert=system: expected sslmode=verify-full',
  ],
])('parameters %j are an input error', async (parameters, message) => {
  const error = await openingError(urlOf(1, '127.0.0.1', parameters));
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toContain(`DATABASE_URL: ${message}`);
});

test('a database that is not in UTF-8 is rejected in one line', async () => {
  const name = `latin_${new URL(store.url).pathname.slice(-8)}`;
  await administer(
    `create database ${name} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(store.url);
  url.pathname = `/${name}`;
  const error = await openingError(url.href);
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toMatch(
    /^DATABASE_URL: expected a database in UTF8, got .* in LATIN1; .*$/,
  );
  await administer(`drop database ${name} with (force)`);
});

test('a pooler in transaction mode is rejected with what to do', async () => {
  const pooler = await new TransactionPooler(portOfPostgres()).listen();
  const error = await openingError(urlOf(pooler.port, '127.0.0.1', {}));
  expect(error).toBeInstanceOf(InputError);
  expect((error as Error).message).toContain('behind a pooler in transaction mode');
  expect((error as Error).message).toContain('session mode');
  await pooler.close();
});
