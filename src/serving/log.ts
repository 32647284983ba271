// Handlers of what proves reviews: how they were verified, and the transparency log with its checkpoint, keys,
// salts and tiles.

import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors.ts';
import { Body, BodyAnswerer, SnapshotBody } from '../http/bodies.ts';
import type { ReadContext } from '../http/handlers.ts';
import { answerRecord } from '../http/reviews.ts';
import type { HttpServer } from '../http/server.ts';
import { tilePath, tilesOf } from '../log/tiles.ts';
import { fillPath, type OperationIn, ROUTES } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { renderProof, renderSalts } from '../snapshot/proofs.ts';
import type { PublishedLog } from '../snapshot/published-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { verificationAt, verificationCounts } from '../snapshot/verification.ts';
import { type Binding, read, reply } from './bindings.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const TILE_TYPE = 'application/octet-stream';
/** Clients compare checkpoints, so an old one must not live long in caches. */
const BRIEFLY = 'public, max-age=5';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Tiles that are kept in the encodings that were requested: some 100 KB each. */
const MAX_TILES = 200;

export function bindLog(server: HttpServer): Record<OperationIn<'Proof'>, Binding> {
  const answerer = new BodyAnswerer();
  const salts = new SnapshotBody(
    (snapshot) => new Body(renderSalts(snapshot, logOf(snapshot)), JSON_TYPE),
  );
  const tiles = new LRUCache<string, Body>({ max: MAX_TILES });
  const tileAt = (path: string): Body => {
    const file = logOf(server.serving.snapshot).file(path);
    if (!file) throw new Refusal('not_found');
    const body = tiles.get(file.tag) ?? new Body(file.read(), TILE_TYPE);
    tiles.set(file.tag, body);
    return body;
  };
  /** A snapshot of an earlier version has no log to export. */
  const ifLogged = (paths: (log: PublishedLog) => Iterable<string>) => () => {
    const { log } = server.serving.snapshot;
    return log ? paths(log) : [];
  };
  const record = (render: (log: PublishedLog) => string, path: string, cacheControl?: string) =>
    read(
      (context: ReadContext) => {
        const text = render(logOf(context.snapshot));
        answerRecord(cacheControl ? { ...context, cacheControl } : context, text, TEXT_TYPE);
      },
      ifLogged(() => [path]),
    );
  return {
    getReviewVerification: read((context) => {
      const { snapshot, parameters } = context;
      const position = snapshot.positionOf(parameters['id'] ?? '');
      if (position === null) throw new Refusal('unknown_review');
      answerRecord(context, JSON.stringify(verificationAt(snapshot, position)), JSON_TYPE);
    }),
    getVerification: read((context) => {
      const counts = verificationCounts(context.snapshot);
      if (counts === null) throw new Refusal('not_found');
      answerRecord(context, JSON.stringify(counts), JSON_TYPE);
    }),
    getReviewProof: read((context) => {
      const { snapshot, parameters } = context;
      const position = snapshot.positionOf(parameters['id'] ?? '');
      if (position === null || snapshot.log === null) throw new Refusal('unknown_review');
      const proof = renderProof(snapshot.log, position, server.cosignatures.linesFor(snapshot.log));
      answerRecord(context, JSON.stringify(proof), JSON_TYPE);
    }),
    getCheckpoint: record(
      (log) => log.manifest.checkpoint + server.cosignatures.linesFor(log),
      ROUTES.getCheckpoint.path,
      BRIEFLY,
    ),
    getLogKey: record(
      ({ manifest }) => `${manifest.keys.join('\n')}\n`,
      ROUTES.getLogKey.path,
      BRIEFLY,
    ),
    getLogSalts: reply(
      async (request, answer) => {
        const context = server.contextOf(request, answer);
        const body = salts.of(context.snapshot);
        answer.hijack();
        await answerer.answer(context, body);
      },
      { paths: ifLogged(() => [ROUTES.getLogSalts.path]) },
    ),
    getLogTile: reply(
      async (request, answer) => {
        const context = server.contextOf(request, answer);
        const body = tileAt(context.parameters['*'] ?? '');
        answer.hijack();
        await answerer.answer({ ...context, cacheControl: IMMUTABLE }, body);
      },
      {
        paths: ifLogged(function* ({ size }) {
          for (const name of tilesOf(size)) yield tileUrl(tilePath(name));
        }),
      },
    ),
  };
}

/** The path of a tile. */
function tileUrl(path: string): string {
  return fillPath(ROUTES.getLogTile.path, {}).replace('*', path);
}

function logOf({ log }: Snapshot): PublishedLog {
  if (!log) throw new Refusal('not_found');
  return log;
}
