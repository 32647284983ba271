// `/developers/embed`: builds what other sites embed, with a preview. The form works without scripts, by GET.

import type { VNode } from 'preact';
import { escapeXml } from '../../model/xml.ts';
import { BADGE_HEIGHT } from '../pictures/badge.ts';
import { EMBED_PATHS, MAX_REVIEWS, MOST_WORDS, starColors } from '../embed.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS } from '../parts/links.ts';
import { code } from '../parts/components.ts';
import { html, rich } from '../parts/markup.ts';
import type { UrlParameters } from '../reviews/search-page.ts';
import type { View } from '../view.ts';

const KINDS = ['badge', 'list', 'carousel', 'review', 'picture'] as const;
const THEMES = ['auto', 'light', 'dark'] as const;

/** What the page was asked to build. */
type EmbedOptions = ReturnType<typeof parseEmbedOptions>;

export const EMBED_PARAMETERS: ReadonlySet<string> = new Set(
  'kind count words theme color review'.split(' '),
);

const DEFAULT_COUNT = 3;
/** Names, hexadecimal numbers and functions of CSS. */
const HEX = /^#[\da-f]{6}$/i;
const CSS_COLOR = /^[\w#(),.%/ -]{1,60}$/;

/** Reads the parameters of the page. Invalid ones count as not given: no colour is that of the pages, no review the newest. */
export function parseEmbedOptions(parameters: UrlParameters) {
  const value = (name: string) => String(parameters[name] ?? '');
  const oneOf = <Name extends string>(names: readonly Name[], name: string) =>
    names.find((one) => one === value(name));
  const count = Number(value('count'));
  return {
    kind: oneOf(KINDS, 'kind') ?? 'badge',
    count: Number.isInteger(count) && count >= 1 && count <= MAX_REVIEWS ? count : DEFAULT_COUNT,
    words: Math.min(Math.trunc(Number(value('words'))) || 0, MOST_WORDS),
    theme: oneOf(THEMES, 'theme') ?? 'auto',
    color: CSS_COLOR.test(value('color')) ? value('color') : '',
    review: /^[0-9A-Z]{26}$/.test(value('review')) ? value('review') : '',
  };
}

/** Templates and shortcodes of site builders begin with these. */
const BUILDER_SYNTAX = /[{[]/g;

/** The HTML to copy into another site. */
export function embedSnippet(
  { business, color: own, origin, strings }: View,
  options: EmbedOptions,
): string {
  const { kind, count, words, theme, color, review } = options;
  const isMany = kind === 'list' || kind === 'carousel';
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
    ['count', isMany ? String(count) : ''],
    ['review', kind === 'review' ? review : ''],
    ['theme', theme === 'auto' ? '' : theme],
    ['words', isMany && words > 0 ? String(words) : ''],
    ['color', color === starColors(own)[0] ? '' : color],
  ].flatMap(([name, value]) => (value === '' ? [] : [`data-${name}="${escapeXml(value ?? '')}"`]));
  return (
    `<public-reviews ${attributes.join(' ')}><a href="${home}">${label}</a></public-reviews>\n` +
    `<script async src="${origin}${EMBED_PATHS.script}"></script>`
  );
}

export function embedPage(view: View, parameters: UrlParameters): Page {
  const options = parseEmbedOptions(parameters);
  const { embed: texts, layout, review } = view.strings;
  return {
    title: texts.title,
    description: `${texts.title}${view.strings.colon}${view.business.name}`,
    canonical: PAGE_PATHS.embed,
    scripts: ['console', 'embed'],
    main: html`<div class="developers" data-copy-code=${texts.copy} data-copied=${review.copied}>
      <p class="path"><a href=${PAGE_PATHS.developers}>${layout.developers}</a></p>
      <h1>${texts.title}</h1>
      ${
        view.isStatic
          ? KINDS.map(
              (kind) =>
                html`<h2>${texts.kinds[kind]}</h2>
                  ${code(embedSnippet(view, { ...options, kind }), texts.kinds[kind])}`,
            )
          : html`<p>${texts.intro}</p>
              <div class="workbench">
                ${configurator(view, options)}
                <div>
                  <p class="unseen" id="search-status" role="status"></p>
                  <div id="results">${result(view, options)}</div>
                </div>
              </div>`
      }
      <p>${texts.where}</p>
      <p>
        ${rich(texts.policy, {
          origin: () => html`<code>${view.origin}</code>`,
          code: (words) => html`<code>${words}</code>`,
        })}
      </p>
    </div>`,
  };
}

function configurator(view: View, options: EmbedOptions): VNode {
  const texts = view.strings.embed;
  const select = (name: string, names: Readonly<Record<string, string>>, chosen: string) =>
    html`<select name=${name}>
      ${Object.entries(names).map(
        ([value, label]) =>
          html`<option value=${value} selected=${value === chosen}>${label}</option>`,
      )}
    </select>`;
  const reviews = Object.fromEntries([
    ['', texts.newest],
    ...view
      .newest(MAX_REVIEWS)
      .map(({ review }) => [review.id, `${review.author}, ${view.format.date(review.date)}`]),
    ...(options.review === '' ? [] : [[options.review, options.review]]),
  ]) as Record<string, string>;
  return html`<form class="fields" action=${PAGE_PATHS.embed} method="get" data-filters>
    <label>${texts.what} ${select('kind', texts.kinds, options.kind)}</label>
    <label class="of-list"
      >${texts.count}
      <input type="number" name="count" min="1" max=${MAX_REVIEWS} value=${options.count} />
    </label>
    <label class="of-list"
      >${texts.fewestWords}
      <input type="number" name="words" min="0" max=${MOST_WORDS} value=${options.words} />
    </label>
    <label class="of-review">${texts.which} ${select('review', reviews, options.review)}</label>
    <label class="of-script">${texts.colors} ${select('theme', texts.themes, options.theme)}</label>
    <label class="of-script"
      >${texts.starColor}
      <input
        type="color"
        name="color"
        value=${HEX.test(options.color) ? options.color : starColors(view.color)[0]}
      />
    </label>
    <button>${texts.update}</button>
  </form>`;
}

function result(view: View, options: EmbedOptions): VNode {
  const { kind, count, words: fewest, theme, color, review } = options;
  const texts = view.strings.embed;
  const words = texts.reviewsOf(view.business.name);
  return html`<section>
    <h2>${texts.preview}</h2>
    <div class="preview">
      ${
        kind === 'picture'
          ? html`<img src=${EMBED_PATHS.badge} alt=${words} height=${BADGE_HEIGHT} />`
          : html`<public-reviews
              data-kind=${kind}
              data-count=${count}
              data-words=${fewest === 0 ? null : fewest}
              data-review=${review === '' ? null : review}
              data-theme=${theme === 'auto' ? null : theme}
              data-color=${color === '' ? null : color}
              ><a href=${PAGE_PATHS.home}>${words}</a></public-reviews
            >`
      }
    </div>
    <h2>${texts.code}</h2>
    ${code(embedSnippet(view, options), texts.code)}
  </section>`;
}
