// The named problems of each vertical: their labels, and the words that tell them (named.json, causes.json, and
// own.json for one vertical).

import { forVerticals } from '../../../model/verticals.ts';
import { PatternSet } from '../../text/patterns.ts';
import { once } from '../../once.ts';
import causes from './causes.json' with { type: 'json' };
import named from './named.json' with { type: 'json' };
import ofVerticals from './own.json' with { type: 'json' };

/** Words that tell a problem. */
export interface ProblemPattern {
  /** Its id. */
  readonly problem: string;
  readonly kind: 'pattern' | 'fact' | 'clue';
}

export interface ProblemPatterns {
  readonly patterns: PatternSet<ProblemPattern>;
  readonly ids: readonly string[];
}

interface Rules {
  readonly same: Readonly<Record<string, string>>;
  readonly none: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

interface OwnProblem {
  readonly id: string;
  readonly patterns: readonly string[];
  readonly facts: readonly string[];
}

const OWN: Readonly<Record<string, readonly OwnProblem[]>> = ofVerticals.verticals;
const RULES: Readonly<Record<string, Rules>> = causes.verticals;
const rulesOf = forVerticals(RULES);
const LABELS: ReadonlyMap<string, string> = new Map(
  named.problems.map(({ id, label }) => [id, label]),
);

const COMPILED: Readonly<Record<string, () => ProblemPatterns>> = Object.fromEntries(
  Object.entries(RULES).map(([vertical, rules]) => [
    vertical,
    once(() => compile(vertical, rules)),
  ]),
);

const compiledFor = forVerticals(COMPILED);

/** @param vertical its id */
export function problemPatternsOf(vertical: string): ProblemPatterns {
  return compiledFor(vertical)();
}

/** The id by which a vertical knows a problem: late arrivals of an airline are delays. */
export function idOfProblem(id: string, vertical: string): string {
  return rulesOf(vertical).same[id] ?? id;
}

export function labelOfProblem(id: string, vertical: string): string | null {
  return rulesOf(vertical).labels[id] ?? LABELS.get(id) ?? null;
}

function compile(vertical: string, { none }: Rules): ProblemPatterns {
  const unknown = new Set(none);
  const patterns: [string, ProblemPattern][] = [];
  const add = (kind: ProblemPattern['kind'], problem: string, list: readonly string[]) => {
    // One object for all patterns of a problem, so that equal matches are identical.
    const value = { problem: idOfProblem(problem, vertical), kind };
    for (const pattern of list) patterns.push([pattern.trim(), value]);
  };
  for (const { id, patterns: own, facts = [] } of named.problems) {
    if (unknown.has(id)) continue;
    add('pattern', id, own);
    add('fact', id, facts);
  }
  for (const { problem, patterns: own } of causes.clues)
    if (!unknown.has(problem)) add('clue', problem, own);
  for (const { id, patterns: own, facts } of OWN[vertical] ?? []) {
    add('pattern', id, own);
    add('fact', id, facts);
  }
  const ids = named.problems.map(({ id }) => id).filter((id) => !unknown.has(id));
  return { patterns: new PatternSet(patterns), ids };
}
