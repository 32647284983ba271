// Pictures for links to a review or subject: drawn when first requested, kept within a size, and limited, because
// drawing costs a hundred times what a page costs. A client may use half of the pictures that are left in the
// minute, so a few clients do not use up those of all others.

import { LRUCache } from 'lru-cache';
import { HTTP_LIMITS } from '../http/limits.ts';
import { Resource, type ResourceInput } from '../http/resource.ts';
import { MemoryCounter } from '../http/admission/rate-limit.ts';
import type { SharePictureDrawer } from '../site/pictures/share-picture-drawer.ts';
import type { ShareContent } from '../site/pictures/share-picture.ts';

/** The key under which the pictures of all clients are counted. */
const EVERYBODY = '';
const CACHE_BYTES = 16 * 1024 * 1024;
/** One client alone gets 30 of 90; after eight that ask without end, three are left for others. */
const SHARE = 0.5;

export class SharePictures {
  readonly #drawer: Pick<SharePictureDrawer, 'draw'>;
  readonly #input: Pick<ResourceInput, 'cacheControl' | 'headers'>;
  readonly #counts: { readonly clients: MemoryCounter; readonly all: MemoryCounter };
  /** By content. */
  readonly #kept = new LRUCache<string, Resource>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ size }, key) => size + key.length,
  });
  readonly #drawing = new Map<string, Promise<Resource | null>>();

  constructor(
    drawer: Pick<SharePictureDrawer, 'draw'>,
    input: Pick<ResourceInput, 'cacheControl' | 'headers'>,
    nowMs = Date.now,
  ) {
    this.#drawer = drawer;
    this.#input = input;
    this.#counts = { clients: new MemoryCounter({ nowMs }), all: new MemoryCounter({ nowMs }) };
  }

  /** The picture as PNG, for a client; null if too many were drawn in this minute. */
  async find(content: ShareContent, client: string): Promise<Resource | null> {
    const key = JSON.stringify(content);
    const found = this.#kept.get(key) ?? this.#drawing.get(key);
    if (found) return found;
    const drawn = this.#draw(content, client).then((picture) => {
      if (picture) this.#kept.set(key, picture);
      return picture;
    });
    this.#drawing.set(key, drawn);
    try {
      return await drawn;
    } finally {
      this.#drawing.delete(key);
    }
  }

  async #draw(content: ShareContent, client: string): Promise<Resource | null> {
    const { clients, all } = this.#counts;
    const left = HTTP_LIMITS.picturesPerMinute - all.countOf(EVERYBODY);
    const share = Math.max(1, Math.floor(left * SHARE));
    if (left <= 0 || clients.countOf(client) >= share) return null;
    clients.count(client);
    all.count(EVERYBODY);
    return new Resource({
      ...this.#input,
      content: await this.#drawer.draw(content),
      contentType: 'image/png',
    });
  }
}
