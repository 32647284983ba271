// Resolves the names in a filter to what reviews mention. An unknown aspect, problem or topic is an error, because
// the lists of them are closed; a person, a service or a place may simply have no reviews yet.

import { type Issue, type Parsed, show } from '../errors.ts';
import type { Resolved, SearchFilter } from '../model/search.ts';
import { NAMED, PARAMETERS } from '../search/names.ts';
import type { MatchedAs } from './directory.ts';
import type { Snapshot } from './snapshot.ts';

type Kind = keyof typeof NAMED;

/** A filter whose names are ids. */
export interface ResolvedFilter {
  readonly filter: SearchFilter;
  /** The names that were not ids. */
  readonly resolved: readonly Resolved[];
  /** Names near those that nothing has. */
  readonly near: readonly NearName[];
}

export interface NearName {
  readonly parameter: (typeof PARAMETERS)[Kind];
  readonly id: string;
  readonly name: string;
}

const CLOSED: readonly Kind[] = ['aspect', 'problem', 'topic'];
const OPEN: readonly Kind[] = ['technician', 'service', 'service_area'];
const MAX_NEAR = 10;

/** Whether a name was matched by what it resembles, not by a name that something has. */
export function isGuess(matchedAs: MatchedAs | null): boolean {
  return matchedAs !== null && matchedAs.by !== 'alias';
}

export function resolveNames(snapshot: Snapshot, filter: SearchFilter): Parsed<ResolvedFilter> {
  const issues: Issue[] = [];
  const ids: Partial<Record<string, string>> = {};
  const resolved: Resolved[] = [];
  for (const kind of CLOSED) {
    const given = filter[PARAMETERS[kind]];
    if (given === undefined) continue;
    const found = snapshot.directory(NAMED[kind]).find(given);
    if (found.one === null) {
      issues.push(issueOf(kind, given, found));
      continue;
    }
    const { id, label } = found.one;
    ids[kind] = id;
    if (id === given) continue;
    resolved.push({ parameter: kind, to: id, label, by: found.matchedAs?.by ?? 'label' });
  }
  if (issues.length > 0) return { ok: false, issues };
  const near = OPEN.flatMap((kind) => nearNames(snapshot, kind, filter));
  return { ok: true, value: { filter: { ...filter, ...ids }, resolved, near } };
}

function issueOf(
  kind: Kind,
  given: string,
  { candidates, isNear }: { readonly candidates: readonly { id: string }[]; isNear: boolean },
): Issue {
  const ids = candidates.map(({ id }) => id).join(', ');
  const known =
    ids === '' ? `no ${kind}, because reviews mention none` : isNear ? `one of ${ids}` : null;
  return {
    code: isNear ? 'ambiguous_value' : 'unknown_value',
    path: [PARAMETERS[kind]],
    message: `expected ${known ?? `a known ${kind} (${ids})`}, got ${show(given)}`,
  };
}

function nearNames(snapshot: Snapshot, kind: Kind, filter: SearchFilter): NearName[] {
  const parameter = PARAMETERS[kind];
  const given = filter[parameter];
  if (given === undefined || snapshot.isNamed(NAMED[kind], given)) return [];
  const found = snapshot.directory(NAMED[kind]).find(given);
  const candidates = found.one === null ? found.candidates : [found.one];
  return candidates.slice(0, MAX_NEAR).map(({ id, label: name }) => ({ parameter, id, name }));
}
