// The home page: the business, its rating, what customers praise and criticise, and the trend.

import type { VNode } from 'preact';
import { contact } from './contact.ts';
import { bar, chart, sentimentBar, stars, table } from './components.ts';
import type { Page } from './layout.ts';
import { PAGE_PATHS, reviewLink, searchLink, SUBJECT_PATHS, subjectLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { businessJsonLd } from './structured-data.ts';
import { reviewList } from './review-card.ts';
import { verificationNote } from './verification-page.ts';
import { years } from './trend.ts';
import type { ShownReview, View } from './view.ts';
import {
  formatAggregate,
  formatCount,
  formatDate,
  formatShortList,
  formatNumber,
  formatRating,
  formatSource,
} from './format.ts';

const NEWEST_REVIEWS = 6;
const MAX_SUBJECTS = 8;
const MAX_ASPECTS = 4;
const MAX_QUESTIONS = 4;
/** Sources in the first sentence; the search form lists all. */
const MAX_SOURCES = 8;
/** The least number of reviews of the last twelve months for an average. */
const MIN_RECENT = 5;
/** An aspect with fewer opinions is neither a strength nor a weakness. */
const MIN_OPINIONS = 3;

export function homePage(view: View): Page {
  const { business, rating } = view;
  const reviews = newestReviews(view);
  return {
    status: 200,
    title: business.name,
    description: `${business.name}: ${formatAggregate(rating)}.`,
    canonical: PAGE_PATHS.home,
    jsonLd: [businessJsonLd(view, reviews)],
    main: html`<div class="home">
      ${hero(view)} ${summary(view)} ${aspects(view)} ${newest(view, reviews)} ${subjects(view)}
      ${questions(view)} ${years(view)}
    </div>`,
  };
}

function hero(view: View): VNode {
  const { business, rating } = view;
  const sources = Object.entries(rating.by_source)
    .toSorted(([, a], [, b]) => b.review_count - a.review_count)
    .map(([source]) => formatSource(source));
  const quoteId = view.insights('pull_quote_review_id');
  const quote = view.insights('pull_quote');
  return html`<section class="hero">
    <div>
      <p class="kicker">Verified reviews</p>
      <h1><bdi>${business.name}</bdi></h1>
      ${business.description === null ? null : html`<p class="lead" dir="auto">${business.description}</p>`}
      ${
        rating.rating_value === null
          ? html`<p class="lead">No verified review has been published yet.</p>`
          : html`<p class="score">
              <span class="figure">${formatRating(rating.rating_value)}</span>
              <span>
                ${stars(rating.rating_value)}
                <span class="of">
                  <a href=${PAGE_PATHS.reviews}
                    >${formatCount(rating.review_count, 'verified review')}</a
                  >
                  from ${formatShortList(sources, MAX_SOURCES)}
                </span>
              </span>
            </p>`
      }
      ${lately(view)} ${verificationNote()} ${contact(view)} ${view.isStatic ? null : finder()}
    </div>
    ${distribution(view)}
    ${
      quote === null || quoteId === null
        ? null
        : html`<figure class="quote">
            <blockquote dir="auto">${quote}</blockquote>
            <figcaption><a href=${reviewLink(quoteId)}>From this review</a></figcaption>
          </figure>`
    }
  </section>`;
}

/** The average of the last twelve months that have reviews, where it differs from that of all. */
function lately(view: View): Markup {
  const { monthly } = view.insights('temporal');
  const last = monthly.at(-1)?.month;
  if (last === undefined || view.rating.rating_value === null) return null;
  const yearBefore = `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`;
  const recent = monthly.filter(({ month }) => month > yearBefore);
  const count = recent.reduce((before, { review_count: reviews }) => before + reviews, 0);
  const sum = recent.reduce(
    (before, { review_count: reviews, average_rating: mean }) => before + reviews * (mean ?? 0),
    0,
  );
  const average = formatRating(sum / count);
  if (count < MIN_RECENT || average === formatRating(view.rating.rating_value)) return null;
  return html`<p class="aside">
    ${average} out of 5 stars in the last 12 months (${formatCount(count, 'review')}).
  </p>`;
}

function finder(): VNode {
  return html`<form class="find" action=${PAGE_PATHS.reviews} method="get" role="search">
    <label for="find">Search the reviews</label>
    <input id="find" type="search" name="words" maxlength="200" autocomplete="off" />
    <button type="submit">Search</button>
  </form>`;
}

function distribution({ rating, isStatic }: View): Markup {
  const { review_count: all, distribution: counts } = rating;
  if (all === 0) return null;
  return html`<ol class="distribution" aria-label="How many reviews give how many stars">
    ${(['5', '4', '3', '2', '1'] as const).map((star) => {
      const count = counts[star];
      const row = html`<span
          >${star}<span class="unseen"> ${star === '1' ? 'star' : 'stars'}:</span></span
        >
        ${bar(count / all)}
        <span>
          ${formatNumber(count)}<span class="unseen"> ${count === 1 ? 'review' : 'reviews'}</span>
        </span>`;
      if (isStatic) return html`<li><div>${row}</div></li>`;
      return html`<li><a href=${searchLink({ rating: Number(star) })}>${row}</a></li>`;
    })}
  </ol>`;
}

function aspects(view: View): Markup {
  const mentioned = view.insights('aspects').filter(({ mention_count: count }) => count > 0);
  if (mentioned.length === 0) return null;
  const list = (title: string, kind: 'positive' | 'negative') => {
    const of = kind === 'positive' ? 'positive_count' : 'negative_count';
    const other = kind === 'positive' ? 'negative_count' : 'positive_count';
    const best = mentioned
      .filter((aspect) => aspect[of] >= MIN_OPINIONS && aspect[of] > aspect[other])
      .toSorted((a, b) => b[of] - b[other] - (a[of] - a[other]))
      .slice(0, MAX_ASPECTS);
    if (best.length === 0) return null;
    return html`<div>
      <h3>${title}</h3>
      <ul class="plain figures">
        ${best.map(
          (aspect) =>
            html`<li>
              <a href=${view.sentimentLink('aspects', aspect.id, kind)}>${aspect.label}</a>
              <span class="aside"
                >${formatNumber(aspect[of])} of the ${formatNumber(aspect.mention_count)} who
                mention it</span
              >
              ${sentimentBar(aspect)}
            </li>`,
        )}
      </ul>
    </div>`;
  };
  return html`<section>
    <h2>What customers say</h2>
    <div class="columns">
      ${list('Most praised', 'positive')} ${list('Most complaints', 'negative')}
    </div>
    ${chart(
      view.snapshot,
      'aspects',
      'Reviews that praise each aspect (right) and that complain about it (left).',
      table(
        'Mentions of each aspect',
        [
          {
            label: 'Aspect',
            cell: ({ id, label }) => html`<a href=${subjectLink('aspects', id)}>${label}</a>`,
          },
          { label: 'Positive', isNumber: true, cell: (aspect) => aspect.positive_count },
          { label: 'Neutral', isNumber: true, cell: (aspect) => aspect.neutral_count },
          { label: 'Negative', isNumber: true, cell: (aspect) => aspect.negative_count },
        ],
        mentioned,
      ),
    )}
  </section>`;
}

function summary(view: View): Markup {
  const [first, ...others] = view.insights('summary').split('\n\n').filter(Boolean);
  if (first === undefined) return null;
  return html`<section>
    <h2>In short</h2>
    <p class="prose" dir="auto">${first}</p>
    <p>
      <a href=${PAGE_PATHS.summary}
        >${others.length > 0 ? 'The whole summary, with its evidence' : 'The evidence'}</a
      >
    </p>
  </section>`;
}

function subjects(view: View): Markup {
  const list = (
    title: string,
    kind: 'technicians' | 'services' | 'service_areas' | 'problems' | 'topics',
    all: string,
  ) => {
    const named = view.subjects(kind);
    if (named.length === 0) return null;
    return html`<div>
      <h3>${title}</h3>
      <ol class="plain named">
        ${named.slice(0, MAX_SUBJECTS).map(
          ({ id, name, mentionCount }) =>
            html`<li>
              <a href=${subjectLink(kind, id)}><bdi>${name}</bdi></a>
              <span class="aside">${formatCount(mentionCount, 'review')}</span>
            </li>`,
        )}
      </ol>
      ${named.length > MAX_SUBJECTS ? html`<p><a href=${SUBJECT_PATHS[kind]}>${all}</a></p>` : null}
    </div>`;
  };
  const lists = [
    list('People', 'technicians', 'All people'),
    list('Services', 'services', 'All services'),
    list('Topics', 'topics', 'All topics'),
    list('Complaints', 'problems', 'All complaints'),
    list('Places', 'service_areas', 'All places'),
  ].filter((entry) => entry !== null);
  if (lists.length === 0) return null;
  return html`<section>
    <h2>People, services and places</h2>
    <div class="columns">${lists}</div>
  </section>`;
}

function questions(view: View): Markup {
  const faq = view.insights('faq');
  if (faq.length === 0) return null;
  return html`<section>
    <h2>Questions people ask</h2>
    <dl class="faq">
      ${faq.slice(0, MAX_QUESTIONS).map(
        ({ question, answer }) =>
          html`<div>
            <dt dir="auto">${question}</dt>
            <dd dir="auto">${answer}</dd>
          </div>`,
      )}
    </dl>
    <p><a href=${PAGE_PATHS.faq}>All questions, with the reviews behind each answer</a></p>
  </section>`;
}

function newestReviews(view: View): ShownReview[] {
  const count = Math.min(NEWEST_REVIEWS, view.snapshot.reviewCount);
  return view.reviewsAt(Array.from({ length: count }, (_, position) => position));
}

function newest(view: View, reviews: readonly ShownReview[]): Markup {
  if (reviews.length === 0) return null;
  const { latest } = view.insights('date_range');
  return html`<section>
    <h2>Newest reviews</h2>
    ${latest === null ? null : html`<p class="aside">The newest is from ${formatDate(latest)}.</p>`}
    ${reviewList(reviews, view)}
    <p><a class="button" href=${PAGE_PATHS.reviews}>All reviews</a></p>
  </section>`;
}
