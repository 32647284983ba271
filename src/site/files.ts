// Files of a snapshot that other sites use: embed script and data, badge, favicon.

import {
  HEADER_FORMATS,
  headerFormatOf,
  headerPath,
  LOGO_FORMATS,
  logoFormatOf,
  logoPath,
} from '../model/business-pictures.ts';
import { shownMean } from '../model/rating.ts';
import { ROUTES } from '../model/routes.ts';
import { hashOf } from '../snapshot/documents.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Asset } from './assets.ts';
import { renderBadge } from './pictures/badge.ts';
import { EMBED_PATHS, readEmbedScript, starColors, renderEmbedData, SCRIPT_TYPE } from './embed.ts';
import { FAVICON_TYPE, renderFavicon } from './pictures/favicon.ts';
import { View } from './view.ts';

/** The icon made from the logo, with a content hash; null if the icon is not made from it. */
export function iconLink({ logo }: Snapshot): string | null {
  return logo?.icon ? `${ROUTES.getFavicon.path}?v=${hashOf(logo.icon).slice(0, 12)}` : null;
}

/** The logo by its path, if this server publishes it. */
export function buildLogo({ logo }: Snapshot): ReadonlyMap<string, Asset> {
  if (logo === null) return new Map();
  const { contentType } = LOGO_FORMATS[logoFormatOf(logo.bytes) ?? 'svg'];
  return new Map([[logoPath(logo), { contentType, body: Buffer.from(logo.bytes) }]]);
}

/** The picture at the top of the first page by its path, if this server publishes it. */
export function buildHeader({ header }: Snapshot): ReadonlyMap<string, Asset> {
  if (header === null) return new Map();
  const { contentType } = HEADER_FORMATS[headerFormatOf(header.bytes) ?? 'png'];
  return new Map([[headerPath(header), { contentType, body: Buffer.from(header.bytes) }]]);
}

/** Builds the files of a snapshot, by path, in the operator's colour. */
export function buildSiteFiles(snapshot: Snapshot, color: string): ReadonlyMap<string, Asset> {
  const view = new View(snapshot);
  const icon = snapshot.logo?.icon ? Buffer.from(snapshot.logo.icon) : renderFavicon(color);
  const text = (contentType: string, body: string) => ({ contentType, body: Buffer.from(body) });
  return new Map<string, Asset>([
    [EMBED_PATHS.script, text(SCRIPT_TYPE, readEmbedScript())],
    [EMBED_PATHS.data, text(SCRIPT_TYPE, renderEmbedData(view, color))],
    [
      EMBED_PATHS.badge,
      text('image/svg+xml', renderBadge(view, shownMean(view.rating), starColors(color)[0])),
    ],
    [ROUTES.getFavicon.path, { contentType: FAVICON_TYPE, body: icon }],
  ]);
}
