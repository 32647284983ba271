// Pictures for links: drawn when first requested, kept within a size, and but for that of the business limited, because
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
  readonly #drawing = new Map<string, Promise<Resource>>();

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
    if (!this.#kept.has(key) && !this.#drawing.has(key) && !this.#count(client)) return null;
    return this.draw(content);
  }

  /** The picture as PNG, for whoever asks. */
  async draw(content: ShareContent): Promise<Resource> {
    const key = JSON.stringify(content);
    const found = this.#kept.get(key) ?? this.#drawing.get(key);
    if (found) return found;
    const drawn = this.#drawer
      .draw(content)
      .then((png) => new Resource({ ...this.#input, content: png, contentType: 'image/png' }));
    this.#drawing.set(key, drawn);
    try {
      const picture = await drawn;
      this.#kept.set(key, picture);
      return picture;
    } finally {
      this.#drawing.delete(key);
    }
  }

  /** Counts a picture of a client; false if it may have none. */
  #count(client: string): boolean {
    const { clients, all } = this.#counts;
    const left = HTTP_LIMITS.picturesPerMinute - all.countOf(EVERYBODY);
    const share = Math.max(1, Math.floor(left * SHARE));
    if (left <= 0 || clients.countOf(client) >= share) return false;
    clients.count(client);
    all.count(EVERYBODY);
    return true;
  }
}
