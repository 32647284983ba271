// Structured data of pages: schema.org objects as JSON-LD. An object contains only what its page shows;
// a branch of the business, what the page of the branch shows.
// It does not hide that the reviews are on the site of the reviewed business: docs/pages.md says what
// search engines do about that.

import { businessPicture } from '../pictures/share-picture.ts';
import { ofVertical } from '../../model/verticals.ts';
import { type Business, WEEK, weekdayOf } from '../../model/business.ts';
import type { ReviewJson } from '../../model/review.ts';
import { partLabel } from '../../model/review-parts.ts';
import { answersOf } from '../insights/facts.ts';
import { locationLink, PAGE_PATHS, reviewLink, safeLink } from './links.ts';
import schemaTypes from './schema-types.json' with { type: 'json' };
import { listedText, splitText } from '../reviews/review-text.ts';
import type { Branch, ShownReview, View } from '../view.ts';

/** An object of the schema.org vocabulary. */
type JsonLd = Readonly<Record<string, unknown>>;

const CONTEXT = 'https://schema.org';

/** The business with its aggregate rating and the reviews that the page shows. */
export function businessJsonLd(view: View, shown: readonly ShownReview[]): JsonLd {
  const { business } = view;
  return compact({
    ...ratedBusinessJsonLd(view),
    legalName: business.legal_name,
    description: business.description,
    telephone: business.telephone,
    email: business.email,
    geo: business.geo && { '@type': 'GeoCoordinates', ...business.geo },
    openingHoursSpecification: hoursOf(business),
    areaServed: business.service_areas,
    sameAs: business.same_as,
    logo: safeLink(business.logo_url),
    department: view.branches.map((branch) => branchOf(view, branch)),
    review: shown.map((one) => reviewOf(view, one, listedText)),
  });
}

/** The business with its aggregate rating alone, for pages that embed it. */
export function ratedBusinessJsonLd(view: View): JsonLd {
  return compact({
    '@context': CONTEXT,
    ...identityOf(view),
    aggregateRating: aggregateOf(view.rating.rating_value, view.rating.review_count),
  });
}

/** A branch with its aggregate rating and the reviews that the page shows. */
export function branchJsonLd(view: View, branch: Branch, shown: readonly ShownReview[]): JsonLd {
  return compact({
    '@context': CONTEXT,
    ...branchOf(view, branch),
    openingHoursSpecification: hoursOf(branch),
    geo: branch.geo && { '@type': 'GeoCoordinates', ...branch.geo },
    parentOrganization: identityOf(view),
    review: shown.map((one) => reviewOf(view, one, listedText)),
  });
}

function branchOf(view: View, branch: Branch): JsonLd {
  const url = view.origin + locationLink(branch.id);
  return compact({
    '@type': typeOf(view),
    '@id': `${url}#location`,
    name: `${view.business.name}, ${branch.name}`,
    url,
    telephone: branch.telephone,
    address: addressOf(branch),
    aggregateRating: aggregateOf(branch.average_rating, branch.review_count),
  });
}

/** One review with the reviewed business. */
export function reviewJsonLd(view: View, shown: ShownReview): JsonLd {
  return compact({
    '@context': CONTEXT,
    ...reviewOf(view, shown),
    itemReviewed: identityOf(view),
  });
}

/** The questions and answers as a FAQPage. */
export function faqJsonLd(view: View): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: answersOf(view).map(({ question, answer }) => ({
      '@type': 'Question',
      name: question.toWellFormed(),
      acceptedAnswer: { '@type': 'Answer', text: answer.toWellFormed() },
    })),
  };
}

/** The breadcrumbs of a page, starting at the home page. */
export function breadcrumbJsonLd(
  view: View,
  steps: readonly (readonly [name: string, path: string])[],
): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: [[view.business.name, PAGE_PATHS.home] as const, ...steps].map(
      ([name, path], index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: name.toWellFormed(),
        item: view.origin + path,
      }),
    ),
  };
}

function typeOf({ business }: View): string {
  return ofVertical(schemaTypes, business.vertical) ?? 'LocalBusiness';
}

/** The members that identify the business, the same on every page. */
function identityOf(view: View): JsonLd {
  const { business, origin } = view;
  return compact({
    '@type': typeOf(view),
    '@id': `${origin}/#business`,
    name: business.name,
    url: safeLink(business.url) ?? origin + PAGE_PATHS.home,
    image: view.origin + businessPicture(view),
    address: addressOf(business),
  });
}

function addressOf({ address }: Pick<Business, 'address'>): JsonLd | null {
  return (
    address &&
    compact({
      '@type': 'PostalAddress',
      streetAddress: address.street,
      addressLocality: address.city,
      addressRegion: address.region,
      postalCode: address.postal_code,
      addressCountry: address.country,
    })
  );
}

/** Opening hours. Entries with anything but weekday names or their first three letters are omitted. */
function hoursOf({ hours }: Pick<Business, 'hours'>): JsonLd[] {
  return hours.flatMap(({ days, opens, closes }) => {
    const known = days.flatMap((text) => WEEK[weekdayOf(text) ?? WEEK.length] ?? []);
    if (known.length < days.length) return [];
    return [{ '@type': 'OpeningHoursSpecification', dayOfWeek: known, opens, closes }];
  });
}

function aggregateOf(ratingValue: number | null, reviewCount: number): JsonLd | null {
  if (ratingValue === null) return null;
  return { '@type': 'AggregateRating', ratingValue, reviewCount, bestRating: 5, worstRating: 1 };
}

function reviewOf(
  view: View,
  shown: ShownReview,
  shorten: (text: string) => string = (text) => text,
): JsonLd {
  const { review, language } = shown;
  const { title, rest } = splitText(shown);
  return compact({
    '@type': 'Review',
    '@id': view.origin + reviewLink(review.id),
    url: view.origin + reviewLink(review.id),
    author: { '@type': 'Person', name: review.author },
    datePublished: review.date,
    name: title,
    reviewBody: rest && shorten(rest),
    inLanguage: language === 'und' ? null : language,
    reviewRating: ratingsOf(review),
    isBasedOn: safeLink(review.source_url),
  });
}

/** The stars, and the part scores as ratings of an aspect. */
function ratingsOf({ rating, ratings = {} }: ReviewJson): JsonLd | JsonLd[] {
  const ratingOf = (ratingValue: number) => ({
    '@type': 'Rating',
    ratingValue,
    bestRating: 5,
    worstRating: 1,
  });
  const parts = Object.entries(ratings).map(([name, stars]) => ({
    ...ratingOf(stars),
    reviewAspect: partLabel(name),
  }));
  return parts.length === 0 ? ratingOf(rating) : [ratingOf(rating), ...parts];
}

/** Removes empty members, and lone surrogates, which are invalid in JSON. */
function compact(record: JsonLd): JsonLd {
  const members = Object.entries(record).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return [[name, wellFormed(value)]];
  });
  return Object.fromEntries(members);
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, wellFormed(member)]),
  );
}
