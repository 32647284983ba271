// The newest reviews as JSON Feed 1.1 and as Atom (RFC 4287). Many feed readers treat every text as
// HTML, so texts of reviewers are published as escaped HTML.

import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import type { Business } from '../model/business.ts';
import type { FeedItem } from '../model/feed.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { ulidToUuid } from '../model/ulid.ts';
import { fillPath, ROUTES } from '../model/routes.ts';
import { escapeContent, toXmlCharacters } from '../model/xml.ts';
import type { Language } from '../strings/language.ts';

/** The number of reviews in a feed. */
export const FEED_LENGTH = 50;

type FeedReview = Omit<Review, 'location' | 'attributes' | 'ratings' | 'verification'>;

export interface FeedInput {
  /** Base URL without a trailing slash. */
  readonly origin: string;
  readonly business: Business;
  readonly insights: Pick<Insights, 'per_review' | 'entities'>;
  /** The language of the fixed words. */
  readonly language: Language;
  /** Newest first. */
  readonly reviews: readonly FeedReview[];
  /** When reviews were last edited, in ISO 8601 by id. */
  readonly editedAt: ReadonlyMap<string, string>;
  /** If the feeds are those of a branch, with the paths of its Atom feed and JSON Feed. They are no topics of the hub. */
  readonly branch?: { readonly id: string; readonly feeds: readonly [atom: string, json: string] };
}

/** Renders the JSON Feed; `updated` is not part of the format. */
export function renderJsonFeed(input: FeedInput): Buffer {
  const { origin, business, language, reviews, branch } = input;
  const logo = logoOf(business);
  const feed = generateJsonFeed({
    title: titleOf(input),
    language: language.tag,
    home_page_url: homeUrl(input),
    feed_url: origin + (branch?.feeds[1] ?? ROUTES.getJsonFeed.path),
    description: descriptionOf(input),
    ...(logo === null ? {} : { icon: logo }),
    favicon: origin + ROUTES.getFavicon.path,
    // Feed readers show the authors of a feed beside those of its items.
    ...(reviews.length > 0
      ? {}
      : { authors: [{ name: business.name, ...(business.url ? { url: business.url } : {}) }] }),
    ...(branch
      ? {}
      : { hubs: [{ type: 'WebSub', url: origin + ROUTES.requestSubscription.path }] }),
    items: [],
  });
  const items = reviews.slice(0, FEED_LENGTH).map((review): FeedItem => ({
    id: review.id,
    url: pageUrl(origin, review),
    ...(review.sourceUrl === null ? {} : { external_url: review.sourceUrl }),
    title: headline(language, review),
    content_text: contentOf(language, review),
    content_html: contentHtmlOf(language, review),
    date_published: timeOfDate(review.date),
    date_modified: lastTime(review, input),
    authors: [
      {
        name: review.author,
        ...(review.authorAvatarUrl === null ? {} : { avatar: review.authorAvatarUrl }),
      },
    ],
    tags: tagsOf(input, review),
  }));
  // The generator omits an empty list, but the format requires `items`.
  return Buffer.from(JSON.stringify({ ...(feed as object), items }));
}

/** Renders the Atom feed; `updated` is in seconds since 1970, null for the last date of a review or a reply. */
export function renderAtomFeed(input: FeedInput, updated: number | null): Buffer {
  const { origin, business, reviews, branch } = input;
  const [atom, json] = branch?.feeds ?? [ROUTES.getAtomFeed.path, ROUTES.getJsonFeed.path];
  const newest = reviews
    .map((review) => lastTime(review, input))
    .reduce((one, other) => (one > other ? one : other), timeOfDate('1970-01-01'));
  const logo = logoOf(business);
  const url = business.url ? { uri: xmlUrl(business.url) } : {};
  const xml = generateAtomFeed(
    {
      id: origin + atom,
      title: titleText(titleOf(input)),
      subtitle: titleText(descriptionOf(input)),
      updated: updated === null ? new Date(newest) : new Date(updated * 1000),
      // Feed readers may show the author of a feed instead of those of its entries.
      ...(reviews.length > 0 ? {} : { authors: [{ name: xmlText(business.name), ...url }] }),
      generator: { text: 'Public Reviews' },
      icon: origin + ROUTES.getFavicon.path,
      ...(logo === null ? {} : { logo: xmlText(logo) }),
      links: [
        // The only alternate: some feed readers use the first one, others the last, whatever its type.
        { rel: 'alternate', href: homeUrl(input), type: 'text/html' },
        { rel: 'self', href: origin + atom, type: 'application/atom+xml' },
        ...(branch ? [] : [{ rel: 'hub', href: origin + ROUTES.requestSubscription.path }]),
        { rel: 'related', href: origin + json, type: 'application/json' },
      ],
      entries: reviews.slice(0, FEED_LENGTH).map((review) => atomEntry(review, input)),
    },
    { strict: true },
  );
  // oxlint-disable-next-line no-control-regex -- see ESCAPES
  return Buffer.from(xml.replace(/[\u0001-\u0003]/g, (one) => ESCAPES[one.charCodeAt(0)] ?? one));
}

function atomEntry(review: FeedReview, input: FeedInput) {
  const { origin, language } = input;
  return {
    id: `urn:uuid:${ulidToUuid(review.id)}`,
    title: titleText(headline(language, review)),
    published: new Date(timeOfDate(review.date)),
    updated: new Date(lastTime(review, input)),
    authors: [{ name: xmlText(review.author) }],
    links: [
      { rel: 'alternate', href: pageUrl(origin, review), type: 'text/html' },
      {
        rel: 'related',
        href: origin + fillPath(ROUTES.getReview.path, review),
        type: 'application/json',
      },
      ...(review.sourceUrl === null ? [] : [{ rel: 'via', href: xmlUrl(review.sourceUrl) }]),
    ],
    categories: tagsOf(input, review).map((term) => ({ term: xmlText(term) })),
    content: { value: xmlText(contentHtmlOf(language, review)), type: 'html' as const },
  };
}

function titleOf({ business, language }: FeedInput): string {
  return language.strings.feeds.title(business.name);
}

function descriptionOf({ business, language }: FeedInput): string {
  return language.strings.feeds.description(business.name);
}

function homeUrl({ origin, branch }: FeedInput): string {
  return origin + (branch ? fillPath(ROUTES.showLocation.path, branch) : ROUTES.showHome.path);
}

function pageUrl(origin: string, review: FeedReview): string {
  return origin + fillPath(ROUTES.showReview.path, review);
}

/** Null if the URL is not http or https. */
function logoOf({ logo_url: logo }: Business): string | null {
  const url = logo === null ? null : URL.parse(logo);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

function headline({ strings }: Language, { rating, author, title }: FeedReview): string {
  const stars = strings.feeds.headline(strings.feeds.stars[rating] ?? '', author);
  return title ? `${stars}: ${title}` : stars;
}

function contentOf({ strings }: Language, review: FeedReview): string {
  const stars = `${strings.feeds.stars[review.rating]}.`;
  const words = review.text === null ? stars : `${stars}\n\n${review.text}`;
  return review.ownerReply === null
    ? words
    : `${words}\n\n${strings.feeds.reply} ${review.ownerReply.text}`;
}

/** The content in paragraphs, with the owner's reply as a quotation. */
function contentHtmlOf({ strings }: Language, { rating, text, ownerReply }: FeedReview): string {
  const stars = `<p>${strings.feeds.stars[rating]}.</p>`;
  const words = text === null ? '' : paragraphs(text);
  if (ownerReply === null) return stars + words;
  return `${stars}${words}<p>${strings.feeds.reply}</p><blockquote>${paragraphs(ownerReply.text)}</blockquote>`;
}

/** Paragraphs are separated by empty lines. */
function paragraphs(text: string): string {
  return toXmlCharacters(text)
    .replace(/\r\n?|[\u0085\u2028]/g, '\n')
    .split(/\n\s*\n|\u2029/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeContent(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

/** The stars, the source, and the mentioned services and technicians. */
function tagsOf({ insights, language }: FeedInput, review: FeedReview): string[] {
  const { technicians = [], services = [] } = insights.per_review[review.id] ?? {};
  const nameOf = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((entity) => entity.id === id)?.name ?? id;
  return [
    language.strings.stars(review.rating),
    review.source,
    ...services.map(({ id }) => nameOf(insights.entities.services, id)),
    ...technicians.map(({ id }) => nameOf(insights.entities.technicians, id)),
  ];
}

/** Of the review, its reply and its last edit. */
function lastTime({ id, date, ownerReply }: FeedReview, { editedAt }: FeedInput): string {
  const dates = [date, ownerReply?.date ?? date].map(timeOfDate);
  return [...dates, editedAt.get(id) ?? ''].toSorted().at(-1) as string;
}

function timeOfDate(date: string): string {
  return `${date}T00:00:00Z`;
}

/** A title: as text if readers who take everything for HTML, or for text, show the same; else as HTML, so that it is no element. */
function titleText(value: string) {
  return /<|&[#a-z]/i.test(value)
    ? { value: xmlText(escapeContent(value)), type: 'html' as const }
    : { value: xmlText(value), type: 'text' as const };
}

/** A URL with invalid characters escaped, including control characters. */
function xmlUrl(url: string): string {
  return xmlText(new URL(url).href);
}

/**
 * Escapes of XML. The generator would wrap such a text in CDATA and add line breaks to it. So it gets
 * U+0001 to U+0003 instead, which no text contains after `xmlText`.
 */
const ESCAPES = ['', '&amp;', '&lt;', '&gt;'];
const ESCAPED = ' &<>';

function xmlText(value: string): string {
  return toXmlCharacters(value).replace(/[&<>]/g, (character) =>
    String.fromCharCode(ESCAPED.indexOf(character)),
  );
}
