// `witness`: cosigns the logs of other businesses, so that none of them can show different logs to different
// readers.

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config.ts';
import { InputError, linesWithoutControls, show } from '../../errors.ts';
import { listenOn } from '../../http/port.ts';
import {
  formatVerifierKey,
  isKeyName,
  newSeed,
  parseVerifierKey,
  signingKey,
  type VerifierKey,
} from '../../log/notes.ts';
import { cosign, type WitnessParts } from '../../log/witness.ts';
import { cosignedTrees, loadWitnessSeed } from '../../store/log/cosignatures.ts';
import { withDatabase } from '../store/store.ts';

const MAX_REQUEST_BYTES = 64 * 1024;

export interface WitnessFlags {
  readonly name: string;
  /** The file with the verifier keys of the logs. */
  readonly logs: string;
}

/** Serves until a signal ends it. @throws {InputError} */
export async function runWitness(config: Config, { name, logs }: WitnessFlags): Promise<void> {
  if (!isKeyName(name)) {
    throw new InputError(
      `--name: expected a name such as "witness.example.com/w1", without spaces and "+", got ${show(name)}`,
    );
  }
  const keys = parseLogs(await readLogs(logs), logs);
  await withDatabase(
    config,
    async (database) => {
      const key = signingKey(name, 'witness', await loadWitnessSeed(database, newSeed()));
      const parts: WitnessParts = {
        key,
        logs: keys,
        trees: cosignedTrees(database),
        nowSeconds: () => Math.floor(Date.now() / 1000),
      };
      const server = witnessServer(parts);
      await listenOn(config, () => listen(server, config));
      const { port } = server.address() as AddressInfo;
      process.stdout.write(
        `The witness of ${keys.length} ${keys.length === 1 ? 'log' : 'logs'} is served at http://localhost:${port}\n` +
          `${formatVerifierKey(key)}\n`,
      );
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
      server.closeAllConnections();
      server.close();
    },
    { creates: true },
  );
}

function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
}

async function readLogs(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InputError(`--logs: cannot read ${file}: ${String(error)}`, { cause: error });
  }
}

/** A verifier key on each line; empty lines and lines that start with "#" are ignored. */
function parseLogs(text: string, file: string): VerifierKey[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const key = parseVerifierKey(line.trim());
    if (key?.signer === 'log') return [key];
    throw new InputError(
      `${file}:${index + 1}: expected the verifier key of a log, as its /log/key has it, got ${show(line)}`,
    );
  });
}

export function witnessServer(parts: WitnessParts): Server {
  return createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      process.stderr.write(`${linesWithoutControls(String(error))}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function answer(
  parts: WitnessParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url !== '/add-checkpoint') {
    response.writeHead(404).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { Allow: 'POST' }).end();
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413, { Connection: 'close' }).end();
    return;
  }
  const { status, contentType, body: text } = await cosign(parts, body);
  response.writeHead(status, { 'Content-Type': contentType }).end(text);
}

/** Null if the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > MAX_REQUEST_BYTES) return null;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}
