// Paths of the pages and links to them.

import type { Cursor } from '../../model/cursor.ts';
import { fillPath, ROUTES } from '../../model/routes.ts';
import { ATTRIBUTE, MIN_RATING, type SearchFilter } from '../../model/search.ts';
import { dialled } from '../../model/telephone.ts';
import type { WordQuery } from '../../model/word-query.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { NAMED, PARAMETERS } from '../../search/names.ts';

/** Paths of the lists of what reviews mention. */
export const SUBJECT_PATHS = {
  technicians: ROUTES.listTechnicians.path,
  services: ROUTES.listServices.path,
  service_areas: ROUTES.listAreas.path,
  topics: ROUTES.listTopics.path,
  aspects: ROUTES.listAspects.path,
  problems: ROUTES.listProblems.path,
} as const satisfies Record<MentionKind, string>;

/** The path of the pages about one of them, with its parameter. */
export function subjectPagePath(list: MentionKind) {
  return `${SUBJECT_PATHS[list]}/:id` as const;
}

export const PAGE_PATHS = {
  home: ROUTES.showHome.path,
  reviews: ROUTES.showReviews.path,
  faq: ROUTES.showQuestions.path,
  summary: ROUTES.showSummary.path,
  verification: ROUTES.showVerification.path,
  transparency: ROUTES.showTransparency.path,
  embed: ROUTES.showEmbed.path,
  developers: ROUTES.showDevelopers.path,
  reference: ROUTES.showReference.path,
} as const;

export function reviewLink(id: string): string {
  return fillPath(ROUTES.showReview.path, { id });
}

/** The page of a branch. */
export function locationLink(id: string): string {
  return fillPath(ROUTES.showLocation.path, { id });
}

/** The page about one technician, aspect and so on. */
export function subjectLink(
  list: MentionKind,
  id: string,
  parameters: LinkParameters = {},
): string {
  return withParameters(fillPath(subjectPagePath(list), { id }), parameters);
}

/** A page of a list in an export, where pages are numbered instead of found by cursor. */
export function numberedLink(path: string, number: number): string {
  return number === 1 ? path : `${path}/page-${number}`;
}

/** The filter of a search for the reviews that mention a subject. */
export function searchFilter(list: MentionKind, id: string): Partial<SearchFilter> {
  const kind = (Object.keys(NAMED) as (keyof typeof NAMED)[]).find((one) => NAMED[one] === list);
  return { [PARAMETERS[kind as keyof typeof NAMED]]: id };
}

/** The page of the reviews that match a filter. */
export function searchLink(filter: Partial<SearchFilter>): string {
  const { limit, ignored: _ignored, attributes, min_ratings: minRatings, ...rest } = filter;
  return withParameters(PAGE_PATHS.reviews, {
    ...rest,
    ...withPrefix(ATTRIBUTE, attributes),
    ...withPrefix(MIN_RATING, minRatings),
    limit: limit === 20 ? undefined : limit,
  });
}

function withPrefix<T>(prefix: string, parts: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [`${prefix}${name}`, value]),
  );
}

type LinkValue = string | number | boolean | Cursor | WordQuery;
type LinkParameters = Readonly<
  Record<string, LinkValue | readonly (string | number)[] | undefined>
>;

export function withParameters(path: string, parameters: LinkParameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A foreign URL, or null unless it is http or https. */
export function safeLink(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/** The URI of the first of some telephone numbers; null if nothing can be dialled. */
export function telephoneLink(telephone: string | null): string | null {
  const number = telephone === null ? null : dialled(telephone);
  return number === null ? null : `tel:${number}`;
}
