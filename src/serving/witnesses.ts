// Gets cosignatures of the configured witnesses for the checkpoint of the log, and serves them.

import type { FastifyBaseLogger } from 'fastify';
import type { HttpServer } from '../http/server.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { requestCosignature, type Witness } from '../log/cosigning.ts';
import { fetchBytes } from '../log/fetch.ts';
import { formatVerifierKey } from '../log/notes.ts';
import { Cosignatures } from '../snapshot/cosignatures.ts';
import type { PublishedLog } from '../snapshot/published-log.ts';
import { loadCosignatures, saveCosignature } from '../store/log/cosignatures.ts';
import type { Database } from '../store/database.ts';
import { pause } from '../model/pause.ts';

const POLL_MS = 1_000;
/** Between two requests to a witness that failed. */
const RETRY_MS = 60_000;

interface WitnessesParts {
  readonly witnesses: readonly Witness[];
  readonly logger: FastifyBaseLogger;
  readonly server: HttpServer;
  readonly database: Database;
  /** Whether this process asks; others only serve what is stored. */
  readonly isLead: boolean;
  readonly signal: AbortSignal;
}

/** Runs until the signal aborts. Does nothing without witnesses. */
export async function runWitnesses(parts: WitnessesParts): Promise<void> {
  const { witnesses, server, signal } = parts;
  if (witnesses.length === 0) return;
  const retryAtMs = new Map<Witness, number>();
  while (!signal.aborted) {
    try {
      if (parts.isLead && server.snapshot?.log) await askAll(parts, server.snapshot.log, retryAtMs);
      server.cosignatures = new Cosignatures(await loadCosignatures(parts.database.read));
    } catch (error) {
      // The refresher reports a store that fails.
      if (server.store.reachable) parts.logger.warn({ err: error }, 'no cosignatures were loaded');
    }
    await pause(POLL_MS, signal);
  }
}

async function askAll(
  { witnesses, logger, database }: WitnessesParts,
  log: PublishedLog,
  retryAtMs: Map<Witness, number>,
): Promise<void> {
  const { checkpoint } = log.manifest;
  const { size, root } = parseCheckpoint(checkpoint) ?? { size: 0, root: new Uint8Array() };
  const encoded = Buffer.from(root).toString('base64');
  const stored = new Map(
    (await loadCosignatures(database.read)).map((each) => [each.witness, each]),
  );
  const ask = async (witness: Witness) => {
    const key = formatVerifierKey(witness.key);
    const known = stored.get(key);
    if (known?.size === size && known.root === encoded) return;
    if (performance.now() < (retryAtMs.get(witness) ?? 0)) return;
    try {
      const oldSize = Math.min(known?.size ?? 0, size);
      const request = { checkpoint, tree: log.tree, oldSize };
      const lines = await requestCosignature(witness, request, fetchBytes);
      await saveCosignature(database, { witness: key, size, root: encoded, lines });
      retryAtMs.delete(witness);
    } catch (error) {
      retryAtMs.set(witness, performance.now() + RETRY_MS);
      logger.warn({ err: error, witness: witness.key.name }, 'a witness did not cosign the log');
    }
  };
  await Promise.all(witnesses.map(ask));
}
