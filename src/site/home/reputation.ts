// Facts about the rating on the first page: the score at each source, and how the owner replies.

import { dayNumber } from '../../model/date.ts';
import { formatSource } from '../parts/format.ts';
import { safeLink, searchLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

const MAX_SOURCES = 6;
/** Newest replies by which the usual time is judged. */
const MAX_JUDGED = 100;
const MIN_REPLIES = 3;
/** The most stars of a critical review. */
export const CRITICAL = 2;

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

/** How many critical reviews have a reply, and within how many days half of the replies came; null if there are few. */
export function replies(view: View): string | null {
  const { snapshot, strings } = view;
  const { matched, positions } = snapshot.search({
    has_reply: true,
    max_rating: CRITICAL,
    sort: 'newest',
    limit: MAX_JUDGED,
  });
  if (matched < MIN_REPLIES) return null;
  const days = view
    .reviewsAt(positions)
    .flatMap(({ review: { date, owner_reply: reply } }) =>
      reply?.date ? [daysBetween(date, reply.date)] : [],
    )
    .toSorted((one, other) => one - other);
  if (days.length < MIN_REPLIES) return null;
  const usual = days[Math.ceil(days.length / 2) - 1] as number;
  const percent = Math.round(
    (matched / snapshot.search({ max_rating: CRITICAL, limit: 1 }).matched) * 100,
  );
  return strings.home.replies(Math.max(percent, 1), usual);
}

/** An edited review may be younger than its reply. */
function daysBetween(from: string, to: string): number {
  return Math.max(dayNumber(to) - dayNumber(from), 0);
}
