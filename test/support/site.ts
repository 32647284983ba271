// A site in memory.

import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

const COLOR = '#1f5c4d';

/** Builds the site of a snapshot, like the server. */
export function siteOf(snapshot: Snapshot): Site {
  return new Site(snapshot, buildAssets(COLOR).urls);
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
