// The web pages of one snapshot, by route. The same snapshot renders to the same bytes.

import { pageOfMarkdown, ROUTES } from '../model/routes.ts';
import { isSearchParameter } from '../model/search.ts';
import type { MentionKind } from '../search/mentions.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { developersPage } from './developers/developers.ts';
import { EMBED_PARAMETERS, embedPage } from './developers/embed-page.ts';
import { homePage } from './home/home.ts';
import { type Assets, type Page, renderPage } from './parts/layout.ts';
import { renderMarkdown } from './parts/markdown.ts';
import {
  locationLink,
  PAGE_PATHS,
  reviewLink,
  subjectPagePath,
  SUBJECT_PATHS,
  subjectLink,
} from './parts/links.ts';
import { allReviewsPage, pageNumber, pagePaths } from './reviews/numbered-pages.ts';
import { locationPage } from './locations/location-page.ts';
import { faqPage, summaryPage } from './insights/prose-pages.ts';
import { referencePage } from './developers/reference-page.ts';
import { reviewPage } from './reviews/review-page.ts';
import { searchPage, type UrlParameters } from './reviews/search-page.ts';
import { subjectListPage } from './insights/subject-list.ts';
import { missingPage } from './missing-page.ts';
import { subjectPage } from './insights/subject-page.ts';
import { transparencyPage } from './proof/transparency-page.ts';
import { verificationPage } from './proof/verification-page.ts';
import { View, type ViewOptions } from './view.ts';

/** A page as HTML or Markdown. */
interface RenderedPage {
  readonly status: NonNullable<Page['status']>;
  readonly content: string;
}

/** The parameters of a request that a page uses. */
export interface PageParameters {
  /** The id in the path, or "" if the route has none. */
  readonly id: string;
  /** The name of a numbered page, such as "page-2". */
  readonly page?: string;
  readonly parameters: UrlParameters;
}

type PageMaker = (view: View, request: PageParameters) => Page | null;

/** The value of the parameter "part" that asks for a whole page. */
export const WHOLE = 'all';
/** The route of the 404 page. */
export const MISSING = '*';

const LISTS = Object.keys(SUBJECT_PATHS) as MentionKind[];

const NO_PARAMETERS: ReadonlySet<string> = new Set();
const OF_SEARCH = { has: isSearchParameter };
const LIST_PARAMETERS: ReadonlySet<string> = new Set(['page', 'sort', 'compare']);
const SUBJECT_PARAMETERS: ReadonlySet<string> = new Set(['sentiment', 'page']);

/** All pages, by route. */
export const PAGES: Readonly<Record<string, PageMaker>> = {
  [PAGE_PATHS.home]: homePage,
  [PAGE_PATHS.reviews]: (view, { parameters }) => searchPage(view, parameters),
  [ROUTES.showReview.path]: (view, { id }) => {
    const position = view.snapshot.positionOf(id);
    return position === null ? null : reviewPage(view, position);
  },
  [ROUTES.showLocation.path]: (view, { id }) => locationPage(view, id),
  [PAGE_PATHS.faq]: faqPage,
  [PAGE_PATHS.summary]: summaryPage,
  [PAGE_PATHS.verification]: verificationPage,
  [PAGE_PATHS.transparency]: transparencyPage,
  [PAGE_PATHS.embed]: (view, { parameters }) => embedPage(view, parameters),
  [PAGE_PATHS.developers]: developersPage,
  [PAGE_PATHS.reference]: referencePage,
  ...Object.fromEntries(
    LISTS.flatMap((list): [string, PageMaker][] => [
      [SUBJECT_PATHS[list], (view, { parameters }) => subjectListPage(view, list, parameters)],
      [subjectPagePath(list), (view, request) => subjectPage(view, list, request)],
    ]),
  ),
};

/** The pages of a static export: lists in numbered pages, and no search. */
export const STATIC_PAGES: typeof PAGES = {
  ...PAGES,
  [PAGE_PATHS.reviews]: (view) => allReviewsPage(view, undefined),
  [ROUTES.showReview.path]: (view, request) =>
    request.id.startsWith('page-')
      ? allReviewsPage(view, request.id)
      : (PAGES[ROUTES.showReview.path] as PageMaker)(view, request),
  ...Object.fromEntries(
    LISTS.map((list): [string, PageMaker] => [
      `${subjectPagePath(list)}/:page`,
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

  /** The query parameters that the page at a path depends on. */
  parametersOf(path: string): Pick<ReadonlySet<string>, 'has'> {
    const page = pageOfMarkdown(path);
    if (page !== path) {
      const ofPage = this.parametersOf(page);
      return { has: (name) => name === 'part' || ofPage.has(name) };
    }
    if (path === PAGE_PATHS.reviews) return OF_SEARCH;
    if (path === PAGE_PATHS.embed) return EMBED_PARAMETERS;
    const [, first = '', ...rest] = path.split('/');
    if (!LISTS.some((list) => SUBJECT_PATHS[list] === `/${first}`)) return NO_PARAMETERS;
    return rest.length === 0 ? LIST_PARAMETERS : SUBJECT_PARAMETERS;
  }

  /** The language of the pages, such as "en-US". */
  get language(): string {
    return this.#view.language.tag;
  }

  /** The Content-Security-Policy: only our own origin, and the origins of the business's pictures. */
  get policy(): string {
    const { logo, header } = this.#view;
    // Our own pictures are paths. Other characters in a host could end the directive.
    const origins = [logo, header?.url ?? null].flatMap((url) => {
      const origin = (url && URL.parse(url)?.origin) ?? '';
      return /^https?:[/\w.:[\]-]+$/.test(origin) ? [origin] : [];
    });
    const images = ["'self'", ...new Set(origins)].join(' ');
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

  /** Renders the page of a route, or the 404 page. */
  render(route: string, request: PageParameters): RenderedPage {
    const page = this.#pageOf(route, request);
    return { status: page.status ?? 200, content: renderPage(page, this.#view, this.#assets) };
  }

  /** Renders the page of a route in Markdown, in an export whole; or the 404 page if it has no such part. */
  renderMarkdown(route: string, request: PageParameters, path: string): RenderedPage {
    const { part: given, ...parameters } = request.parameters;
    const part = this.#view.isStatic || given === WHOLE ? null : pageNumber(given);
    const page = this.#pageOf(route, { ...request, parameters });
    const content = renderMarkdown(page, this.#view, { path, part });
    if (content !== null) return { status: page.status ?? 200, content };
    const missing = this.#missingPage(route, request);
    return { status: 404, content: renderMarkdown(missing, this.#view, { path, part: 1 }) ?? '' };
  }

  #pageOf(route: string, request: PageParameters): Page {
    return this.#pages[route]?.(this.#view, request) ?? this.#missingPage(route, request);
  }

  #missingPage(route: string, { id }: PageParameters): Page {
    const list = LISTS.find((each) => subjectPagePath(each) === route);
    return missingPage(this.#view, list === undefined ? null : { list, id });
  }

  /** The paths of all pages, without searches and cursors. */
  *paths(): Generator<string> {
    for (const route of Object.keys(this.#pages)) yield* this.pathsOf(route);
  }

  /** The paths of all pages of a route, without searches and cursors. */
  *pathsOf(route: string): Generator<string> {
    const { snapshot, isStatic } = this.#view;
    const [path = '', ...rest] = route.split('/:');
    const list = LISTS.find((each) => SUBJECT_PATHS[each] === path);
    if (rest.length === 0) {
      yield route;
    } else if (route === ROUTES.showLocation.path) {
      yield* this.#view.branches.map(({ id }) => locationLink(id));
    } else if (list === undefined) {
      if (isStatic) yield* pagePaths(snapshot.reviewCount, path);
      for (let position = 0; position < snapshot.reviewCount; position++) {
        yield reviewLink(snapshot.idAt(position));
      }
    } else {
      for (const { id } of this.#view.subjects(list)) {
        if (rest.length === 1) yield subjectLink(list, id);
        else yield* pagePaths(snapshot.mentioning(list, id).length, subjectLink(list, id));
      }
    }
  }
}
