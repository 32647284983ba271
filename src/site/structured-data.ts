// What pages say to machines about themselves: records of schema.org, as JSON-LD. A record holds what its
// page shows and nothing else. That reviews stand on the site of the business that they are about is said
// nowhere in another way than it is: docs/pages.md tells what search engines make of it.

import type { Business } from '../model/business.ts';
import type { ReviewJson } from '../model/review.ts';
import { PAGE_PATHS, reviewLink, safeLink } from './links.ts';
import { shownInLists } from './review-card.ts';
import type { ShownReview, View } from './view.ts';

/** Members by the names that the vocabulary has for them. */
export type JsonLd = Readonly<Record<string, unknown>>;

const CONTEXT = 'https://schema.org';

/** The exact type of a vertical, where its name leaves no doubt; any other is a LocalBusiness. */
const TYPES: Readonly<Record<string, string>> = {
  home_services: 'HomeAndConstructionBusiness',
  restaurants: 'FoodEstablishment',
};

const DAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** The business, with what all its reviews add up to and those that the page shows. */
export function businessJsonLd(view: View, shown: readonly ShownReview[]): JsonLd {
  const { business } = view;
  return compact({
    '@context': CONTEXT,
    ...identityOf(view),
    legalName: business.legal_name,
    description: business.description,
    telephone: business.telephone,
    email: business.email,
    geo: business.geo && { '@type': 'GeoCoordinates', ...business.geo },
    openingHoursSpecification: hoursOf(business),
    areaServed: business.service_areas,
    sameAs: business.same_as,
    logo: safeLink(business.logo_url),
    aggregateRating: aggregateOf(view),
    review: shown.map(({ review, language }) =>
      reviewOf(view, { ...review, text: review.text && shownInLists(review.text) }, language),
    ),
  });
}

/** One review, with the business that it is about. */
export function reviewJsonLd(view: View, { review, language }: ShownReview): JsonLd {
  return compact({
    '@context': CONTEXT,
    ...reviewOf(view, review, language),
    itemReviewed: identityOf(view),
  });
}

/** Questions with their answers. */
export function faqJsonLd(view: View): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: view.insights('faq').map(({ question, answer }) => ({
      '@type': 'Question',
      name: question.toWellFormed(),
      acceptedAnswer: { '@type': 'Answer', text: answer.toWellFormed() },
    })),
  };
}

/** Where a page stands: below the first page and those between. */
export function breadcrumbJsonLd(
  view: View,
  steps: readonly (readonly [name: string, path: string])[],
): JsonLd {
  return {
    '@context': CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: [[view.business.name, PAGE_PATHS.home] as const, ...steps].map(
      ([name, path], place) => ({
        '@type': 'ListItem',
        position: place + 1,
        name: name.toWellFormed(),
        item: view.origin + path,
      }),
    ),
  };
}

/** What every record of the business says, so that machines know them for the same. */
function identityOf(view: View): JsonLd {
  const { business, origin } = view;
  return compact({
    '@type': TYPES[business.vertical] ?? 'LocalBusiness',
    '@id': `${origin}/#business`,
    name: business.name,
    url: safeLink(business.url) ?? origin + PAGE_PATHS.home,
    image: view.pictureUrl,
    address: addressOf(business),
  });
}

function addressOf({ address }: Business): JsonLd | null {
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

/** Hours whose days are days of the week, in full or by their first letters. */
function hoursOf({ hours }: Business): JsonLd[] {
  return hours.flatMap(({ days, opens, closes }) => {
    const known = days.flatMap((text) => {
      const start = text.trim().toLowerCase();
      const day = DAYS.find((name) => name.toLowerCase() === start);
      const short = DAYS.find((name) => name.slice(0, 3).toLowerCase() === start);
      return day ?? short ?? [];
    });
    if (known.length < days.length) return [];
    return [{ '@type': 'OpeningHoursSpecification', dayOfWeek: known, opens, closes }];
  });
}

function aggregateOf({ rating }: View): JsonLd | null {
  if (rating.rating_value === null) return null;
  return {
    '@type': 'AggregateRating',
    ratingValue: rating.rating_value,
    reviewCount: rating.review_count,
    bestRating: rating.best_rating,
    worstRating: rating.worst_rating,
  };
}

function reviewOf(view: View, review: ReviewJson, language: string | null): JsonLd {
  return compact({
    '@type': 'Review',
    '@id': view.origin + reviewLink(review.id),
    url: view.origin + reviewLink(review.id),
    author: { '@type': 'Person', name: review.author },
    datePublished: review.date,
    reviewBody: review.text,
    inLanguage: language === 'und' ? null : language,
    reviewRating: {
      '@type': 'Rating',
      ratingValue: review.rating,
      bestRating: 5,
      worstRating: 1,
    },
    isBasedOn: safeLink(review.source_url),
  });
}

/** Without the members that say nothing, and without halves of characters, which JSON may not have. */
function compact(record: JsonLd): JsonLd {
  const said = Object.entries(record).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return [[name, wellFormed(value)]];
  });
  return Object.fromEntries(said);
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, wellFormed(member)]),
  );
}
