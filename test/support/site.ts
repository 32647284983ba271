// A site in memory.

import type { Business } from '../../src/model/business.ts';
import { aggregateRating } from '../../src/model/rating.ts';
import type { Review } from '../../src/model/review.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { buildSiteFiles, pictureLink } from '../../src/site/files.ts';
import { drawRatingPicture } from '../../src/site/pictures/draw-rating-picture.ts';
import { Site } from '../../src/site/site.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { BUSINESS } from './reviews.ts';
import { ORIGIN, snapshotOf } from './snapshot.ts';

const COLOR = '#1f5c4d';

/** Builds a snapshot with its rating picture, like publishing. */
export async function drawnSnapshot(
  reviews: readonly Review[],
  business: Business = BUSINESS,
  origin = ORIGIN,
): Promise<Snapshot> {
  const pictures = await drawRatingPicture(business.name, aggregateRating(reviews));
  return snapshotOf(reviews, { business, origin, pictures });
}

/** Builds the site of a snapshot, like the server. */
export function siteOf(snapshot: Snapshot): Site {
  const picture = pictureLink(buildSiteFiles(snapshot, COLOR));
  return new Site(snapshot, buildAssets(COLOR).urls, { picture });
}

/** The HTML of a page by its route. */
export function pageOf(site: Site, route: string, id = ''): string {
  return site.render(route, { id, parameters: {} }).content;
}

/** The JSON-LD objects of a page. */
export function jsonLdOf(html: string): any[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, json]) => JSON.parse(json!));
}
