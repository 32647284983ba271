// `/robots.txt` (RFC 9309): crawlers may read everything.

import { ROUTES } from '../model/routes.ts';

export function renderRobots(origin: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}${ROUTES.getSitemap.path}\n`;
}
