// The tools: descriptions, argument and answer schemas, and handlers.

import { z } from 'zod';
import {
  aspectAnswerSchema,
  businessAnswerSchema,
  factsSchema,
  faqAnswerSchema,
  proofAnswerSchema,
  reviewAnswerSchema,
  searchAnswerSchema,
  serviceAnswerSchema,
  summaryAnswerSchema,
  technicianAnswerSchema,
  topicsAnswerSchema,
  trendAnswerSchema,
  verificationAnswerSchema,
} from '../model/answers.ts';
import { cursorSchema } from '../model/cursor.ts';
import { dateSchema } from '../model/date.ts';
import { expected } from '../model/issues.ts';
import { partNameSchema } from '../model/review-parts.ts';
import { limitSchema, searchFilterSchema } from '../model/search.ts';
import { isUlid } from '../model/ulid.ts';
import { MCP_LIMITS } from './limits.ts';
import { DETAILS } from '../snapshot/passages.ts';
import type { SnapshotQueries } from '../snapshot/queries.ts';
import TEXTS from './tool-texts.json' with { type: 'json' };

/** A tool. `answer` returns JSON that matches `output`. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  readonly answer: (queries: SnapshotQueries, args: z.output<Input>) => string;
}

type Defined<Input extends z.ZodObject> = Omit<Tool<Input>, 'title' | 'description'> & {
  readonly name: keyof typeof TEXTS;
};
/** Infers the argument type of `answer` from `input`. */
const tool = <Input extends z.ZodObject>(definition: Defined<Input>): Tool =>
  ({ ...definition, ...TEXTS[definition.name] }) as Tool<Input> as unknown as Tool;

/** A tool that speaks of all reviews, with how many there are and of when; in full as it is published. */
const dated = <Input extends z.ZodObject>(definition: Defined<Input>): Tool =>
  tool({
    ...definition,
    output: definition.output.extend({ data: z.looseObject({}).optional().describe(DATA) }),
    answer: (queries, args) => {
      const answer = definition.answer(queries, args);
      return args['detail'] === 'full'
        ? answer
        : `${answer.slice(0, -1)},"data":${queries.data()}}`;
    },
  });
const DATA = 'all reviews, and the dates of the first and the last: nothing later is known';

const TOO_LONG = expected(`at most ${MCP_LIMITS.textCharacters} characters`);
const name = (what: string) =>
  z.string(expected(what)).min(1, expected(what)).max(MCP_LIMITS.textCharacters, TOO_LONG);

const reviewId = z
  .string(expected('the id of a review'))
  .refine(isUlid, expected('the id of a review, 26 letters and digits'))
  .describe('id of a review, 26 letters and digits');

const detail = z
  .enum(DETAILS, expected(DETAILS.join(', ')))
  .optional()
  .describe('how much: short, normal (default) or full');

/** `["seat=4"]` as `{ seat: "4" }`: strict models cannot write an object of which they do not know the members. */
const pairs = <Schema extends z.ZodType>(schema: Schema, toValue: (text: string) => unknown) => {
  const fromPairs = (given: unknown): unknown => {
    if (!Array.isArray(given)) return given;
    const found = given.map((pair) => /^ *([^=]*[^= ]) *= *(.*)$/.exec(String(pair)) ?? []);
    // The schema says what it expects instead.
    if (!found.every(([, key]) => partNameSchema.safeParse(key).success)) return given;
    return Object.fromEntries(
      [...Map.groupBy(found, ([, key]) => key)].map(([key, all]) => {
        const values = all.map(([, , value = '']) => toValue(value.trim()));
        return [key, values.length > 1 ? values : values[0]];
      }),
    );
  };
  const shape = { type: 'array', items: { type: 'string' } } as const;
  return z.preprocess(fromPairs, schema).optional().meta(shape) as unknown as Schema;
};
const { attributes, min_ratings: minRatings } = searchFilterSchema.shape;

const searchInput = searchFilterSchema.safeExtend({
  attributes: pairs(attributes, String).describe(
    'attributes as NAME=VALUE, such as "route=London to Rome"; of one name any value',
  ),
  min_ratings: pairs(minRatings, Number).describe(
    'minimum of part scores as NAME=STARS, such as "seat=4"',
  ),
  detail: detail.describe(
    'short or normal (default): the sentences that match; full: whole texts, and with highlight the default',
  ),
});

/** What reviews have depends on the detail. */
const searchOutput = searchAnswerSchema.extend({
  facts: factsSchema,
  note: z.string().optional().describe('what is not known'),
  reviews: z.array(z.looseObject({ id: z.string(), url: z.url() })),
});

/** Every tool that is listed. */
export const TOOLS: readonly Tool[] = [
  dated({
    name: 'get_business',
    input: z.strictObject({ detail }),
    output: businessAnswerSchema,
    answer: (queries, args) => queries.business(args.detail ?? 'normal'),
  }),
  dated({
    name: 'search_reviews',
    input: searchInput,
    output: searchOutput,
    answer: (queries, { detail: given, ...filter }) => {
      const standard = filter.highlight === true ? 'full' : 'normal';
      return queries.search(filter, { detail: given ?? standard, bytes: MCP_LIMITS.answerBytes });
    },
  }),
  tool({
    name: 'get_review',
    input: z.strictObject({ id: reviewId }),
    output: reviewAnswerSchema,
    answer: (queries, { id }) => queries.review(id),
  }),
  dated({
    name: 'get_verification',
    input: z.strictObject({ id: reviewId.optional(), detail }),
    output: verificationAnswerSchema,
    answer: (queries, args) => queries.verification(args.id, args.detail ?? 'normal'),
  }),
  dated({
    name: 'get_aspect_sentiment',
    input: z.strictObject({
      aspect: name('the id or label of an aspect').describe('id, label or a word for it'),
    }),
    output: aspectAnswerSchema,
    answer: (queries, { aspect }) => queries.aspect(aspect),
  }),
  dated({
    name: 'get_technician',
    input: z.strictObject({
      name: name('the name of a technician').describe('name, alias or id'),
      detail,
    }),
    output: technicianAnswerSchema,
    answer: (queries, args) => queries.technician(args.name, args.detail ?? 'normal'),
  }),
  dated({
    name: 'get_service',
    input: z.strictObject({
      service: name('the id or label of a service').describe('id, label or alias'),
      detail,
    }),
    output: serviceAnswerSchema,
    answer: (queries, args) => queries.service(args.service, args.detail ?? 'normal'),
  }),
  dated({
    name: 'list_topics',
    input: z.strictObject({ detail }),
    output: topicsAnswerSchema,
    answer: (queries, args) => queries.topics(args.detail ?? 'normal'),
  }),
  tool({
    name: 'get_faq',
    input: z.strictObject({
      query: z
        .string(expected('text'))
        .max(MCP_LIMITS.textCharacters, TOO_LONG)
        .optional()
        .describe('question or words, such as "open on Saturday"'),
      detail,
    }),
    output: faqAnswerSchema,
    answer: (queries, { query, detail: given }) => queries.faq(query, given ?? 'normal'),
  }),
  tool({
    name: 'get_summary',
    input: z.strictObject({}),
    output: summaryAnswerSchema,
    answer: (queries) => queries.summary(),
  }),
  dated({
    name: 'get_trend',
    input: z.strictObject({ detail }),
    output: trendAnswerSchema,
    answer: (queries, args) => queries.trend(args.detail ?? 'normal'),
  }),
];

/** Tools of earlier versions, which are not listed but answer as they did. */
export const OLD_TOOLS: readonly Tool[] = [
  tool({
    name: 'verify_review',
    input: z.strictObject({ id: reviewId }),
    output: proofAnswerSchema,
    answer: (queries, { id }) => queries.proof(id),
  }),
  tool({
    name: 'list_reviews_since',
    input: z.strictObject({
      date: dateSchema,
      limit: limitSchema,
      cursor: cursorSchema.optional(),
    }),
    output: searchOutput,
    answer: (queries, { date, ...page }) =>
      queries.search({ since: date, ...page }, { detail: 'full', bytes: MCP_LIMITS.answerBytes }),
  }),
];
