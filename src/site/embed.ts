// What other sites embed: a custom element with its script and data, and an SVG badge.

import { readFileSync } from 'node:fs';
import type { VNode } from 'preact';
import { ROUTES } from '../model/routes.ts';
import { escapeXml } from '../model/xml.ts';
import { PAGE_PATHS, reviewLink } from './links.ts';
import { html } from './markup.ts';
import { starShape } from './star.ts';
import { readableTint } from './theme.ts';
import type { View } from './view.ts';
import { truncate } from './format.ts';

export const EMBED_PATHS = {
  script: ROUTES.getEmbedScript.path,
  data: ROUTES.getEmbedData.path,
  badge: ROUTES.getBadge.path,
} as const;

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Maximum number of reviews in an embedded list. */
const MAX_REVIEWS = 10;
/** Maximum UTF-16 units of a review's text. */
const MAX_TEXT_LENGTH = 400;

/** Reads the script of the element. It is independent of the snapshot. */
export function readEmbedScript(): string {
  return readFileSync(new URL('./assets/embed.js', import.meta.url), 'utf8');
}

/**
 * Renders the element's data as a JavaScript module, so that a host page needs `script-src` but not
 * `connect-src`. Since ECMAScript 2019 all JSON is valid JavaScript.
 */
export function renderEmbedData(view: View, color: string): string {
  const { business, rating, origin, strings } = view;
  const count = Math.min(MAX_REVIEWS, view.snapshot.reviewCount);
  const reviews = view.reviewsAt(Array.from({ length: count }, (_, position) => position));
  const data = {
    name: business.name.toWellFormed(),
    url: origin + PAGE_PATHS.home,
    rating: rating.rating_value,
    count: strings.verified(rating.review_count),
    words: strings.aggregate(rating.rating_value, rating.review_count),
    mean: rating.rating_value === null ? null : view.format.mean(rating.rating_value),
    label: strings.embed.reviewsOf(business.name.toWellFormed()),
    colors: [readableTint(color, 'light').accent, readableTint(color, 'dark').accent],
    reviews: reviews.map(({ review, language }) => ({
      author: review.author,
      rating: review.rating,
      stars: strings.outOfFive(review.rating),
      date: review.date,
      day: view.format.date(review.date),
      text: review.text && (truncate(review.text, MAX_TEXT_LENGTH) ?? review.text),
      lang: language === 'und' ? null : language,
      url: origin + reviewLink(review.id),
    })),
  };
  return `export default ${JSON.stringify(data)};\n`;
}

const BADGE_HEIGHT = 28;
/** Average width in pixels at font size 13; `textLength` makes the text fit exactly. */
const LETTER_WIDTH = 6.6;

/** Renders the rating as a self-contained one-line SVG with its own background. */
export function renderBadge({ business, rating, strings, format }: View, color: string): string {
  const { accent } = readableTint(color, 'light');
  const mean = rating.rating_value;
  const count = strings.verified(rating.review_count);
  const words = mean === null ? count : `${format.mean(mean)} · ${count}`;
  const textWidth = Math.round(words.length * LETTER_WIDTH);
  const textStart = mean === null ? 12 : 106;
  const width = textStart + textWidth + 12;
  const label = escapeXml(`${business.name}: ${strings.aggregate(mean, rating.review_count)}`);
  const stars = [0, 1, 2, 3, 4].map((index) => {
    const shape = `transform="translate(${10 + index * 18} 5) scale(.9)" fill="${accent}"`;
    const filled = Math.round(Math.min(Math.max((mean ?? 0) - index, 0), 1) * 200) / 10;
    return (
      `<clipPath id="s${index}"><path d="M0 0h${filled}v20H0z"/></clipPath>` +
      `<g ${shape}><path fill-opacity=".25" d="${starShape}"/>` +
      `<path clip-path="url(#s${index})" d="${starShape}"/></g>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BADGE_HEIGHT}" ` +
    `viewBox="0 0 ${width} ${BADGE_HEIGHT}" role="img" aria-label="${label}"><title>${label}</title>` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${BADGE_HEIGHT - 1}" rx="6" fill="#fff" ` +
    `stroke="#d9d6cf"/>${mean === null ? '' : stars.join('')}` +
    `<text x="${textStart}" y="18.5" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs" ` +
    `font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif" font-size="13" ` +
    `fill="#1c1b19">${escapeXml(words)}</text></svg>\n`
  );
}

/** HTML snippets to copy into another site. */
export function embedSnippets({
  business,
  origin,
  strings,
}: View): Readonly<Record<EmbedKind, string>> {
  const label = escapeXml(strings.embed.reviewsOf(business.name));
  const link = `<a href="${origin}${PAGE_PATHS.home}">${label}</a>`;
  const script = `<script type="module" src="${origin}${EMBED_PATHS.script}"></script>`;
  return {
    badge: `<public-reviews data-kind="badge">${link}</public-reviews>\n${script}`,
    list: `<public-reviews data-kind="list" data-count="3">${link}</public-reviews>\n${script}`,
    picture: `<a href="${origin}${PAGE_PATHS.home}"><img src="${origin}${EMBED_PATHS.badge}" alt="${label}" height="${BADGE_HEIGHT}"></a>`,
  };
}

type EmbedKind = 'badge' | 'list' | 'picture';

/** The section of the developers page about embedding. */
export function embedSection(view: View): VNode {
  const snippets = embedSnippets(view);
  const snippet = (title: string, code: string) =>
    html`<h3>${title}</h3>
      <pre tabindex="0"><code>${code}</code></pre>`;
  return html`<section id="embed" aria-labelledby="embed-title">
    <h2 id="embed-title">On your own site</h2>
    <p>
      Copy one of these into a page. A site with a Content-Security-Policy allows
      <code> ${view.origin}</code> in <code>script-src</code>; nothing else is needed.
    </p>
    ${snippet('A badge', snippets.badge)} ${snippet('A list of reviews', snippets.list)}
    ${snippet('A picture, where scripts do not run', snippets.picture)}
    <p><img src=${EMBED_PATHS.badge} alt="The badge as it is now" height=${BADGE_HEIGHT} /></p>
    <p>
      <code>data-count</code> is 1 to ${MAX_REVIEWS}, <code>data-theme</code> light or dark (what
      the reader prefers, where it is left out), <code>data-color</code> any colour of CSS for the
      stars.
    </p>
  </section>`;
}
