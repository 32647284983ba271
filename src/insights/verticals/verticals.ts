// Verticals: what the reviews of a kind of business speak of, as data that an expert of the field can
// edit (verticals/*.json; docs/insights.md says how). Here they are checked, put together with the cues
// that they share, and compiled.

import { z } from 'zod';
import money from './shared/money.json' with { type: 'json' };
import people from './shared/people.json' with { type: 'json' };
import time from './shared/time.json' with { type: 'json' };
import work from './shared/work.json' with { type: 'json' };
import general from './general.json' with { type: 'json' };
import healthAndSeniorLiving from './health_and_senior_living.json' with { type: 'json' };
import homeServices from './home_services.json' with { type: 'json' };
import hospitalityAndTravel from './hospitality_and_travel.json' with { type: 'json' };
import legalAndProfessional from './legal_and_professional.json' with { type: 'json' };
import restaurants from './restaurants.json' with { type: 'json' };
import retailAndApps from './retail_and_apps.json' with { type: 'json' };
import { once } from '../once.ts';
import { PatternSet } from '../text/patterns.ts';

const patterns = z.array(z.string().min(1)).default([]);

/** Cues of an aspect, in the pattern language of patterns.ts. */
const cuesSchema = z.strictObject({
  /** Name the aspect: a mention, neutral without an opinion. */
  names: patterns,
  /** Name it only where an opinion stands close by. */
  weak: patterns,
  /** Name it only where praise stands close by: things that are often named for being broken. */
  praise: patterns,
  /** Say by themselves that it is good, bad, or neither. */
  positive: patterns,
  negative: patterns,
  neutral: patterns,
  /** Where these stand, no cue of the aspect is meant. */
  masks: patterns,
});

const id = z.string().regex(/^[a-z]+(?:_[a-z]+)*$/);

const aspectSchema = z.strictObject({
  id,
  label: z.string().min(1),
  /** Ids of shared cues that it takes over. */
  shares: z.array(id).default([]),
  ...cuesSchema.shape,
});

export const verticalSchema = z.strictObject({
  about: z.string(),
  id,
  label: z.string().min(1),
  /** What its people are called. */
  roles: z.array(z.string().min(1)).min(1),
  aspects: z.array(aspectSchema).min(1),
  topics: z
    .array(
      z.strictObject({ id, label: z.string().min(1), keywords: z.array(z.string().min(1)).min(1) }),
    )
    .default([]),
});

type Cues = z.infer<typeof cuesSchema>;
type VerticalFile = z.infer<typeof verticalSchema>;
export type CueKind = keyof Cues;

export interface Cue {
  readonly aspect: string;
  readonly kind: CueKind;
}

export interface Vertical {
  readonly id: string;
  readonly label: string;
  readonly roles: readonly string[];
  readonly aspects: readonly { readonly id: string; readonly label: string }[];
  readonly cues: PatternSet<Cue>;
  readonly topics: readonly {
    readonly id: string;
    readonly label: string;
    readonly keywords: readonly string[];
  }[];
  readonly topicCues: PatternSet<string>;
}

const KINDS: readonly CueKind[] = [
  'masks',
  'positive',
  'negative',
  'neutral',
  'names',
  'weak',
  'praise',
];

/** The cues that several verticals share, by id. */
export function parseShared(files: readonly unknown[]): Map<string, Cues> {
  const schema = z.record(id, z.union([z.string(), cuesSchema]));
  return new Map(
    files
      .flatMap((file) => Object.entries(schema.parse(file)))
      .flatMap(([name, cues]) => (typeof cues === 'string' ? [] : [[name, cues] as const])),
  );
}

/** Checks a vertical and compiles it. Throws with what is wrong with it. */
export function compileVertical(file: unknown, shared: ReadonlyMap<string, Cues>): Vertical {
  const vertical = verticalSchema.parse(file);
  return {
    id: vertical.id,
    label: vertical.label,
    roles: vertical.roles,
    aspects: vertical.aspects.map(({ id: aspect, label }) => ({ id: aspect, label })),
    cues: new PatternSet(vertical.aspects.flatMap((aspect) => cuesOf(aspect, shared))),
    topics: vertical.topics,
    topicCues: new PatternSet(
      vertical.topics.flatMap((topic) =>
        topic.keywords.map((keyword) => [keyword, topic.id] as const),
      ),
    ),
  };
}

function cuesOf(
  aspect: VerticalFile['aspects'][number],
  shared: ReadonlyMap<string, Cues>,
): (readonly [string, Cue])[] {
  const sources = aspect.shares.map((name) => {
    const cues = shared.get(name);
    if (!cues) throw new Error(`aspect ${aspect.id} shares ${name}, which no shared file has`);
    return cues;
  });
  return KINDS.flatMap((kind) => {
    // One object for all cues of a kind, so that equal matches are told by identity.
    const cue: Cue = { aspect: aspect.id, kind };
    return [...sources, aspect].flatMap((cues) =>
      cues[kind].map((pattern) => [pattern, cue] as const),
    );
  });
}

export const SHARED = parseShared([time, money, people, work]);
/** Every vertical that has a file, by its id. */
export const VERTICAL_FILES: ReadonlyMap<string, unknown> = new Map(
  [
    general,
    healthAndSeniorLiving,
    homeServices,
    hospitalityAndTravel,
    legalAndProfessional,
    restaurants,
    retailAndApps,
  ].map((file) => [file.id, file] as const),
);

/** Each is compiled when it is first asked for, and then the same for all. */
const COMPILED: ReadonlyMap<string, () => Vertical> = new Map(
  [...VERTICAL_FILES].map(([name, file]) => [name, once(() => compileVertical(file, SHARED))]),
);

/** The vertical of a business, compiled; the general one where none has its name. */
export function verticalOf(name: string): Vertical {
  const compiled = COMPILED.get(name.replaceAll('-', '_')) ?? COMPILED.get(general.id);
  if (!compiled) throw new Error('there is no general vertical');
  return compiled();
}
