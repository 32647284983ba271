// Finds the technicians, services and service areas that a review mentions.

import type { Business } from '../../model/business.ts';
import type { Review } from '../../model/review.ts';
import type { Mood } from '../claims/claims.ts';
import type { FoundMention } from './merging.ts';
import type { NameCandidate } from './names/technicians.ts';
import { excerptOf } from '../text/excerpt.ts';
import { mergeMentions } from './merging.ts';
import { shortNamesOf } from './short-names.ts';
import { buildRoster } from './names/roster.ts';
import { findTechnicians, wordsOfName } from './names/technicians.ts';
import { CUES } from './names/word-lists.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { slugOf } from '../text/slug.ts';
import { buildTermFinder, type TermFinder, type TermMatch } from '../text/terms.ts';
import { verticalOf } from '../verticals/verticals.ts';
import { isElsewhere, isMeant, tellsWork } from './work.ts';

/** The technicians, services and service areas of the business, with all their spellings. */
export function catalogueOf(business: Business) {
  return {
    technicians: business.technicians.map(({ id, name, aliases }) => ({
      id,
      name,
      names: [name, ...aliases],
    })),
    services: business.services.map(({ id, label, aliases }) => ({
      id,
      name: label,
      names: [label, ...aliases],
      shortNames: shortNamesOf(
        label,
        business.services.flatMap((one) => (one.id === id ? [] : [one.label, ...one.aliases])),
      ),
    })),
    serviceAreas: [...Map.groupBy(business.service_areas, slugOf)].map(([id, names]) => ({
      id,
      name: names[0] as string,
      names,
    })),
  };
}

export interface EntitiesFound {
  readonly technicians: readonly FoundMention[];
  readonly services: readonly FoundMention[];
  readonly serviceAreas: readonly FoundMention[];
  /** Names outside the catalogue, which names/confirm.ts confirms or not. */
  readonly names: readonly NameCandidate[];
}

/** Aliases that are also everyday words: a pump "works well". */
const AMBIGUOUS = new Set(['well', 'heat', 'light', 'works', 'service', 'check', 'call']);

/** Finds the services in a text, in English or in another language. */
export function buildServiceFinder(
  business: Business,
  isForeign = false,
): TermFinder<AnnotatedText> {
  const { services } = catalogueOf(business);
  const labels = new Map(services.map(({ id, name }) => [id, name]));
  const options = { isName: false, ambiguous: AMBIGUOUS, findsShared: true, isForeign };
  const find = buildTermFinder(services, options);
  // Businesses that come to the customer are named by what they work on: "the boiler" alone is no service.
  const needsWork = !isForeign && verticalOf(business.vertical).namesByWork;
  return (annotated) =>
    find(annotated).filter(
      (match) =>
        (!needsWork || tellsWork(annotated, match)) &&
        isMeant(annotated, match, labels.get(match.id) ?? ''),
    );
}

export function buildEntityFinder(business: Business) {
  const catalogue = catalogueOf(business);
  const roster = buildRoster(business.technicians);
  const findServices = buildServiceFinder(business);
  const findAreas = buildTermFinder(catalogue.serviceAreas, { isName: true });
  const ownWords = wordsOfName(`${business.name} ${business.legal_name ?? ''}`).difference(
    new Set(business.technicians.flatMap(({ name }) => [...wordsOfName(name)])),
  );
  return (
    annotated: AnnotatedText,
    { author, rating }: Pick<Review, 'author' | 'rating'>,
    moodOf: Mood,
  ): EntitiesFound => {
    // "Mr. Larkin" is a person, not the town of Larkin.
    const isTitled = ({ from }: TermMatch) =>
      CUES.titles.has(annotated.tokens[from - 1]?.bare ?? '');
    const areas = findAreas(annotated).filter(
      (match) => !isTitled(match) && !isElsewhere(annotated, match),
    );
    const taken = new Uint8Array(annotated.tokens.length);
    for (const { from, to } of areas) taken.fill(1, from, to);
    const isTaken = (token: number) => taken[token] === 1;
    const context = { author, rating, vertical: business.vertical, ownWords, isTaken };
    const mentionsOf = (matches: readonly TermMatch[]) => {
      const seen = matches.map((match) => ({
        id: match.id,
        sentiment: moodOf(match),
        ...excerptOf(annotated, match.from, match.to),
      }));
      return mergeMentions(seen, rating);
    };
    return {
      ...findTechnicians(annotated, roster, context, moodOf),
      services: mentionsOf(findServices(annotated)),
      serviceAreas: mentionsOf(areas),
    };
  };
}
