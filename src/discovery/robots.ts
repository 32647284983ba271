// `/robots.txt` (RFC 9309): everything here is meant to be read.

import { SITEMAP_PATH } from './sitemap.ts';

export const ROBOTS_PATH = '/robots.txt';

export function renderRobots(origin: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}${SITEMAP_PATH}\n`;
}
