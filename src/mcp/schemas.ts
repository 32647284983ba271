// Zod schemas as the SDK takes them: JSON Schema that is made once, and values that are checked where
// they come from outside.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Parsed } from '../errors.ts';
import { issuesOf } from '../model/issues.ts';
import { PROTO_ARGUMENT } from './json-rpc.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The schema of a tool's arguments. Whatever comes is taken, and handed to the tool as a value or as
 * issues: the SDK's own words for wrong arguments would not say how to mend them.
 */
export function argumentsSchema<T>(
  schema: z.ZodObject & z.ZodType<T>,
): StandardSchemaWithJSON<unknown, Parsed<T>> {
  const optional = optionalKeysOf(schema);
  const parse = (value: unknown): Parsed<T> => {
    const result = schema.safeParse(withoutAbsent(value ?? {}, optional));
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, issues: result.error.issues.flatMap((issue) => tell(issue, schema)) };
  };
  const json = commonSubsetOf(z.toJSONSchema(schema, { io: 'input' }));
  return standardOf((value) => ({ value: parse(value) }), json);
}

/** Of a value; what else a schema says of it is said in words, in its description. */
const COMMON_KEYWORDS = ['type', 'description', 'enum', 'minimum', 'maximum'] as const;

/**
 * The part of JSON Schema that clients pass on whole and models' interfaces accept: some drop `pattern`
 * and `default`, some refuse `format` and `additionalProperties`. Arguments are validated here all the same.
 */
function commonSubsetOf(schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const entries = COMMON_KEYWORDS.map((keyword) => [
      keyword,
      (member as z.core.JSONSchema.BaseSchema)[keyword],
    ]);
    return [name, Object.fromEntries(entries.filter(([, value]) => value !== undefined))] as const;
  });
  const { required = [] } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    ...(required.length > 0 ? { required } : {}),
  };
}

function optionalKeysOf(schema: z.ZodObject): ReadonlySet<string> {
  const members = Object.entries(schema.shape) as [string, z.ZodType][];
  const optional = members.filter(([, member]) => member.safeParse(undefined).success);
  return new Set(optional.map(([key]) => key));
}

/** The arguments without those that are not given: models send null and "" for what they leave out. */
function withoutAbsent(args: object, optional: ReadonlySet<string>): object {
  const isAbsent = ([key, value]: [string, unknown]) =>
    optional.has(key) && (value === null || value === '');
  return Object.fromEntries(Object.entries(args).filter((entry) => !isAbsent(entry)));
}

/** The issues of one that zod found: unknown arguments one by one, with those that there are. */
function tell(issue: z.core.$ZodIssue, schema: z.ZodObject) {
  if (issue.code !== 'unrecognized_keys') return issuesOf(new z.ZodError([issue]));
  const known = Object.keys(schema.shape);
  const choice = known.length === 0 ? 'no arguments' : `only the arguments ${known.join(', ')}`;
  return issue.keys.map((key) => ({
    code: issue.code,
    path: [key === PROTO_ARGUMENT ? '__proto__' : key],
    message: `expected ${choice}`,
  }));
}

/** Keywords that some clients refuse, and none needs to read an answer. */
const DROPPED_OF_ANSWERS = ['default', 'examples', 'format', 'pattern'] as const;

/**
 * The schema of a tool's answers. Answers are parts of documents that were made by these schemas, so
 * they are not parsed again on every call; tests do that. It does not forbid members that a later
 * version may add: clients keep schemas for an hour, and some throw at what these forbid.
 */
export function answerSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const json = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Says no more than "integer".
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      for (const keyword of DROPPED_OF_ANSWERS) delete jsonSchema[keyword];
    },
  }) as JsonSchema;
  delete json['$schema'];
  return standardOf((value) => ({ value }), json);
}

function standardOf<T>(
  validate: (value: unknown) => { readonly value: T },
  json: JsonSchema,
): StandardSchemaWithJSON<unknown, T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'public-reviews',
      validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
