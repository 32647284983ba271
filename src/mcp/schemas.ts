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

/**
 * Reduces a schema to what the strict modes of OpenAI and Anthropic, and Gemini, accept as it is: some reject `minimum`,
 * `format`, or objects without known members. Descriptions say the rest; validation uses the full schema.
 */
function commonSubsetOf({ properties = {}, required }: z.core.JSONSchema.BaseSchema): JsonSchema {
  const members = Object.entries(properties).map(([name, member]) => {
    const { type, description, enum: values, items } = member as z.core.JSONSchema.BaseSchema;
    return [name, { type, description, enum: values, items }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required,
    additionalProperties: false,
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

/**
 * The schema of a tool's answers, which clients see: the members with what they are, not what these have in turn, which
 * would fill a context; the OpenAPI document has it. Answers are not validated at run time: they are built to the whole
 * schemas, and tests check them. Additional members are allowed: clients cache schemas for an hour and some throw on
 * members that a newer version adds.
 */
export function answerSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'output' });
  const members = Object.entries(properties).map(([name, member]) => [name, outlineOf(member)]);
  const json = { type: 'object', properties: Object.fromEntries(members) as JsonSchema, required };
  return standardSchemaOf((value) => ({ value }), json);
}

/** The type of a member, and what it means. */
function outlineOf(schema: z.core.JSONSchema._JSONSchema): JsonSchema {
  const { type, description, anyOf } = schema as z.core.JSONSchema.BaseSchema;
  return { type: type ?? anyOf?.flatMap((each) => outlineOf(each)['type']), description };
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
