// Static assets of the pages. File names contain a content hash, so browsers may cache them forever.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fillPath, ROUTES } from '../model/routes.ts';
import type { Assets } from './parts/layout.ts';
import { type Look, renderStyle } from './parts/theme.ts';

/** A file with its media type. */
export interface Asset {
  readonly contentType: string;
  readonly body: Buffer;
}

export interface AssetSet {
  readonly urls: Assets;
  /** By path. */
  readonly files: ReadonlyMap<string, Asset>;
  /** Finds the file at a path. A path with an outdated hash finds the current file, because cached pages may still refer to it. */
  find(path: string): (Asset & { readonly isCurrent: boolean }) | null;
}

/** Builds the assets in the operator's look, or in a colour such as "#1f5c4d". */
export function buildAssets(asked: Look | string): AssetSet {
  const look: Look =
    typeof asked === 'string' ? { color: asked, font: 'system', scheme: 'auto' } : asked;
  const files = new Map<string, Asset>();
  const add = (name: string, contentType: string, text: string): string => {
    const body = Buffer.from(text);
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
    const path = fillPath(ROUTES.getAsset.path, { name: name.replace('.', `.${hash}.`) });
    files.set(path, { contentType, body });
    return path;
  };
  const urls = {
    style: add('site.css', 'text/css; charset=utf-8', renderStyle(look, read('site.css'))),
    script: add('site.js', 'text/javascript; charset=utf-8', read('site.js')),
    console: add('developers.js', 'text/javascript; charset=utf-8', read('developers.js')),
    proof: add('proof.js', 'text/javascript; charset=utf-8', read('proof.js')),
    icon: add('icon.svg', 'image/svg+xml', read('icon.svg').replace('currentColor', look.color)),
  };
  const nameOf = (path: string) => path.replace(/\.[0-9a-f]{12}\./, '.');
  const current = new Map([...files].map(([path, file]) => [nameOf(path), file]));
  return {
    urls,
    files,
    find(path) {
      const file = files.get(path);
      if (file) return { ...file, isCurrent: true };
      const now = current.get(nameOf(path));
      return now ? { ...now, isCurrent: false } : null;
    },
  };
}

function read(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');
}
