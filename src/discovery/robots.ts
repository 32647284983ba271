// `/robots.txt` (RFC 9309): crawlers may read everything but combinations of filters, of which there are more than reviews.

import { ROUTES } from '../model/routes.ts';

export function renderRobots(origin: string): string {
  return `User-agent: *\nAllow: /\nDisallow: ${ROUTES.showReviews.path}?*&\n\nSitemap: ${origin}${ROUTES.getSitemap.path}\nAgentmap: ${origin}${ROUTES.getResourceManifest.path}\n`;
}
