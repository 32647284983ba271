// The web pages of one snapshot: from a path to a page. Same snapshot, same bytes.

import { ROUTES } from '../model/routes.ts';
import { searchFilterSchema } from '../model/search.ts';
import type { Mentioned } from '../search/mentions.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { copyPage } from './copy-page.ts';
import { developersPage } from './developers.ts';
import { homePage } from './home.ts';
import { type Assets, type Page, renderPage } from './layout.ts';
import {
  PAGE_PATHS,
  reviewLink,
  safeLink,
  SUBJECT_PAGE_PATHS,
  SUBJECT_PATHS,
  subjectLink,
} from './links.ts';
import { allReviewsPage, partPaths } from './numbered-pages.ts';
import { faqPage, summaryPage } from './prose-pages.ts';
import { reviewPage } from './review-page.ts';
import { searchPage, type UrlParameters } from './search-page.ts';
import { subjectListPage } from './subject-list.ts';
import { missingPage, subjectPage } from './subject-page.ts';
import { View, type ViewOptions } from './view.ts';

/** A page as it is sent. */
export interface RenderedPage {
  readonly status: Page['status'];
  readonly html: string;
}

/** What a route tells of a request. */
export interface PageParameters {
  /** The last part of the path, where the route has one. */
  readonly id: string;
  /** The part of a numbered list. */
  readonly page?: string;
  readonly parameters: UrlParameters;
}

type PageMaker = (view: View, request: PageParameters) => Page | null;

/** The route of the page for what is not there. */
export const MISSING = '*';

const LISTS = Object.keys(SUBJECT_PATHS) as Mentioned[];

const NO_PARAMETERS: ReadonlySet<string> = new Set();
const SEARCH_PARAMETERS: ReadonlySet<string> = new Set(Object.keys(searchFilterSchema.shape));
const LIST_PARAMETERS: ReadonlySet<string> = new Set(['page']);
const SUBJECT_PARAMETERS: ReadonlySet<string> = new Set(['sentiment', 'cursor']);

/** Every page, by the route that leads to it. */
export const PAGES: Readonly<Record<string, PageMaker>> = {
  [PAGE_PATHS.home]: homePage,
  [PAGE_PATHS.reviews]: (view, { parameters }) => searchPage(view, parameters),
  [ROUTES.showReview.path]: (view, { id }) => {
    const position = view.snapshot.positionOf(id);
    return position === null ? null : reviewPage(view, position);
  },
  [PAGE_PATHS.faq]: faqPage,
  [PAGE_PATHS.summary]: summaryPage,
  [PAGE_PATHS.developers]: developersPage,
  ...Object.fromEntries(
    LISTS.flatMap((list): [string, PageMaker][] => [
      [SUBJECT_PATHS[list], (view, { parameters }) => subjectListPage(view, list, parameters)],
      [SUBJECT_PAGE_PATHS[list], (view, request) => subjectPage(view, list, request)],
    ]),
  ),
};

/** The same as files: lists in numbered pages, and no search. */
export const STATIC_PAGES: typeof PAGES = {
  ...PAGES,
  [PAGE_PATHS.developers]: copyPage,
  [PAGE_PATHS.reviews]: (view) => allReviewsPage(view, undefined),
  [ROUTES.showReview.path]: (view, request) =>
    request.id.startsWith('page-')
      ? allReviewsPage(view, request.id)
      : (PAGES[ROUTES.showReview.path] as PageMaker)(view, request),
  ...Object.fromEntries(
    LISTS.map((list): [string, PageMaker] => [
      `${SUBJECT_PAGE_PATHS[list]}/:page`,
      (view, request) => subjectPage(view, list, request),
    ]),
  ),
};

export class Site {
  readonly #view: View;
  readonly #assets: Assets;

  readonly #pages: typeof PAGES;

  constructor(snapshot: Snapshot, assets: Assets, options: ViewOptions = {}) {
    this.#view = new View(snapshot, options);
    this.#assets = assets;
    this.#pages = this.#view.isStatic ? STATIC_PAGES : PAGES;
  }

  /** Names of the parameters that change the page at a path. */
  parametersOf(path: string): ReadonlySet<string> {
    if (path === PAGE_PATHS.reviews) return SEARCH_PARAMETERS;
    const [, first = '', ...rest] = path.split('/');
    if (!LISTS.some((list) => SUBJECT_PATHS[list] === `/${first}`)) return NO_PARAMETERS;
    return rest.length === 0 ? LIST_PARAMETERS : SUBJECT_PARAMETERS;
  }

  /** Value of the Content-Security-Policy header: nothing but what comes from our own origin, and the
   * logo, wherever the business keeps it. */
  get policy(): string {
    const logo = safeLink(this.#view.business.logo_url);
    // A host may have signs in it that would end the directive.
    const origin = logo === null ? '' : new URL(logo).origin;
    const images = /^https?:[/\w.:[\]-]+$/.test(origin) ? `'self' ${origin}` : "'self'";
    return [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src ${images}`,
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  }

  /** Renders the page of a route; one that is not there as such. */
  render(route: string, request: PageParameters): RenderedPage {
    const page = this.#pages[route]?.(this.#view, request) ?? missingPage();
    return { status: page.status, html: renderPage(page, this.#view, this.#assets) };
  }

  /** The path of every page but those of searches, and of parts of lists that have no number. */
  *paths(): Generator<string> {
    for (const route of Object.keys(this.#pages)) yield* this.pathsOf(route);
  }

  /** The paths of the pages of a route, but those of searches, and of parts of lists that have no number. */
  *pathsOf(route: string): Generator<string> {
    const { snapshot, isStatic } = this.#view;
    const [path = '', ...rest] = route.split('/:');
    const list = LISTS.find((each) => SUBJECT_PATHS[each] === path);
    if (rest.length === 0) {
      yield route;
    } else if (list === undefined) {
      if (isStatic) yield* partPaths(snapshot.reviewCount, path);
      for (let position = 0; position < snapshot.reviewCount; position++) {
        yield reviewLink(snapshot.idAt(position));
      }
    } else {
      for (const { id } of this.#view.subjects(list)) {
        if (rest.length === 1) yield subjectLink(list, id);
        else yield* partPaths(snapshot.mentioning(list, id).length, subjectLink(list, id));
      }
    }
  }
}
