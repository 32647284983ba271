// TLS to PostgreSQL: the parameters of a connection URL, with the meaning that libpq gives them:
// https://www.postgresql.org/docs/current/libpq-ssl.html

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { ClientConfig } from 'pg';
import { InputError, show } from '../../errors.ts';

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** The SSLRequest message of PostgreSQL's protocol, and the time limit for its answer. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const ANSWER_MS = 5_000;

/** Passed to the driver instead of the URL, because the driver interprets these parameters differently. */
interface TlsSettings {
  readonly connectionString: string;
  readonly ssl?: Exclude<ClientConfig['ssl'], undefined>;
}

/**
 * Reads and removes `sslmode`, `sslrootcert`, `sslcert` and `sslkey` from the URL.
 *
 * @throws {InputError} if a parameter has a bad value.
 */
export async function tlsSettings(url: string): Promise<TlsSettings> {
  const parsed = new URL(url);
  const take = (name: string) => {
    const value = parsed.searchParams.get(name);
    parsed.searchParams.delete(name);
    return value;
  };
  const [asked, root, cert, key] = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'].map(take);
  if (asked === null && root === null && cert === null && key === null) {
    return { connectionString: url };
  }
  // Naming certificate authorities implies verification.
  const mode = modeOf(asked ?? (root === null ? 'prefer' : 'verify-full'));
  if (root === 'system' && mode !== 'verify-full') {
    throw new InputError(
      `DATABASE_URL: sslrootcert=system: expected sslmode=verify-full, got ${show(mode)}`,
    );
  }
  const connectionString = parsed.href;
  if (mode === 'disable') return { connectionString, ssl: false };
  const isOptional = mode === 'allow' || mode === 'prefer';
  if (isOptional && !(await speaksTls(parsed))) return { connectionString, ssl: false };
  const own = {
    ...(cert ? { cert: readPem('sslcert', cert) } : {}),
    ...(key ? { key: readPem('sslkey', key) } : {}),
  };
  return { connectionString, ssl: { ...own, ...verification(mode, root ?? null, parsed) } };
}

function modeOf(value: string): Mode {
  const mode = MODES.find((each) => each === value);
  if (mode) return mode;
  throw new InputError(
    `DATABASE_URL: sslmode: expected ${MODES.slice(0, -1).join(', ')} or verify-full, got ${show(value)}`,
  );
}

function verification(mode: Mode, root: string | null, { hostname }: URL): object {
  // With certificate authorities, `require` means `verify-ca`, as in libpq.
  const isVerified = mode.startsWith('verify') || (mode === 'require' && root !== null);
  if (!isVerified) return { rejectUnauthorized: false };
  // Without a file: Node's authorities and those of NODE_EXTRA_CA_CERTS.
  const authorities =
    root === null || root === 'system' ? {} : { ca: readPem('sslrootcert', root) };
  // The driver sets the TLS server name only for host names, not for addresses.
  const identity =
    mode === 'verify-full'
      ? { host: withoutBrackets(hostname) }
      : { checkServerIdentity: () => undefined };
  return { ...authorities, ...identity, rejectUnauthorized: true };
}

function withoutBrackets(hostname: string): string {
  return hostname.replaceAll(/^\[|\]$/g, '');
}

function readPem(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError(
      `DATABASE_URL: ${parameter}: expected a file that can be read, got ${show(path)}`,
      { cause: error },
    );
  }
}

/** Whether the server offers TLS. Also true if it does not answer; connecting then reports the error. */
function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const host = withoutBrackets(hostname);
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 5432), timeout: ANSWER_MS });
    socket.once('connect', () => socket.write(SSL_REQUEST));
    socket.once('data', (answer) => {
      resolve(answer.toString('latin1', 0, 1) === 'S');
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy());
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(true));
  });
}
