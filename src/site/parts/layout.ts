// The layout of all pages: head, header and footer.

import { shownMean } from '../../model/rating.ts';
import type { VNode } from 'preact';
import { markdownPath, ROUTES } from '../../model/routes.ts';
import { stars, shapes } from './components.ts';
import { PAGE_PATHS, safeLink, SUBJECT_PATHS, telephoneLink } from './links.ts';
import { answersOf } from '../insights/facts.ts';
import { html, type Markup, renderMarkup, rich } from './markup.ts';
import { PICTURE_SIZE } from '../pictures/picture-renderer.ts';
import { businessPicture, type ShareLink } from '../pictures/share-picture.ts';
import type { View } from '../view.ts';

/** The content of one page, without the shared layout. */
export interface Page {
  /** By default 200. */
  readonly status?: 200 | 400 | 404;
  readonly title: string;
  /** One sentence for search results and link previews. */
  readonly description: string;
  /** The canonical path, or null if search engines should not index the page. */
  readonly canonical: string | null;
  readonly main: VNode;
  /** The picture beside links to this page, instead of that of the business. */
  readonly picture?: ShareLink | null;
  /** Further scripts: to send example requests, of the element that other sites embed, to check a proof. */
  readonly scripts?: readonly ('console' | 'embed' | 'proof')[];
  /** The path of the page in the navigation to which it belongs, if it has no canonical one. */
  readonly within?: string;
  /** Whether the page is in English in every language of the site: documentation of interfaces. */
  readonly isEnglish?: boolean;
  /** The paths of its Atom feed and JSON Feed, instead of those of the business. */
  readonly feeds?: readonly [atom: string, json: string];
  /** schema.org objects. */
  readonly jsonLd?: readonly object[];
}

/** URLs of the static assets. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  /** Sends the example requests of the developers page. */
  readonly console: string;
  /** Checks the proof of a review. */
  readonly proof: string;
  readonly icon: string;
}

export function renderPage(page: Page, view: View, assets: Assets): string {
  const { business, origin, language, strings } = view;
  const texts = strings.layout;
  const urls = { ...assets, embed: ROUTES.getEmbedScript.path };
  const title = page.title === business.name ? page.title : `${page.title} · ${business.name}`;
  const isHome = page.canonical === PAGE_PATHS.home;
  const at = page.within ?? page.canonical ?? '';
  const entry = (path: string, name: string) => {
    const current = at === path ? 'page' : at.startsWith(`${path}/`);
    return html`<a href=${path} aria-current=${current || null}>${name}</a>`;
  };
  return renderMarkup(
    html`<html lang=${language.tag}>
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content=${page.description} />
        <meta name="color-scheme" content=${colorScheme(view)} />
        ${
          page.canonical === null
            ? html`<meta name="robots" content="noindex" />`
            : html`<link rel="canonical" href=${origin + page.canonical} />
                <link rel="alternate" hreflang=${language.tag} href=${origin + page.canonical} />
                <link
                  rel="alternate"
                  type="text/markdown"
                  href=${origin + markdownPath(page.canonical)}
                />`
        }
        <link
          rel="alternate"
          type="application/atom+xml"
          title=${texts.newestReviews}
          href=${origin + (page.feeds?.[0] ?? ROUTES.getAtomFeed.path)}
        />
        <link
          rel="alternate"
          type="application/feed+json"
          title=${texts.newestReviews}
          href=${origin + (page.feeds?.[1] ?? ROUTES.getJsonFeed.path)}
        />
        ${shareTags(page, view)} ${iconTags(view, assets)}
        <link rel="stylesheet" href=${assets.style} />
        <script type="module" src=${assets.script}></script>
        ${(page.scripts ?? []).map((name) => html`<script type="module" src=${urls[name]} />`)}
        ${(page.jsonLd ?? []).map(
          (record) =>
            // No text can close the element.
            html`<script
              type="application/ld+json"
              dangerouslySetInnerHTML=${{ __html: JSON.stringify(record).replaceAll('<', '\\u003c') }}
            />`,
        )}
      </head>
      <body>
        <a class="skip" href="#main">${texts.skip}</a>
        ${shapes()}
        <header class=${isHome ? 'top of-home' : 'top'}>
          ${brand(view, isHome)}
          <nav aria-label=${texts.mainNavigation}>
            ${entry(PAGE_PATHS.reviews, texts.reviews)}
            ${(['services', 'technicians'] as const).map((list) => (view.isSmall || view.listedSubjects(list).length === 0 ? null : entry(SUBJECT_PATHS[list], view.titleOf(list))))}
            ${view.isSmall || answersOf(view).length === 0 ? null : entry(PAGE_PATHS.faq, texts.questions)}
            ${view.isSmall || view.listedSubjects('aspects').length === 0 ? null : entry(SUBJECT_PATHS.aspects, texts.opinions)}
          </nav>
          ${page.isEnglish === true ? null : standing(view)}
        </header>
        <main
          id="main"
          tabindex="-1"
          lang=${page.isEnglish === true && language.code !== 'en' ? 'en' : null}
        >
          ${page.main}
        </main>
        <footer class="bottom">${footer(view)}</footer>
      </body>
    </html>`,
  );
}

/** The logo and the name, which the home page has as its heading. */
function brand(view: View, isHome: boolean): Markup {
  const { business, logo } = view;
  if (isHome && logo === null) return null;
  return html`<a class="brand" href=${PAGE_PATHS.home}>
    ${
      logo === null
        ? null
        : html`<img
            src=${logo}
            alt=""
            height="40"
            class=${view.hasDarkLogo ? null : 'light-ground'}
          />`
    }
    <span dir="auto" class=${isHome ? 'unseen' : null}>${business.name}</span>
  </a>`;
}

/** The score and the telephone: at the top of every page, on phones at the bottom edge of the screen. */
function standing(view: View): Markup {
  const { business, rating, strings, format } = view;
  const mean = shownMean(rating);
  const { telephone } = business;
  const call = telephoneLink(telephone);
  if (mean === null && call === null) return null;
  return html`<p class="standing">
    ${
      mean === null
        ? null
        : html`<a href=${PAGE_PATHS.reviews}
            >${stars(view, mean)} <strong>${format.mean(mean)}</strong>
            <span class="aside">${strings.reviews(rating.review_count)}</span></a
          >`
    }
    ${call && html`<a class="button" href=${call}>${strings.contact.call(telephone ?? '')}</a>`}
  </p>`;
}

function colorScheme({ business: { site } }: View): string {
  const scheme = site?.color_scheme ?? 'auto';
  return scheme === 'auto' ? 'light dark' : scheme;
}

/** The icon of the site: the logo, if it has the shape of one, and else a star in the operator's colour. */
function iconTags({ icon, logo }: View, assets: Assets): Markup {
  if (icon === null) return html`<link rel="icon" type="image/svg+xml" href=${assets.icon} />`;
  const isSvg = logo?.endsWith('.svg') === true;
  return html`<link rel="icon" href=${icon} sizes="32x32 180x180" />
    ${isSvg ? html`<link rel="icon" type="image/svg+xml" href=${logo} />` : null}`;
}

/** Open Graph tags for link previews (https://ogp.me). */
function shareTags({ title, description, canonical, picture: own }: Page, view: View): Markup {
  const { business, origin, rating, strings } = view;
  const tags = {
    'og:type': 'website',
    'og:site_name': business.name,
    'og:locale': view.language.tag.replace('-', '_'),
    'og:title': title,
    'og:description': description,
    ...(canonical === null ? {} : { 'og:url': origin + canonical }),
    'og:image': origin + (own?.path ?? businessPicture(view)),
    'og:image:type': 'image/png',
    'og:image:width': String(PICTURE_SIZE.width),
    'og:image:height': String(PICTURE_SIZE.height),
    'og:image:alt':
      own?.alt ?? `${business.name}: ${strings.aggregate(shownMean(rating), rating.review_count)}`,
  };
  return html`${Object.entries(tags).map(([name, content]) => html`<meta property=${name} content=${content} />`)}
    <meta name="twitter:card" content="summary_large_image" />`;
}

function footer(view: View): VNode {
  const { business, strings } = view;
  const texts = strings.layout;
  const website = safeLink(business.url);
  return html`<div>
    <p>
      ${rich(texts.about, { name: () => html`<bdi>${business.name}</bdi>` })}
      ${website === null ? null : html`<a href=${website}>${texts.website}</a>`}
    </p>
    <ul class="plain">
      ${(business.site?.footer_links ?? []).map(
        ({ label, url }) => html`<li><a href=${url}>${label}</a></li>`,
      )}
      <li><a href=${PAGE_PATHS.verification}>${texts.verification}</a></li>
      <li><a href=${PAGE_PATHS.transparency}>${texts.transparency}</a></li>
      <li><a href=${ROUTES.getAtomFeed.path}>${texts.subscribe}</a></li>
      <li><a href=${PAGE_PATHS.embed}>${texts.embed}</a></li>
      <li><a href=${PAGE_PATHS.developers}>${texts.developers}</a></li>
      <li><a href="#">${texts.toTop}</a></li>
    </ul>
  </div>`;
}
