// The files of the transparency log, kept ready to send: documents are served the same way.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ReadContext } from '../http/handlers.ts';
import { Resource } from '../http/resource.ts';
import type { HttpServer } from '../http/server.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { JSON_TYPE } from '../snapshot/documents.ts';
import { renderSalts } from '../snapshot/proofs.ts';
import type { PublishedLog } from '../snapshot/published-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const TILE_TYPE = 'application/octet-stream';
/** Clients compare checkpoints, so an old one must not live long in caches. */
const BRIEFLY = 'public, max-age=5';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Tiles that are kept in the encodings that were requested: some 100 KB each. */
const MAX_TILES = 200;

type LogFileOperation = Extract<OperationIn<'Proof'>, `getLog${string}` | 'getCheckpoint'>;

const TILES = ROUTES.getLogTile.path.replace('*', '');
const OPERATIONS = new Map<string, LogFileOperation>([
  [ROUTES.getCheckpoint.path, 'getCheckpoint'],
  [ROUTES.getLogKey.path, 'getLogKey'],
  [ROUTES.getLogSalts.path, 'getLogSalts'],
]);

export class LogFiles {
  readonly #server: HttpServer;
  /** Of the current snapshot, by path. */
  readonly #byPath = new LRUCache<string, Resource>({ max: MAX_TILES });
  /** The salts of the logs that were requested; a promise while they are being rendered. */
  readonly #salts = new WeakMap<PublishedLog, Promise<Resource>>();
  #checkpoint: { readonly text: string; readonly file: Resource } | null = null;

  constructor(server: HttpServer) {
    this.#server = server;
    server.onSnapshot(() => this.#byPath.clear());
  }

  /** The file that a request asks for; null if there is none. */
  find({ request, parameters, snapshot }: ReadContext): Resource | Promise<Resource> | null {
    const path = request.url?.split('?', 1)[0] ?? '';
    const parameter = parameters['*'];
    return this.#fileAt(parameter === undefined ? path : TILES + parameter, snapshot);
  }

  /** Answers from what is ready and returns the route; null, with nothing written, if it is not. */
  answerReady(request: IncomingMessage, response: ServerResponse): string | null {
    const path = request.url as string;
    if (!path.startsWith('/log/')) return null;
    const operation = OPERATIONS.get(path) ?? 'getLogTile';
    const { log } = this.#server.serving.snapshot;
    const file =
      operation === 'getCheckpoint' ? log && this.#checkpointOf(log) : this.#byPath.get(path);
    return file?.answerReady(request, response) ? ROUTES[operation].path : null;
  }

  #fileAt(path: string, snapshot: Snapshot): Resource | Promise<Resource> | null {
    const { log } = snapshot;
    if (!log) return null;
    const operation = OPERATIONS.get(path) ?? 'getLogTile';
    if (operation === 'getCheckpoint') return this.#checkpointOf(log);
    const kept = this.#byPath.get(path);
    if (kept) return kept;
    if (operation === 'getLogSalts') return this.#saltsOf(path, snapshot, log);
    const file = operation === 'getLogKey' ? keyOf(log) : tileOf(log, path.slice(TILES.length));
    if (file) this.#byPath.set(path, file);
    return file;
  }

  #saltsOf(path: string, snapshot: Snapshot, log: PublishedLog): Promise<Resource> {
    const file = this.#salts.get(log) ?? this.#renderSalts(path, snapshot, log);
    this.#salts.set(log, file);
    return file;
  }

  /** Lets other requests be answered between the pieces. */
  async #renderSalts(path: string, snapshot: Snapshot, log: PublishedLog): Promise<Resource> {
    const pieces: Buffer[] = [];
    for (const piece of renderSalts(snapshot, log)) {
      pieces.push(Buffer.from(piece));
      await yieldToEventLoop();
    }
    const { cacheControl } = this.#server.config;
    const content = Buffer.concat(pieces);
    const file = new Resource({ content, contentType: JSON_TYPE, cacheControl });
    // By now a newer snapshot may be served.
    if (this.#server.serving.snapshot === snapshot) this.#byPath.set(path, file);
    return file;
  }

  /** Witnesses cosign a checkpoint after it is published. */
  #checkpointOf(log: PublishedLog): Resource {
    const text = log.manifest.checkpoint + this.#server.cosignatures.linesFor(log);
    if (this.#checkpoint?.text !== text) {
      const input = { content: text, contentType: TEXT_TYPE, cacheControl: BRIEFLY };
      this.#checkpoint = { text, file: new Resource(input) };
    }
    return this.#checkpoint.file;
  }
}

function tileOf(log: PublishedLog, path: string): Resource | null {
  const content = log.file(path);
  return content
    ? new Resource({ content, contentType: TILE_TYPE, cacheControl: IMMUTABLE })
    : null;
}

function keyOf({ manifest }: PublishedLog): Resource {
  const content = `${manifest.keys.join('\n')}\n`;
  return new Resource({ content, contentType: TEXT_TYPE, cacheControl: BRIEFLY });
}
