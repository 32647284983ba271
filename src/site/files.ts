// The files that a snapshot makes beside its pages: what other sites show of it.

import { ROUTES } from '../model/routes.ts';
import { hashOf } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Asset } from './assets.ts';
import {
  EMBED_PATHS,
  readEmbedScript,
  renderBadge,
  renderEmbedData,
  SCRIPT_TYPE,
} from './embed.ts';
import { FAVICON_TYPE, renderFavicon } from './favicon.ts';
import { ratingPicture } from './rating-picture.ts';
import { View } from './view.ts';

/** The path of the picture, which other sites keep until it has another; null where there is none. */
export function pictureLink(files: ReadonlyMap<string, Asset>): string | null {
  const picture = files.get(ROUTES.getPicture.path);
  return picture ? `${ROUTES.getPicture.path}?v=${hashOf(picture.body).slice(0, 12)}` : null;
}

/** The files of a snapshot by path, in the operator's colour; without a picture where none was drawn. */
export function buildSiteFiles(snapshot: Snapshot, color: string): ReadonlyMap<string, Asset> {
  const view = new View(snapshot);
  const picture = ratingPicture(snapshot, color);
  const text = (contentType: string, body: string) => ({ contentType, body: Buffer.from(body) });
  return new Map<string, Asset>([
    [EMBED_PATHS.script, text(SCRIPT_TYPE, readEmbedScript())],
    [EMBED_PATHS.data, text(SCRIPT_TYPE, renderEmbedData(view, color))],
    [EMBED_PATHS.badge, text('image/svg+xml', renderBadge(view, color))],
    [ROUTES.getFavicon.path, { contentType: FAVICON_TYPE, body: renderFavicon(color) }],
    ...(picture
      ? [[ROUTES.getPicture.path, { contentType: 'image/png', body: picture }] as const]
      : []),
  ]);
}
