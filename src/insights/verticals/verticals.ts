// Verticals: the aspects, cues and topics of a kind of business, as data that a domain expert can edit
// (verticals/*.json; see docs/insights.md). This file validates them, adds the cues that verticals share, and
// compiles them.

import { z } from 'zod';
import money from './shared/money.json' with { type: 'json' };
import people from './shared/people.json' with { type: 'json' };
import time from './shared/time.json' with { type: 'json' };
import work from './shared/work.json' with { type: 'json' };
import airlines from './airlines.json' with { type: 'json' };
import cafes from './cafes.json' with { type: 'json' };
import clinics from './clinics.json' with { type: 'json' };
import general from './general.json' with { type: 'json' };
import healthAndSeniorLiving from './health_and_senior_living.json' with { type: 'json' };
import homeServices from './home_services.json' with { type: 'json' };
import hospitalityAndTravel from './hospitality_and_travel.json' with { type: 'json' };
import hotels from './hotels.json' with { type: 'json' };
import legalAndProfessional from './legal_and_professional.json' with { type: 'json' };
import restaurants from './restaurants.json' with { type: 'json' };
import retailAndApps from './retail_and_apps.json' with { type: 'json' };
import {
  GENERAL,
  lineageOf,
  VERTICAL_IDS,
  type VerticalId,
  verticalIdOf,
} from '../../model/verticals.ts';
import { once } from '../once.ts';
import { PatternSet } from '../text/patterns.ts';

const patterns = z.array(z.string().min(1)).default([]);

/** Cues of an aspect, in the pattern language of patterns.ts. In English each is evidence, which a model weighs (claims/). */
const cuesSchema = z.strictObject({
  /** Name the aspect: a mention, neutral without an opinion. */
  names: patterns,
  /** Name it only if an opinion is near. */
  weak: patterns,
  /** State by themselves that it is good, bad, or neither. */
  positive: patterns,
  negative: patterns,
  neutral: patterns,
});

const id = z.string().regex(/^[a-z]+(?:_[a-z]+)*$/);

const aspectSchema = z.strictObject({
  id,
  label: z.string().min(1),
  /** Ids of shared cues that it includes. */
  shares: z.array(id).default([]),
  ...cuesSchema.shape,
});

const topicsSchema = z
  .strictObject({
    id,
    label: z.string().min(1),
    keywords: z.array(z.string().min(1)).min(1),
    /** What begins like a keyword and means something else: "noise cancelling". */
    except: z.array(z.string().min(1)).default([]),
  })
  .array()
  .default([]);

export const verticalSchema = z.strictObject({
  about: z.string(),
  id,
  label: z.string().min(1),
  /** The names of its jobs. */
  roles: z.array(z.string().min(1)).min(1),
  /** Whether its people do work that reviews tell of, by which a name is known. */
  names_by_work: z.boolean().default(false),
  aspects: z.array(aspectSchema).min(1),
  topics: topicsSchema,
});

/** A trade: a vertical by its differences from a wider one (model/verticals.ts). */
export const tradeSchema = z.strictObject({
  about: z.string(),
  id,
  label: z.string().min(1),
  /** Aspects of the wider one that nobody looks for. */
  without: z.array(id),
  /** By aspect what it is called here. */
  labels: z.record(id, z.string().min(1)),
  /** Besides those of the wider one. */
  topics: topicsSchema,
});

type Cues = z.infer<typeof cuesSchema>;
type VerticalFile = z.infer<typeof verticalSchema>;
export type CueKind = keyof Cues;

export interface Cue {
  readonly aspect: string;
  /** In other languages than English, masks cancel the cues of the aspect that they overlap. */
  readonly kind: CueKind | 'masks';
}

export interface Vertical {
  readonly id: string;
  readonly label: string;
  readonly roles: readonly string[];
  readonly namesByWork: boolean;
  readonly aspects: readonly { readonly id: string; readonly label: string }[];
  readonly cues: PatternSet<Cue>;
  readonly topics: readonly {
    readonly id: string;
    readonly label: string;
    readonly keywords: readonly string[];
  }[];
  readonly topicCues: PatternSet<string>;
}

const KINDS: readonly CueKind[] = ['positive', 'negative', 'neutral', 'names', 'weak'];

/** The cues that several verticals share, by id. */
function parseShared(files: readonly unknown[]): Map<string, Cues> {
  const schema = z.record(id, z.union([z.string(), cuesSchema]));
  return new Map(
    files
      .flatMap((file) => Object.entries(schema.parse(file)))
      .flatMap(([name, cues]) => (typeof cues === 'string' ? [] : [[name, cues] as const])),
  );
}

/**
 * Validates and compiles a vertical.
 *
 * @throws {ZodError} if the file does not fit the schema
 * @throws {Error} if a pattern is malformed, or shared cues are missing
 */
export function compileVertical(file: unknown, shared: ReadonlyMap<string, Cues>): Vertical {
  const vertical = verticalSchema.parse(file);
  return compileCues(vertical, shared);
}

/**
 * The vertical of a trade.
 *
 * @throws {ZodError} if the file does not fit the schema
 * @throws {Error} if it names an aspect that the wider vertical does not have
 */
export function compileTrade(
  file: unknown,
  wider: unknown,
  shared: ReadonlyMap<string, Cues>,
): Vertical {
  const { id: trade, label, without, labels, topics } = tradeSchema.parse(file);
  const vertical = verticalSchema.parse(wider);
  const known = new Set(vertical.aspects.map((aspect) => aspect.id));
  const unknown = [...without, ...Object.keys(labels)].find((aspect) => !known.has(aspect));
  if (unknown !== undefined)
    throw new Error(`${trade} names the aspect ${unknown}, which ${vertical.id} does not have`);
  const aspects = vertical.aspects
    .filter((aspect) => !without.includes(aspect.id))
    .map((aspect) => ({ ...aspect, label: labels[aspect.id] ?? aspect.label }));
  const all = [...vertical.topics, ...topics];
  return compileCues({ ...vertical, id: trade, label, aspects, topics: all }, shared);
}

function compileCues(vertical: VerticalFile, shared: ReadonlyMap<string, Cues>): Vertical {
  return {
    id: vertical.id,
    label: vertical.label,
    roles: vertical.roles,
    namesByWork: vertical.names_by_work,
    aspects: vertical.aspects.map(({ id: aspect, label }) => ({ id: aspect, label })),
    cues: new PatternSet(vertical.aspects.flatMap((aspect) => cuesOf(aspect, shared))),
    topics: vertical.topics,
    topicCues: new PatternSet(
      vertical.topics.flatMap((topic) => [
        ...topic.keywords.map((keyword) => [keyword, topic.id] as const),
        ...topic.except.map((keyword) => [keyword, `-${topic.id}`] as const),
      ]),
    ),
  };
}

function cuesOf(
  aspect: VerticalFile['aspects'][number],
  included: ReadonlyMap<string, Cues>,
): (readonly [string, Cue])[] {
  const sources = aspect.shares.map((name) => {
    const cues = included.get(name);
    if (!cues) throw new Error(`aspect ${aspect.id} shares ${name}, which no shared file has`);
    return cues;
  });
  return KINDS.flatMap((kind) => {
    // One object for all cues of a kind, so that equal matches are identical.
    const cue: Cue = { aspect: aspect.id, kind };
    return [
      ...sources.flatMap((cues) => cues[kind].map((pattern) => [pattern, cue] as const)),
      ...aspect[kind].map((pattern) => [pattern, cue] as const),
    ];
  });
}

export const SHARED = parseShared([time, money, people, work]);
export const VERTICAL_FILES: ReadonlyMap<string, unknown> = new Map(
  [
    airlines,
    cafes,
    clinics,
    general,
    healthAndSeniorLiving,
    homeServices,
    hospitalityAndTravel,
    hotels,
    legalAndProfessional,
    restaurants,
    retailAndApps,
  ].map((file) => [file.id, file] as const),
);

/** Each is compiled on first use. */
const COMPILED: ReadonlyMap<string, () => Vertical> = new Map(
  VERTICAL_IDS.map((name) => [name, once(() => compile(name))]),
);

function compile(name: VerticalId): Vertical {
  const [file, wider] = lineageOf(name).map((one) => VERTICAL_FILES.get(one));
  return wider === undefined ? compileVertical(file, SHARED) : compileTrade(file, wider, SHARED);
}

export function verticalOf(name: string): Vertical {
  return (COMPILED.get(verticalIdOf(name) ?? GENERAL) as () => Vertical)();
}
