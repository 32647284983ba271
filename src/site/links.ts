// Where each page for people is, and how a link to it is written.

import type { SearchFilter } from '../model/search.ts';
import type { Mentioned } from '../search/mentions.ts';

/** Where the pages about what reviews mention are. */
export const SUBJECT_PATHS = {
  technicians: '/technicians',
  services: '/services',
  service_areas: '/areas',
  topics: '/topics',
  aspects: '/aspects',
  problems: '/problems',
} as const satisfies Record<Mentioned, string>;

export const PAGE_PATHS = {
  home: '/',
  reviews: '/reviews',
  faq: '/faq',
  summary: '/summary',
  developers: '/developers',
} as const;

export function reviewLink(id: string): string {
  return `${PAGE_PATHS.reviews}/${encodeURIComponent(id)}`;
}

/** The page about one technician, aspect and so on. */
export function subjectLink(
  list: Mentioned,
  id: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  return withParameters(`${SUBJECT_PATHS[list]}/${encodeURIComponent(id)}`, parameters);
}

/** A page of a list that is written as files: they have no cursors but numbers. */
export function numberedLink(path: string, number: number): string {
  return number === 1 ? path : `${path}/page-${number}`;
}

/** The page of the reviews that match a filter. */
export function searchLink(filter: Partial<SearchFilter>): string {
  const { limit, ...rest } = filter;
  return withParameters(PAGE_PATHS.reviews, {
    ...rest,
    limit: limit === 20 ? undefined : limit,
  });
}

export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A URL of somebody else's, null where following it would do anything but load a web page. */
export function safeLink(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}
