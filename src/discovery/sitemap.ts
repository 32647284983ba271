// The site map (https://www.sitemaps.org/protocol.html): an index, and files with a bounded number of
// pages each. The oldest reviews come first, so that a new review changes only the last file.

import { fillPath, ROUTES } from '../model/routes.ts';
import { escapeXml } from '../model/xml.ts';
import { isoTime } from '../snapshot/documents.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  locationLink,
  PAGE_PATHS,
  reviewLink,
  SUBJECT_PATHS,
  subjectLink,
} from '../site/parts/links.ts';
import { answersOf } from '../site/insights/facts.ts';
import { View } from '../site/view.ts';

export const SITEMAP_TYPE = 'application/xml; charset=utf-8';

/** The protocol allows 50,000; a tenth of that is built in milliseconds. */
const PAGES_PER_FILE = 5000;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A page or a file of the site map. */
interface Entry {
  readonly path: string;
  /** Since 1970. */
  readonly changedAtSeconds: number;
}

/** The index: every file of the site map with the time of its last change. */
export function renderSitemapIndex(snapshot: Snapshot): string {
  const files = [fileOf('pages', pagesChangedAtSeconds(snapshot))];
  for (let first = 0; first < snapshot.reviewCount; first += PAGES_PER_FILE) {
    let changedAtSeconds = 0;
    for (const position of positionsOf(snapshot, first)) {
      changedAtSeconds = Math.max(changedAtSeconds, snapshot.changedAtSeconds(position));
    }
    files.push(fileOf(`reviews-${first / PAGES_PER_FILE + 1}`, changedAtSeconds));
  }
  const entries = files.map((file) => renderEntry('sitemap', snapshot.origin, file));
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`;
}

/** The path of a file by its name: `pages`, `reviews-1`, `reviews-2` and so on. */
function sitemapFilePath(name: string): string {
  return fillPath(ROUTES.getSitemapFile.path, { file: `${name}.xml` });
}

function fileOf(name: string, changedAtSeconds: number): Entry {
  return { path: sitemapFilePath(name), changedAtSeconds };
}

/** The paths of all files of the index. */
export function sitemapPaths({ reviewCount }: Snapshot): string[] {
  const numbers = Array.from(
    { length: Math.ceil(reviewCount / PAGES_PER_FILE) },
    (_, file) => file + 1,
  );
  const names = ['pages', ...numbers.map((number) => `reviews-${number}`)];
  return names.map((name) => sitemapFilePath(name));
}

/** A file by its name in the index, such as `pages.xml`; null if the index has no such file. */
export function renderSitemapFile(
  snapshot: Snapshot,
  name: string,
  { isIndexingPeople = false } = {},
): string | null {
  const [, number] = /^reviews-([1-9]\d{0,8})\.xml$/.exec(name) ?? [];
  const entries =
    name === 'pages.xml'
      ? pages(snapshot, isIndexingPeople)
      : reviewPages(snapshot, (Number(number ?? Infinity) - 1) * PAGES_PER_FILE);
  if (entries.length === 0) return null;
  const urls = entries.map((entry) => renderEntry('url', snapshot.origin, entry));
  return `${HEAD}<urlset ${NAMESPACE}>\n${urls.join('')}</urlset>\n`;
}

/** All pages that search engines may index, except those of single reviews. */
function pages(snapshot: Snapshot, isIndexingPeople: boolean): Entry[] {
  const changedAtSeconds = pagesChangedAtSeconds(snapshot);
  const view = new View(snapshot, { isIndexingPeople });
  const lists = (Object.entries(SUBJECT_PATHS) as [MentionKind, string][]).filter(([list]) =>
    view.isIndexed(list),
  );
  return [
    ...Object.values(PAGE_PATHS).filter(
      (path) => path !== PAGE_PATHS.faq || answersOf(view).length > 0,
    ),
    ...view.branches.map(({ id }) => locationLink(id)),
    ...lists.flatMap(([list, path]) => [
      ...(view.listedSubjects(list).length > 0 ? [path] : []),
      ...view.subjects(list).map(({ id }) => subjectLink(list, id)),
    ]),
  ].map((path) => ({ path, changedAtSeconds }));
}

function pagesChangedAtSeconds({ documents }: Snapshot): number {
  return Math.max(...[...documents.values()].map(({ changedAtSeconds }) => changedAtSeconds));
}

/** The positions of the reviews of one file, oldest first; `older` reviews are in files before it. */
function* positionsOf({ reviewCount }: Snapshot, older: number): Generator<number> {
  const newest = reviewCount - 1 - older;
  for (let position = newest; position >= 0 && position > newest - PAGES_PER_FILE; position--) {
    yield position;
  }
}

function reviewPages(snapshot: Snapshot, older: number): Entry[] {
  return Array.from(positionsOf(snapshot, older), (position) => ({
    path: reviewLink(snapshot.idAt(position)),
    changedAtSeconds: snapshot.changedAtSeconds(position),
  }));
}

function renderEntry(element: string, origin: string, { path, changedAtSeconds }: Entry): string {
  const location = escapeXml(origin + path);
  const time = isoTime(changedAtSeconds);
  return `<${element}><loc>${location}</loc><lastmod>${time}</lastmod></${element}>\n`;
}
