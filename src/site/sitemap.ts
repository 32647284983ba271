// The site map (https://www.sitemaps.org/protocol.html): an index, and files of a bounded number of
// pages. The files of reviews begin with the oldest, so that a new review changes the last one alone.

import { escapeXml } from '../model/xml.ts';
import { isoTime } from '../snapshot/documents.ts';
import type { Mentioned } from '../snapshot/names.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { PAGE_PATHS, reviewLink, SUBJECT_PATHS, subjectLink } from './links.ts';
import { View } from './view.ts';

export const SITEMAP_PATH = '/sitemap.xml';
/** Files of the index: `pages`, and `reviews-1` and so on. */
export const SITEMAP_FILES_PATH = '/sitemaps';
export const SITEMAP_TYPE = 'application/xml; charset=utf-8';

/** Pages in a file; the protocol allows 50,000, and a tenth of that is built in milliseconds. */
const PER_FILE = 5000;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A page or a file, and when it last changed, in seconds since 1970. */
interface Entry {
  readonly path: string;
  readonly changedAt: number;
}

/** The index. */
export function renderSitemapIndex(snapshot: Snapshot): string {
  const files = [fileOf('pages', pagesChangedAt(snapshot))];
  for (let first = 0; first < snapshot.reviewCount; first += PER_FILE) {
    let changedAt = 0;
    for (const position of positionsOf(snapshot, first)) {
      changedAt = Math.max(changedAt, snapshot.changedAt(position));
    }
    files.push(fileOf(`reviews-${first / PER_FILE + 1}`, changedAt));
  }
  const entries = files.map((file) => renderEntry('sitemap', snapshot.origin, file));
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`;
}

function fileOf(name: string, changedAt: number): Entry {
  return { path: `${SITEMAP_FILES_PATH}/${name}.xml`, changedAt };
}

/** The path of every file of the index. */
export function sitemapPaths({ reviewCount }: Snapshot): string[] {
  const numbers = Array.from({ length: Math.ceil(reviewCount / PER_FILE) }, (_, file) => file + 1);
  const names = ['pages', ...numbers.map((number) => `reviews-${number}`)];
  return names.map((name) => `${SITEMAP_FILES_PATH}/${name}.xml`);
}

/** A file of the index by its name; null where the index has none of this name. */
export function renderSitemapFile(snapshot: Snapshot, name: string): string | null {
  const [, number] = /^reviews-([1-9]\d{0,8})\.xml$/.exec(name) ?? [];
  const entries =
    name === 'pages.xml'
      ? pages(snapshot)
      : reviewPages(snapshot, (Number(number ?? Infinity) - 1) * PER_FILE);
  if (entries.length === 0) return null;
  const urls = entries.map((entry) => renderEntry('url', snapshot.origin, entry));
  return `${HEAD}<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;
}

/** The pages about all reviews together, and about each thing that they mention. */
function pages(snapshot: Snapshot): Entry[] {
  const changedAt = pagesChangedAt(snapshot);
  const view = new View(snapshot);
  const lists = Object.entries(SUBJECT_PATHS) as [Mentioned, string][];
  return [
    ...Object.values(PAGE_PATHS),
    ...lists.flatMap(([list, path]) => [
      path,
      ...view.subjects(list).map(({ id }) => subjectLink(list, id)),
    ]),
  ].map((path) => ({ path, changedAt }));
}

function pagesChangedAt({ documents }: Snapshot): number {
  return Math.max(...[...documents.values()].map(({ changedAt }) => changedAt));
}

/** The positions of a file's worth of reviews, by how many are older. */
function* positionsOf({ reviewCount }: Snapshot, older: number): Generator<number> {
  const newest = reviewCount - 1 - older;
  for (let position = newest; position >= 0 && position > newest - PER_FILE; position--) {
    yield position;
  }
}

function reviewPages(snapshot: Snapshot, older: number): Entry[] {
  return Array.from(positionsOf(snapshot, older), (position) => ({
    path: reviewLink(snapshot.idAt(position)),
    changedAt: snapshot.changedAt(position),
  }));
}

function renderEntry(element: string, origin: string, { path, changedAt }: Entry): string {
  const location = escapeXml(origin + path);
  const time = isoTime(changedAt);
  return `<${element}><loc>${location}</loc><lastmod>${time}</lastmod></${element}>\n`;
}
