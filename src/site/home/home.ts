// The home page: the business, its rating, what customers praise and criticise, and the trend.

import { comparedWithPast } from '../insights/over-time.ts';
import type { VNode } from 'preact';
import { dateBefore } from '../../model/date.ts';
import { commandName } from '../../model/command-name.ts';
import { isLocalOrigin } from '../../model/origin.ts';
import { shownMean } from '../../model/rating.ts';
import { HOME_SECTIONS, type HomeSection } from '../../model/site-look.ts';
import { contact } from './contact.ts';
import { hasMarkup, opinions } from './aspect-opinions.ts';
import { bar, chart, namedList, searchField, stars, table } from '../parts/components.ts';
import { answersOf, summaryOf } from '../insights/facts.ts';
import { bothSides } from '../insights/quotes.ts';
import { complaintsOf } from '../insights/troubles.ts';
import { reviewsSection, selectReviews, shownReviews } from './reviews.ts';
import type { Page } from '../parts/layout.ts';
import { PAGE_PATHS, reviewLink, searchLink, SUBJECT_PATHS, subjectLink } from '../parts/links.ts';
import { html, type Markup } from '../parts/markup.ts';
import { businessJsonLd } from '../parts/structured-data.ts';
import { branchList, partMeans, ratedValues } from '../reviews/review-parts.ts';
import { describeReplies } from '../../snapshot/replies.ts';
import { verificationNote } from '../proof/verification-page.ts';
import type { View } from '../view.ts';

/** Of few reviews, nothing can be said but what they say. */
const SMALL_SECTIONS = ['newest'] as const satisfies readonly HomeSection[];
const MAX_SUBJECTS = 5;
/** By the style sheet. */
const SHOWN_ON_PHONES = 3;
const MAX_QUESTIONS = 4;
/** The least stars of a quote of honour. */
const HONOURED = 4;
/** The least number of reviews of the last twelve months for an average. */
const MIN_RECENT = 5;
/** Not that of a title or an initial. */
const SENTENCE_END = /(?<=[.!?])(?<!\b(?:\p{L}|Dr|Dra|Prof|St|Mr|Mrs|Ms|Sr|Sra|Mme|Hr|Fr)\.) /u;
/** Less is no trend. */
const FEWEST_MONTHS = 6;
const FEWEST_REVIEWS = 10;

export function homePage(view: View): Page {
  const { business, rating, header } = view;
  const reviews = selectReviews(view);
  const sections: Readonly<Record<HomeSection, () => Markup>> = {
    summary: () => summary(view),
    aspects: () => opinions(view),
    newest: () => reviewsSection(view, reviews),
    subjects: () => subjects(view),
    questions: () => questions(view),
    years: () => years(view),
  };
  const shown = business.site?.sections ?? (view.isSmall ? SMALL_SECTIONS : HOME_SECTIONS);
  const beside = shown[0] === 'summary' || view.isSmall ? shown.slice(0, 1) : [];
  const render = (name: HomeSection) => sections[name]();
  return {
    title: business.name,
    description: `${business.name}${view.strings.colon}${view.strings.aggregate(shownMean(rating), rating.review_count)}.`,
    canonical: PAGE_PATHS.home,
    jsonLd: [businessJsonLd(view, shownReviews(reviews))],
    main: html`<div class="home">
      ${header === null ? null : html`<img class="banner" src=${header.url} width=${header.width} height=${header.height} alt="" fetchpriority="high" />`}
      ${hero(view, beside.map(render))} ${partMeans(view)} ${branchList(view)}
      ${shown.slice(beside.length).map(render)}
    </div>`,
  };
}

/** The score beside the contact, and what is told below the score. */
function hero(view: View, told: readonly Markup[]): VNode {
  const { business, rating, strings, format } = view;
  const { latest } = view.insights('date_range');
  const newest = latest && strings.home.newestOf(latest.slice(0, 7));
  const recently = [lately(view), newest, describeReplies(view.snapshot, view.strings)]
    .filter((each) => each !== null)
    .join(' ');
  const mean = shownMean(rating);
  const hidden = isLocalOrigin(view.origin) ? view.snapshot.hiddenCount : 0;
  const noReviews =
    hidden > 0 ? strings.home.hidden(hidden, `${commandName()} show`) : strings.home.noReviews;
  return html`<section class="hero">
    <div>
      <h1><bdi>${business.name}</bdi></h1>
      ${
        mean === null
          ? html`<p class="lead">${noReviews}</p>`
          : html`<div class="spread">
              <p class="score">
                <span class="figure">${format.mean(mean)}</span> ${stars(view, mean)}
              </p>
              ${distribution(view)}
              <p class="of">
                <a href=${PAGE_PATHS.reviews}>${strings.verified(rating.review_count)}</a>.
                ${recently} ${verificationNote(view)}
              </p>
            </div>`
      }
      ${view.isStatic || view.isSmall ? null : searchField(view)}
      ${view.isSmall ? null : quote(view)}
    </div>
    <div class="beside">
      <div class="card">
        ${business.description === null ? null : html`<p class="lead" dir="auto">${business.description}</p>`}
        ${contact(view)}
      </div>
    </div>
    ${told}
  </section>`;
}

/** What one review says, with its stars, author and month: never a complaint. */
function quote(view: View): Markup {
  const words = view.insights('pull_quote');
  const [from] = view.reviewsOf([view.insights('pull_quote_review_id') ?? '']);
  if (words === null || from === undefined) return null;
  const { id, author, date, rating, text } = from.review;
  const lang = from.language === 'und' ? null : from.language;
  if (rating < HONOURED || hasMarkup(text ?? '')) return null;
  return html`<figure class="quote">
    <blockquote dir="auto" lang=${lang}>${words}</blockquote>
    <figcaption>
      ${stars(view, rating)} <a href=${reviewLink(id)}><bdi>${author}</bdi></a
      >, ${view.format.month(date.slice(0, 7))}
    </figcaption>
  </figure>`;
}

/** The average of the twelve months up to the newest review, where it differs from that of all. */
function lately(view: View): string | null {
  const { comparison } = view.insights('temporal');
  const until = view.insights('date_range').latest;
  const mean = shownMean(view.rating);
  if (comparison?.months !== 12 || until === null || mean === null) return null;
  const { average_rating: recent, review_count: count } = comparison.recent;
  if (count < MIN_RECENT || view.format.mean(recent) === view.format.mean(mean)) return null;
  return view.strings.home.lately(recent, count, until.slice(0, 7));
}

function distribution({ rating, isStatic, strings, format }: View): Markup {
  const texts = strings.home;
  const { review_count: all, distribution: counts } = rating;
  if (all === 0) return null;
  return html`<ol class="distribution" aria-label=${texts.distribution}>
    ${(['5', '4', '3', '2', '1'] as const).map((star) => {
      const count = counts[star];
      const row = html`<span
          >${star}<span class="unseen"> ${texts.starsWord(Number(star))}</span></span
        >
        ${bar(count / all)}
        <span>
          ${format.number(count)}<span class="unseen"> ${texts.reviewsWord(count)}</span>
        </span>`;
      if (isStatic) return html`<li><div>${row}</div></li>`;
      return html`<li><a href=${searchLink({ rating: Number(star) })}>${row}</a></li>`;
    })}
  </ol>`;
}

function summary(view: View): Markup {
  // The page begins with the score, which the opening of the summary tells too.
  const [opening, ...others] = summaryOf(view);
  if (opening === undefined) return null;
  // The first sentences of the paragraphs that tell strengths, weak spots, whom to ask for and what has changed.
  const sentences = view.insights('summary_sentences');
  const [person] = view.insights('selection').people;
  const name = view.subject('technicians', person?.id ?? '')?.name;
  const asked = others.findLast((paragraph) => name && paragraph.includes(name));
  const told = [...new Set([others[0], others[1], asked, others.at(-1)])]
    .filter((paragraph) => paragraph !== undefined)
    .map((paragraph) =>
      withoutQuote(
        sentences.find(({ text }) => paragraph.startsWith(text))?.text ??
          (paragraph === others.at(-1) ? paragraph : (paragraph.split(SENTENCE_END, 1)[0] ?? '')),
      ),
    );
  return html`<section>
    <h2>${view.strings.home.inShort}</h2>
    <p class="prose" dir="auto">${told.length === 0 ? opening : told.join(' ')}</p>
    <p>
      <a href=${PAGE_PATHS.summary}>${view.strings.home.evidence}</a>
    </p>
  </section>`;
}

/** A sentence without the words of a customer that end it: reviews are on the page themselves. */
function withoutQuote(text: string): string {
  const [claim = '', ...quoted] = text.split('“');
  if (quoted.length === 0) return text;
  const end = claim.lastIndexOf('. ');
  return end > 0 ? claim.slice(0, end + 1) : claim.trimEnd().replace(/:$/, '.');
}

function subjects(view: View): Markup {
  const { strings, business } = view;
  const former = new Set(business.technicians.filter(({ active }) => !active).map(({ id }) => id));
  const list = (
    title: string,
    kind: 'technicians' | 'services' | 'service_areas' | 'problems' | 'topics',
  ) => {
    const all = kind === 'problems' ? complaintsOf(view) : view.listedSubjects(kind);
    const named = all.filter(({ id }) => kind !== 'technicians' || !former.has(id));
    if (named.length === 0) return null;
    const content = html`${namedList(named.slice(0, MAX_SUBJECTS).map(({ list: own, id, name, mentionCount }) => [subjectLink(own, id), name, strings.reviews(mentionCount)]))}
    ${named.length > SHOWN_ON_PHONES ? html`<p><a href=${SUBJECT_PATHS[kind]}>${strings.home.all[kind]}</a></p>` : null}`;
    return html`<div>
      <h3>${title}</h3>
      ${content}
    </div>`;
  };
  const lists = [
    ...ratedValues(view),
    list(strings.people, 'technicians'),
    list(strings.services, 'services'),
    list(strings.topics, 'topics'),
    list(strings.complaints, 'problems'),
    list(strings.places, 'service_areas'),
  ].filter((entry) => entry !== null);
  if (lists.length === 0) return null;
  return html`<section>
    <h2>${strings.home.subjects}</h2>
    <div class="columns">${lists}</div>
  </section>`;
}

function questions(view: View): Markup {
  const faq = answersOf(view);
  if (faq.length === 0) return null;
  return html`<section>
    <h2>${view.strings.home.questions}</h2>
    <dl class="faq">
      ${faq.slice(0, MAX_QUESTIONS).map(
        ({ question, answer, quotes = [] }) =>
          html`<div>
            <dt dir="auto">${question}</dt>
            <dd dir="auto">${answer}${bothSides(view, quotes)}</dd>
          </div>`,
      )}
    </dl>
    <p><a href=${PAGE_PATHS.faq}>${view.strings.home.allQuestions}</a></p>
  </section>`;
}

/** Null if there are too few months or reviews. */
function years(view: View): Markup {
  const { monthly } = view.insights('temporal');
  const compared = comparedWithPast(view, monthly.at(-1)?.month ?? '');
  const first = monthly[0];
  const last = monthly.at(-1);
  if (!first || !last || monthly.length < 3) return null;
  const isShort = (dateBefore(`${last.month}-01`, `${FEWEST_MONTHS - 1}m`) ?? '') < first.month;
  if (isShort || view.rating.review_count < FEWEST_REVIEWS) return null;
  const texts = view.strings.trend;
  return html`<section>
    <h2>${texts.title}</h2>
    ${compared === null ? null : html`<p class="lead">${compared}</p>`}
    ${chart(
      view,
      'ratings',
      texts.ratings(first.month, last.month),
      table(
        view,
        texts.table,
        [
          { label: texts.month, cell: ({ month }) => view.format.month(month) },
          { label: texts.reviews, isNumber: true, cell: (month) => month.review_count },
          {
            label: texts.averageStars,
            isNumber: true,
            cell: ({ average_rating: mean }) =>
              mean === null ? null : view.format.exactMean(mean),
          },
        ],
        monthly.toReversed(),
      ),
    )}
  </section>`;
}
