// The web pages of one snapshot: from a path to a page. Same snapshot, same bytes.

import type { Mentioned } from '../snapshot/names.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { developersPage } from './developers.ts';
import { homePage } from './home.ts';
import { type Assets, type Page, renderPage } from './layout.ts';
import { PAGE_PATHS, reviewLink, safeLink, SUBJECT_PATHS, subjectLink } from './links.ts';
import { faqPage, summaryPage } from './prose-pages.ts';
import { reviewPage } from './review-page.ts';
import { searchPage, type UrlParameters } from './search-page.ts';
import { missingPage, subjectListPage, subjectPage } from './subject-page.ts';
import { View } from './view.ts';

/** A page as it is sent. */
export interface RenderedPage {
  readonly status: Page['status'];
  readonly html: string;
}

/** What a route tells of a request. */
export interface PageParameters {
  /** The last part of the path, where the route has one. */
  readonly id: string;
  readonly parameters: UrlParameters;
}

type PageMaker = (view: View, request: PageParameters) => Page | null;

/** The route of the page for what is not there. */
export const MISSING = '*';

const LISTS = Object.keys(SUBJECT_PATHS) as Mentioned[];

/** Every page, by the route that leads to it. */
export const PAGES: Readonly<Record<string, PageMaker>> = {
  [PAGE_PATHS.home]: homePage,
  [PAGE_PATHS.reviews]: (view, { parameters }) => searchPage(view, parameters),
  [`${PAGE_PATHS.reviews}/:id`]: (view, { id }) => {
    const position = view.snapshot.positionOf(id);
    return position === null ? null : reviewPage(view, position);
  },
  [PAGE_PATHS.faq]: faqPage,
  [PAGE_PATHS.summary]: summaryPage,
  [PAGE_PATHS.developers]: developersPage,
  ...Object.fromEntries(
    LISTS.flatMap((list): [string, PageMaker][] => [
      [SUBJECT_PATHS[list], (view) => subjectListPage(view, list)],
      [
        `${SUBJECT_PATHS[list]}/:id`,
        (view, { id, parameters }) => subjectPage(view, list, id, parameters),
      ],
    ]),
  ),
};

export class Site {
  readonly #view: View;
  readonly #assets: Assets;

  constructor(snapshot: Snapshot, assets: Assets) {
    this.#view = new View(snapshot);
    this.#assets = assets;
  }

  /** Value of the Content-Security-Policy header: nothing but what comes from our own origin, and the
   * logo, wherever the business keeps it. */
  get policy(): string {
    const logo = safeLink(this.#view.business.logo_url);
    const images = logo === null ? "'self'" : `'self' ${new URL(logo).origin}`;
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
    const page = PAGES[route]?.(this.#view, request) ?? missingPage();
    return { status: page.status, html: renderPage(page, this.#view, this.#assets) };
  }

  /** The path of every page but those of searches, and of all but the first page of a list. */
  *paths(): Generator<string> {
    yield* Object.values(PAGE_PATHS);
    for (const list of LISTS) {
      yield SUBJECT_PATHS[list];
      for (const { id } of this.#view.subjects(list)) yield subjectLink(list, id);
    }
    const { snapshot } = this.#view;
    for (let position = 0; position < snapshot.reviewCount; position++) {
      yield reviewLink(snapshot.idAt(position));
    }
  }
}
