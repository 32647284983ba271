// The newest reviews as JSON Feed 1.1 and as Atom (RFC 4287). Texts are those of strangers: they are
// published as plain text, never as markup.

import { generateAtomFeed, generateJsonFeed } from 'feedsmith';
import type { Business } from '../model/business.ts';
import type { FeedItem } from '../model/feed.ts';
import type { Insights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { ulidToUuid } from '../model/ulid.ts';
import { toXmlCharacters } from '../model/xml.ts';
import { HUB_PATH } from './documents.ts';

/** Reviews in a feed. */
export const FEED_LENGTH = 50;

const STARS_IN_WORDS = ['', 'One star', 'Two stars', 'Three stars', 'Four stars', 'Five stars'];

export interface FeedInput {
  /** Base URL without a trailing slash. */
  readonly origin: string;
  readonly business: Business;
  readonly insights: Insights;
  /** Newest first. */
  readonly reviews: readonly Review[];
}

/** Renders the JSON Feed; `updated` is not part of the format. */
export function renderJsonFeed({ origin, business, insights, reviews }: FeedInput): Buffer {
  const feed = generateJsonFeed({
    title: titleOf(business),
    home_page_url: business.url ?? origin,
    feed_url: `${origin}/api/feed.json`,
    description: descriptionOf(business),
    authors: [{ name: business.name, ...(business.url ? { url: business.url } : {}) }],
    hubs: [{ type: 'WebSub', url: origin + HUB_PATH }],
    items: [],
  });
  const items = reviews.slice(0, FEED_LENGTH).map((review): FeedItem => ({
    id: review.id,
    url: reviewUrl(origin, review),
    ...(review.sourceUrl === null ? {} : { external_url: review.sourceUrl }),
    title: headline(review),
    content_text: contentOf(review),
    date_published: timeOfDate(review.date),
    date_modified: timeOfDate(lastDate(review)),
    authors: [
      {
        name: review.author,
        ...(review.authorAvatarUrl === null ? {} : { avatar: review.authorAvatarUrl }),
      },
    ],
    tags: tagsOf(review, insights),
  }));
  // The generator leaves an empty list out, but `items` is required by the format.
  return Buffer.from(JSON.stringify({ ...(feed as object), items }));
}

/** Renders the Atom feed as of a time in seconds since 1970. */
export function renderAtomFeed(input: FeedInput, updated: number): Buffer {
  const { origin, business, insights, reviews } = input;
  const xml = generateAtomFeed(
    {
      id: `${origin}/feed.xml`,
      title: text(titleOf(business)),
      subtitle: text(descriptionOf(business)),
      updated: new Date(updated * 1000),
      authors: [
        { name: xmlText(business.name), ...(business.url ? { uri: xmlUrl(business.url) } : {}) },
      ],
      generator: { text: 'Public Reviews' },
      links: [
        { rel: 'self', href: `${origin}/feed.xml`, type: 'application/atom+xml' },
        { rel: 'hub', href: origin + HUB_PATH },
        { rel: 'alternate', href: `${origin}/api/feed.json`, type: 'application/json' },
      ],
      entries: reviews.slice(0, FEED_LENGTH).map((review) => ({
        id: `urn:uuid:${ulidToUuid(review.id)}`,
        title: text(headline(review)),
        published: new Date(timeOfDate(review.date)),
        updated: new Date(timeOfDate(lastDate(review))),
        authors: [{ name: xmlText(review.author) }],
        links: [
          { rel: 'alternate', href: reviewUrl(origin, review), type: 'application/json' },
          ...(review.sourceUrl === null ? [] : [{ rel: 'via', href: xmlUrl(review.sourceUrl) }]),
        ],
        categories: tagsOf(review, insights).map((term) => ({ term: xmlText(term) })),
        content: text(contentOf(review)),
      })),
    },
    { strict: true },
  );
  // oxlint-disable-next-line no-control-regex -- see ESCAPES
  return Buffer.from(xml.replace(/[\u0001-\u0003]/g, (one) => ESCAPES[one.charCodeAt(0)] ?? one));
}

function titleOf(business: Business): string {
  return `Reviews of ${business.name}`;
}

function descriptionOf(business: Business): string {
  return `The newest verified customer reviews of ${business.name}`;
}

function reviewUrl(origin: string, review: Review): string {
  return `${origin}/api/reviews/${review.id}`;
}

function headline(review: Review): string {
  return `${STARS_IN_WORDS[review.rating]} from ${review.author}`;
}

function contentOf(review: Review): string {
  const stars = `${STARS_IN_WORDS[review.rating]}.`;
  const words = review.text === null ? stars : `${stars}\n\n${review.text}`;
  return review.ownerReply === null
    ? words
    : `${words}\n\nReply of the owner: ${review.ownerReply.text}`;
}

/** The stars, the source, and the services and technicians that the review names. */
function tagsOf(review: Review, insights: Insights): string[] {
  const { technicians = [], services = [] } = insights.per_review[review.id] ?? {};
  const nameOf = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((entity) => entity.id === id)?.name ?? id;
  return [
    `${review.rating} ${review.rating === 1 ? 'star' : 'stars'}`,
    review.source,
    ...services.map(({ id }) => nameOf(insights.entities.services, id)),
    ...technicians.map(({ id }) => nameOf(insights.entities.technicians, id)),
  ];
}

function lastDate(review: Review): string {
  const reply = review.ownerReply?.date ?? review.date;
  return reply > review.date ? reply : review.date;
}

function timeOfDate(date: string): string {
  return `${date}T00:00:00Z`;
}

function text(value: string): { value: string; type: 'text' } {
  return { value: xmlText(value), type: 'text' };
}

/** A URL with everything escaped that a URL may not hold as it is, control characters included. */
function xmlUrl(url: string): string {
  return xmlText(new URL(url).href);
}

/**
 * What XML escapes. The generator would put such a text into CDATA, with line breaks around it that
 * belong to the text. So it is given U+0001 to U+0003 instead, which no text has after `xmlText`.
 */
const ESCAPES = ['', '&amp;', '&lt;', '&gt;'];
const ESCAPED = ' &<>';

function xmlText(value: string): string {
  return toXmlCharacters(value).replace(/[&<>]/g, (character) =>
    String.fromCharCode(ESCAPED.indexOf(character)),
  );
}
