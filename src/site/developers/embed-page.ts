// `/developers/embed`: builds what other sites embed, with a preview. The form works without scripts, by GET.

import type { VNode } from 'preact';
import { escapeXml } from '../../model/xml.ts';
import { BADGE_HEIGHT } from '../pictures/badge.ts';
import { EMBED_PATHS, MAX_REVIEWS } from '../embed.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { code } from '../parts/components.ts';
import { html } from '../parts/markup.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import type { View } from '../view.ts';

const KINDS = {
  badge: 'Badge: stars and count',
  list: 'List of the newest reviews',
  carousel: 'Carousel of the newest reviews',
  review: 'One review',
  picture: 'Picture, for e-mails and other places without scripts',
} as const;

const THEMES = {
  auto: 'As the reader prefers',
  light: 'Light',
  dark: 'Dark',
} as const;

type Kind = keyof typeof KINDS;

/** What the page was asked to build. */
export interface EmbedOptions {
  readonly kind: Kind;
  readonly count: number;
  readonly theme: keyof typeof THEMES;
  /** Empty for the colour of the site. */
  readonly color: string;
  /** The id of a review; empty for the newest. */
  readonly review: string;
}

export const EMBED_PARAMETERS: ReadonlySet<string> = new Set([
  'kind',
  'count',
  'theme',
  'color',
  'review',
]);

const DEFAULT_COUNT = 3;
/** Names, hexadecimal numbers and functions of CSS. */
const CSS_COLOR = /^[\w#(),.%/ -]{1,60}$/;

/** Reads the parameters of the page. Invalid ones count as not given. */
export function parseEmbedOptions(parameters: UrlParameters): EmbedOptions {
  const value = (name: string) => String(parameters[name] ?? '');
  const oneOf = <Name extends string>(names: Readonly<Record<Name, string>>, name: string) =>
    Object.hasOwn(names, value(name)) ? (value(name) as Name) : undefined;
  const count = Number(value('count'));
  return {
    kind: oneOf(KINDS, 'kind') ?? 'badge',
    count: Number.isInteger(count) && count >= 1 && count <= MAX_REVIEWS ? count : DEFAULT_COUNT,
    theme: oneOf(THEMES, 'theme') ?? 'auto',
    color: CSS_COLOR.test(value('color')) ? value('color') : '',
    review: /^[0-9A-Z]{26}$/.test(value('review')) ? value('review') : '',
  };
}

/** Templates and shortcodes of site builders begin with these. */
const BUILDER_SYNTAX = /[{[]/g;

/** The HTML to copy into another site. */
export function embedSnippet({ business, origin, strings }: View, options: EmbedOptions): string {
  const { kind, count, theme, color, review } = options;
  const label = escapeXml(strings.embed.reviewsOf(business.name)).replaceAll(
    BUILDER_SYNTAX,
    (sign) => `&#${sign.charCodeAt(0)};`,
  );
  const home = origin + PAGE_PATHS.home;
  if (kind === 'picture') {
    return `<a href="${home}"><img src="${origin}${EMBED_PATHS.badge}" alt="${label}" height="${BADGE_HEIGHT}"></a>`;
  }
  const attributes = [
    ['kind', kind],
    ['count', kind === 'list' || kind === 'carousel' ? String(count) : ''],
    ['review', kind === 'review' ? review : ''],
    ['theme', theme === 'auto' ? '' : theme],
    ['color', color],
  ].flatMap(([name, value]) => (value === '' ? [] : [`data-${name}="${escapeXml(value ?? '')}"`]));
  return (
    `<public-reviews ${attributes.join(' ')}><a href="${home}">${label}</a></public-reviews>\n` +
    `<script type="module" src="${origin}${EMBED_PATHS.script}"></script>`
  );
}

export function embedPage(view: View, parameters: UrlParameters): Page {
  const options = parseEmbedOptions(parameters);
  return {
    title: view.strings.embed.title,
    description: `${view.strings.embed.title}: ${view.business.name}`,
    canonical: PAGE_PATHS.embed,
    isEnglish: true,
    scripts: ['console', 'embed'],
    main: html`<div class="developers">
      <p class="path"><a href=${PAGE_PATHS.developers}>For developers</a></p>
      <h1>Reviews on your own site</h1>
      ${
        view.isStatic
          ? allKinds(view, options)
          : html`<p>Choose what to show, look at it, and copy the code into your page.</p>
              <div class="workbench">
                ${configurator(view, options)}
                <div>
                  <p class="unseen" id="search-status" role="status"></p>
                  <div id="results">${result(view, options)}</div>
                </div>
              </div>`
      }
      <p>
        WordPress takes it in a block “Custom HTML”, Wix in “Embed HTML”, Squarespace in a block
        “Code”, Shopify in a section “Custom Liquid”. Where scripts are removed, as from texts of
        authors or on small plans, take the picture.
      </p>
      <p>
        A site with a Content-Security-Policy allows this origin in script-src; nothing else:
        <code>${view.origin}</code>. Without scripts, readers see the link inside the element.
      </p>
    </div>`,
  };
}

function configurator(view: View, options: EmbedOptions): VNode {
  const choices = (names: Readonly<Record<string, string>>, chosen: string) =>
    Object.entries(names).map(
      ([name, label]) => html`<option value=${name} selected=${name === chosen}>${label}</option>`,
    );
  const newest = Array.from({ length: Math.min(MAX_REVIEWS, view.snapshot.reviewCount) }, (_, at) =>
    view.reviewAt(at),
  );
  const reviews = Object.fromEntries([
    ['', 'the newest'],
    ...newest.map(({ review }) => [review.id, `${review.author}, ${review.date}`]),
    ...(options.review === '' ? [] : [[options.review, options.review]]),
  ]) as Record<string, string>;
  return html`<form class="fields" action=${PAGE_PATHS.embed} method="get" data-filters>
    <label
      >What
      <select name="kind">
        ${choices(KINDS, options.kind)}
      </select></label
    >
    <label
      >Number of reviews
      <input type="number" name="count" min="1" max=${MAX_REVIEWS} value=${options.count} />
    </label>
    <label
      >Which review
      <select name="review">
        ${choices(reviews, options.review)}
      </select></label
    >
    <label
      >Colors
      <select name="theme">
        ${choices(THEMES, options.theme)}
      </select></label
    >
    <label
      >Color of the stars
      <input type="text" name="color" maxlength="60" spellcheck="false" value=${options.color} />
      <span class="aside">Any CSS color; empty takes the color of this site.</span>
    </label>
    <button>Update</button>
  </form>`;
}

function result(view: View, options: EmbedOptions): VNode {
  const { kind, count, theme, color, review } = options;
  const { name } = view.business;
  return html`<section>
    <h2>Preview</h2>
    <div class="preview">
      ${
        kind === 'picture'
          ? html`<img
              src=${EMBED_PATHS.badge}
              alt=${`Reviews of ${name}`}
              height=${BADGE_HEIGHT}
            />`
          : html`<public-reviews
              data-kind=${kind}
              data-count=${count}
              data-review=${review === '' ? null : review}
              data-theme=${theme === 'auto' ? null : theme}
              data-color=${color === '' ? null : color}
              ><a href=${PAGE_PATHS.home}>Reviews of ${name}</a></public-reviews
            >`
      }
    </div>
    <h2>Code</h2>
    ${code(embedSnippet(view, options), 'Code')}
  </section>`;
}

/** In an export no form is answered: the code of every kind. */
function allKinds(view: View, options: EmbedOptions): VNode {
  return html`<div>
    ${(Object.keys(KINDS) as Kind[]).map(
      (kind) =>
        html`<section>
          <h2>${KINDS[kind]}</h2>
          ${code(embedSnippet(view, { ...options, kind }), KINDS[kind])}
        </section>`,
    )}
  </div>`;
}
