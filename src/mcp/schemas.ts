// Adapts zod schemas to the SDK: JSON Schema generated once, and validation of arguments.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Parsed } from '../errors.ts';
import { issuesOf } from '../model/issues.ts';
import { PROTO_ARGUMENT } from './json-rpc.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The schema of a tool's arguments. It accepts every input and passes the tool a value or issues, because
 * the SDK's own messages do not say how to correct wrong arguments.
 */
export function argumentsSchema<T>(
  schema: z.ZodObject & z.ZodType<T>,
): StandardSchemaWithJSON<unknown, Parsed<T>> {
  const optional = optionalKeysOf(schema);
  const parse = (value: unknown): Parsed<T> => {
    const result = schema.safeParse(withoutAbsent(value ?? {}, optional));
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, issues: result.error.issues.flatMap((issue) => toIssues(issue, schema)) };
  };
  const json = commonSubsetOf(z.toJSONSchema(schema, { io: 'input' }));
  return standardSchemaOf((value) => ({ value: parse(value) }), json);
}

/** Keywords of an argument that clients see. Descriptions repeat the other constraints in words. */
const COMMON_KEYWORDS = ['type', 'description', 'enum', 'minimum', 'maximum'] as const;

/**
 * Reduces a schema to the keywords that all clients and model APIs accept: some drop `pattern` and
 * `default`, some reject `format` and `additionalProperties`. Validation still uses the full schema.
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
    // Clients of strict models refuse an object without members otherwise.
    ...(members.length === 0 ? { additionalProperties: false } : {}),
  };
}

function optionalKeysOf(schema: z.ZodObject): ReadonlySet<string> {
  const members = Object.entries(schema.shape) as [string, z.ZodType][];
  const optional = members.filter(([, member]) => member.safeParse(undefined).success);
  return new Set(optional.map(([key]) => key));
}

/** Removes optional arguments that are null or "": models send these for arguments that they omit. */
function withoutAbsent(args: object, optional: ReadonlySet<string>): object {
  const isAbsent = ([key, value]: [string, unknown]) =>
    optional.has(key) && (value === null || value === '');
  return Object.fromEntries(Object.entries(args).filter((entry) => !isAbsent(entry)));
}

/** Converts an issue of zod. Each unknown argument becomes an issue that lists the known arguments. */
function toIssues(issue: z.core.$ZodIssue, schema: z.ZodObject) {
  if (issue.code !== 'unrecognized_keys') return issuesOf(new z.ZodError([issue]));
  const known = Object.keys(schema.shape);
  const allowed = known.length === 0 ? 'no arguments' : `only the arguments ${known.join(', ')}`;
  return issue.keys.map((key) => ({
    code: issue.code,
    path: [key === PROTO_ARGUMENT ? '__proto__' : key],
    message: `expected ${allowed}`,
  }));
}

/** Keywords that some clients reject, or that fill contexts, and none needs. */
const DROPPED_KEYWORDS = [
  'default',
  'examples',
  'format',
  'pattern',
  'propertyNames',
  'minLength',
] as const;

/**
 * The schema of a tool's answers. Answers are not validated at run time: they are built to these schemas,
 * and tests check them. Additional members are allowed: clients cache schemas for an hour and some throw
 * on members that a newer version adds.
 */
export function answerSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const json = z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Implied by "integer", and by what is counted.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === 0) delete jsonSchema.minimum;
      for (const keyword of DROPPED_KEYWORDS) delete jsonSchema[keyword];
    },
  }) as JsonSchema;
  delete json['$schema'];
  return standardSchemaOf((value) => ({ value }), json);
}

function standardSchemaOf<T>(
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
