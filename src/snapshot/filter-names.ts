// Resolves the names in a filter to what reviews mention. An unknown aspect, problem or topic is an error, because
// the lists of them are closed; a person, a service or a place may simply have no reviews yet.

import { type Issue, type Parsed, show } from '../errors.ts';
import { similarity, wordsOf } from '../model/closeness.ts';
import { ATTRIBUTE, parseFacets, type Resolved, type SearchFilter } from '../model/search.ts';
import { attributeField } from '../search/field-values.ts';
import { NAMED, PARAMETERS } from '../search/names.ts';
import type { MatchedAs } from './directory.ts';
import type { Snapshot } from './snapshot.ts';

type Kind = keyof typeof NAMED;

/** A filter whose names are ids. */
export interface ResolvedFilter {
  readonly filter: SearchFilter;
  /** The names that were not ids. */
  readonly resolved: readonly Resolved[];
  readonly near: readonly NearName[];
}

export interface NearName {
  readonly parameter: (typeof PARAMETERS)[Kind];
  readonly id: string;
  readonly name: string;
}

const CLOSED = ['aspect', 'problem', 'topic'] as const;
const OPEN: readonly Kind[] = ['technician', 'service', 'service_area'];
const MAX_NEAR = 10;
/** Names that share fewer letters are not told. */
const LEAST_SIMILARITY = 0.3;

/** Whether a name was matched by what it resembles, not by a name that something has. */
export function isGuess(matchedAs: MatchedAs | null): boolean {
  return matchedAs !== null && matchedAs.by !== 'alias';
}

export function resolveNames(snapshot: Snapshot, filter: SearchFilter): Parsed<ResolvedFilter> {
  const issues: Issue[] = [];
  const ids: Partial<Record<string, string>> = {};
  const resolved: Resolved[] = [];
  for (const kind of [...CLOSED, 'location'] as const) {
    const given = filter[kind];
    if (given === undefined) continue;
    const directory = kind === 'location' ? snapshot.locations : snapshot.directory(NAMED[kind]);
    const found = directory.find(given);
    if (found.one === null) {
      issues.push(issueOf(kind, given, found));
      continue;
    }
    const { id, label } = found.one;
    ids[kind] = id;
    if (id === given) continue;
    resolved.push({ parameter: kind, to: id, label, by: found.matchedAs?.by ?? 'label' });
  }
  issues.push(...partIssues(snapshot, filter));
  if (issues.length > 0) return { ok: false, issues };
  const near = OPEN.flatMap((kind) => nearNames(snapshot, kind, filter));
  return { ok: true, value: { filter: { ...filter, ...ids }, resolved, near } };
}

/** Values of an attribute that a message tells. */
const MAX_TOLD = 20;

/** Names of attributes and part scores, and values of attributes, that no review has. */
function partIssues(
  { fields }: Snapshot,
  { attributes = {}, min_ratings: minRatings = {}, facets = '' }: SearchFilter,
): Issue[] {
  const unknown = (path: string[], given: string, known: readonly string[], more = '') => ({
    code: 'unknown_value',
    path,
    message: `expected ${known.length === 0 ? `no ${path[0] === 'min_ratings' ? 'part score' : 'attribute'}, because no review has one` : `one of ${known.join(', ')}${more}`}, got ${show(given)}`,
  });
  const names = fields.attributeNames;
  const counted = parseFacets(facets).flatMap((facet) =>
    facet.startsWith(ATTRIBUTE) ? [facet.slice(ATTRIBUTE.length)] : [],
  );
  return [
    ...counted
      .filter((name) => !names.includes(name))
      .map((name) => unknown(['facets'], `${ATTRIBUTE}${name}`, names.map(attributeField))),
    ...Object.entries(attributes).flatMap(([name, values]) => {
      if (!names.includes(name)) return unknown(['attributes', name], name, names);
      const field = attributeField(name);
      const known = fields.commonest(field, MAX_TOLD).map(({ label }) => label);
      const more = fields.countOf(field) > MAX_TOLD ? ', ...' : '';
      return [values]
        .flat()
        .filter((value) => !fields.attribute(name, value))
        .map((value) => unknown(['attributes', name], value, known, more));
    }),
    ...Object.keys(minRatings).flatMap((name) =>
      fields.ratingNames.includes(name)
        ? []
        : unknown(['min_ratings', name], name, fields.ratingNames),
    ),
  ];
}

function issueOf(
  kind: (typeof CLOSED)[number] | 'location',
  given: string,
  { candidates, isNear }: { readonly candidates: readonly { id: string }[]; isNear: boolean },
): Issue {
  const ids = candidates.map(({ id }) => id).join(', ');
  const none = kind === 'location' ? 'the business lists none' : 'reviews mention none';
  const known = ids === '' ? `no ${kind}, because ${none}` : isNear ? `one of ${ids}` : null;
  return {
    code: isNear ? 'ambiguous_value' : 'unknown_value',
    path: [kind],
    message: `expected ${known ?? `a known ${kind} (${ids})`}, got ${show(given)}`,
  };
}

function nearNames(snapshot: Snapshot, kind: Kind, filter: SearchFilter): NearName[] {
  const parameter = PARAMETERS[kind];
  const given = filter[parameter];
  if (given === undefined || snapshot.isNamed(NAMED[kind], given)) return [];
  const found = snapshot.directory(NAMED[kind]).find(given);
  const isLike = ({ label }: { readonly label: string }) =>
    similarity(wordsOf(given), wordsOf(label)) >= LEAST_SIMILARITY;
  const similar = found.one ? [found.one] : found.candidates;
  const candidates = found.one === null && !found.isNear ? similar.filter(isLike) : similar;
  return candidates.slice(0, MAX_NEAR).map(({ id, label: name }) => ({ parameter, id, name }));
}
