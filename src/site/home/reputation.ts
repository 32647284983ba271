// The score at each source, on the first page.

import { formatSource } from '../parts/format.ts';
import { safeLink, searchLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

const MAX_SOURCES = 6;

/** The mean at each source with its number of reviews, and a link to the business there. */
export function sources(view: View): Markup {
  const { rating, format, strings, language, isStatic } = view;
  const shown = Object.entries(rating.by_source)
    .toSorted(([, a], [, b]) => b.review_count - a.review_count)
    .slice(0, MAX_SOURCES);
  if (shown.length === 0) return null;
  return html`<ul class="plain sources">
    ${shown.map(([source, { rating_value: mean, review_count: count }]) => {
      const name = formatSource(language, source);
      const there = profileAt(view, source);
      const reviews = strings.reviews(count);
      return html`<li>
        <span
          >${
            there === null
              ? html`<bdi>${name}</bdi>`
              : html`<a href=${there} rel="noopener"><bdi>${name}</bdi></a>`
          }</span
        >
        <span>${mean === null ? null : html`<strong>${format.mean(mean)}</strong>`}</span>
        <span class="aside">
          ${isStatic ? reviews : html`<a href=${searchLink({ source })}>${reviews}</a>`}
        </span>
      </li>`;
    })}
  </ul>`;
}

/** The profile of the business at a source: an address of `same_as` whose host has the name of the source. */
function profileAt({ business }: View, source: string): string | null {
  const name = source.replaceAll(/[^a-z0-9]/g, '');
  if (name.length < 3) return null;
  const found = business.same_as.find((url) => URL.parse(url)?.hostname.split('.').includes(name));
  return safeLink(found ?? null);
}
