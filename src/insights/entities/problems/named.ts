// The named problems of each vertical: their labels, the words that tell them (named.json, and own.json for
// one vertical), and how a negative aspect leads to one (causes.json).

import { PatternSet } from '../../text/patterns.ts';
import { singular } from '../../text/terms.ts';
import { once } from '../../once.ts';
import { verticalOf } from '../../verticals/verticals.ts';
import causes from './causes.json' with { type: 'json' };
import named from './named.json' with { type: 'json' };
import ofVerticals from './own.json' with { type: 'json' };
import wording from './wording.json' with { type: 'json' };

/** A problem that words tell where one of its aspects is negative. */
export interface Clue {
  readonly problem: string;
  readonly aspects: ReadonlySet<string>;
}

/** The problems that a vertical has. */
export interface NamedProblems {
  readonly patterns: PatternSet<string>;
  /** What happened, told without an opinion. */
  readonly facts: PatternSet<string>;
  /** The vertical's own patterns, facts, and masks, which cancel what they cover (own.json). */
  readonly own: {
    readonly patterns: PatternSet<string>;
    readonly facts: PatternSet<string>;
    readonly masks: PatternSet<true>;
  };
  /** By adjective and noun: "cold coffee". */
  readonly pairs: ReadonlyMap<string, string>;
  readonly clues: PatternSet<Clue>;
  /** Whether its businesses quote a price before the work. */
  readonly hasQuotes: boolean;
  /** Whether they promise when they come and how long it takes. */
  readonly hasPromises: boolean;
  /** By aspect the problems that belong to it. */
  readonly ofAspect: ReadonlyMap<string, ReadonlySet<string>>;
  /** By aspect the problem that it means where no other one is found. */
  readonly otherwise: ReadonlyMap<string, string>;
}

interface Rules {
  readonly hasQuotes: boolean;
  readonly same: Readonly<Record<string, string>>;
  readonly none: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly otherwise: Readonly<Record<string, string>>;
}

interface OwnRules {
  readonly masks: readonly string[];
  readonly problems: readonly {
    readonly id: string;
    readonly patterns: readonly string[];
    readonly facts: readonly string[];
  }[];
}

const OWN = new Map<string, OwnRules>(Object.entries(ofVerticals.verticals));
const RULES = new Map<string, Rules>(Object.entries(causes.verticals));
const LABELS: ReadonlyMap<string, string> = new Map(
  named.problems.map(({ id, label }) => [id, label]),
);
const POOR = new Set(wording.poor.split(' '));

const COMPILED = new Map(
  [...RULES].map(([vertical, rules]) => [vertical, once(() => compile(vertical, rules))] as const),
);

/** @param vertical its id */
export function namedProblemsOf(vertical: string): NamedProblems {
  return (COMPILED.get(vertical) ?? COMPILED.get('general')!)();
}

function rulesOf(vertical: string): Rules {
  return RULES.get(vertical) ?? RULES.get('general')!;
}

/** The id by which a vertical knows a problem: late arrivals of an airline are delays. */
export function idOfProblem(id: string, vertical: string): string {
  return rulesOf(vertical).same[id] ?? id;
}

/** The label of a named problem; null for any other key. */
export function labelOfProblem(key: string, vertical: string): string | null {
  return rulesOf(vertical).labels[key] ?? LABELS.get(key) ?? null;
}

function compile(vertical: string, rules: Rules): NamedProblems {
  const unknown = new Set(rules.none);
  const own = named.problems.filter(({ id }) => !unknown.has(id));
  const ofAspect = new Map<string, Set<string>>();
  const leads = (aspect: string, problem: string) =>
    ofAspect.set(aspect, (ofAspect.get(aspect) ?? new Set()).add(problem));
  for (const [aspect, problem] of Object.entries(rules.otherwise)) leads(aspect, problem);
  const clues = causes.clues
    .filter(({ problem }) => !unknown.has(problem))
    .flatMap(({ problem, aspects, patterns }) => {
      const id = idOfProblem(problem, vertical);
      leads(aspects[0] as string, id);
      const clue: Clue = { problem: id, aspects: new Set(aspects) };
      return patterns.map((pattern) => [pattern.trim(), clue] as const);
    });
  const told = (of: (problem: (typeof own)[number]) => readonly string[]) =>
    new PatternSet(
      own.flatMap((problem) =>
        of(problem).map((pattern) => [pattern, idOfProblem(problem.id, vertical)] as const),
      ),
    );
  return {
    patterns: told(({ patterns }) => patterns),
    facts: told(({ facts = [] }) => facts),
    pairs: new Map(own.flatMap(({ id, pairs = [] }) => pairsOf(idOfProblem(id, vertical), pairs))),
    own: compileOwn(OWN.get(vertical) ?? { masks: [], problems: [] }),
    clues: new PatternSet(clues),
    hasQuotes: rules.hasQuotes,
    hasPromises: verticalOf(vertical).promises,
    ofAspect,
    otherwise: new Map(Object.entries(rules.otherwise)),
  };
}

function compileOwn({ masks, problems }: OwnRules): NamedProblems['own'] {
  const told = (kind: 'patterns' | 'facts') =>
    new PatternSet(
      problems.flatMap((problem) => problem[kind].map((pattern) => [pattern, problem.id] as const)),
    );
  return {
    patterns: told('patterns'),
    facts: told('facts'),
    masks: new PatternSet(masks.map((pattern) => [pattern, true] as const)),
  };
}

function pairsOf(
  id: string,
  pairs: readonly { readonly adjectives: string; readonly nouns: string }[],
): [string, string][] {
  return pairs.flatMap(({ adjectives, nouns }) =>
    adjectives
      .split(' ')
      .flatMap((adjective) =>
        nouns
          .split(' ')
          .map((noun): [string, string] => [
            `${adjective === 'POOR' || POOR.has(adjective) ? 'poor' : adjective} ${singular(noun)}`,
            id,
          ]),
      ),
  );
}
