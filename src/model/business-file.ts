// The file that an operator writes about a business: its JSON Schema, its short forms, and its issues in words.

import { z } from 'zod';
import { type Issue, type Parsed, show } from '../errors.ts';
import { type Business, businessSchema } from './business.ts';
import { nearestName } from './closeness.ts';
import { fold } from './fold.ts';
import { issuesOf } from './issues.ts';
import texts from './business-file.json' with { type: 'json' };

type Texts = Readonly<Record<string, string>>;
/** What each key is for, by its path; `[]` stands for every entry of a list. */
const DESCRIPTIONS: Texts = texts.descriptions;
/** The shape of an object or a list, for messages. */
const SHAPES: Texts = texts.shapes;

/** A branch has some members of the business, which are described once. */
function ownPath(path: string): string {
  return path.replace(/^locations\[\]\.(?=(?:address|telephone|hours|geo)\b)/, '');
}

/** Lists whose entries may leave out their id, and the key from which it is derived. */
const NAMED = { services: 'label', technicians: 'name', locations: 'name' } as const;

/**
 * Parses the content of a business file. `$schema` and comments, whose keys begin with `//`, are ignored. The paths of issues are in the form
 * `services[0].label`.
 */
export function parseBusinessFile(record: unknown): Parsed<Business> {
  const result = businessSchema.safeParse(withIds(withoutComments(record)), { error: messageOf });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, issues: issuesOf(result.error).flatMap(splitKeys) };
}

/** A path such as `services[0].label`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`))
    .join('');
}

function withoutComments(record: unknown): unknown {
  if (!isObject(record)) return record;
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key !== '$schema' && !key.startsWith('//')),
  );
}

function withIds(record: unknown): unknown {
  if (!isObject(record)) return record;
  const lists = Object.entries(NAMED).flatMap(([list, key]) => {
    const entries = record[list];
    if (!Array.isArray(entries)) return [];
    return [[list, entries.map((entry: unknown) => withId(entry, key))] as const];
  });
  return { ...record, ...Object.fromEntries(lists) };
}

function withId(entry: unknown, key: string): unknown {
  if (!isObject(entry) || entry['id'] !== undefined) return entry;
  const name = entry[key];
  // A bad name is an issue already; a missing id would be another.
  const id =
    typeof name === 'string'
      ? fold(name)
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '')
      : 'unnamed';
  return id === '' ? entry : { id, ...entry };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function messageOf({ code, path = [], input, ...issue }: z.core.$ZodRawIssue): string | undefined {
  if (code === 'unrecognized_keys') return undefined;
  const shape = SHAPES[ownPath(formatPath(path.map(String)).replaceAll(/\.\d+/g, '[]'))];
  const got = describeValue(input);
  if (code === 'too_small') return `expected at least one entry, got ${got}`;
  if (code !== 'invalid_type') return undefined;
  const byType: Readonly<Record<string, string>> = {
    array: 'a list of texts such as ["..."]',
    boolean: 'true or false',
    object: 'an object',
  };
  const expected = (issue as { expected?: string }).expected ?? '';
  return `expected ${shape ?? byType[expected] ?? expected}, got ${got}`;
}

/** A value in words, for readers who do not know the types of JSON. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return `the text ${show(value)}`;
  if (typeof value === 'number') return `the number ${show(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `the list ${show(value)}`;
  if (isObject(value)) return `the object ${show(value)}`;
  return show(value);
}

/** One issue for each unknown key, with the key that was probably meant. */
function splitKeys(issue: Issue & { readonly keys?: readonly string[] }): Issue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const keys = [...issue.message.matchAll(/"([^"]*)"/g)].map(([, key]) => key as string);
  const place = ownPath(formatPath(issue.path).replaceAll(/\[\d+\]/g, '[]'));
  const prefix = place === '' ? '' : `${place}.`;
  const known = Object.keys(DESCRIPTIONS)
    .filter((name) => name.startsWith(prefix) && !/[.[]/.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length));
  return keys.map((key) => {
    const close = nearestName(key, known);
    const hint = close === undefined ? `one of ${known.join(', ')}` : show(close);
    return {
      code: issue.code,
      path: issue.path,
      message: `expected ${hint}, got the unknown key ${show(key)}`,
    };
  });
}

/** The JSON Schema of a business file, from which editors complete keys. */
export function businessFileSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(businessSchema, { io: 'input' });
  const { properties, ...rest } = describe(schema as JsonSchema, '');
  return {
    $schema,
    title: 'The business whose reviews are published',
    ...rest,
    patternProperties: { '^//': { type: 'string', description: 'A comment.' } },
    properties: {
      $schema: { type: 'string', description: 'Where this schema is, for editors.' },
      ...properties,
    },
  };
}

interface JsonSchema extends Record<string, unknown> {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

function describe(schema: JsonSchema, path: string): JsonSchema {
  const description = DESCRIPTIONS[ownPath(path)];
  const described = {
    ...(description === undefined ? {} : { description }),
    ...describeParts(schema, path),
  };
  const list = path.replace('[]', '');
  if (schema.required && list in NAMED) {
    described.required = schema.required.filter((key) => key !== 'id');
  }
  return described;
}

function describeParts(schema: JsonSchema, path: string): JsonSchema {
  const described = { ...schema };
  // The path of a file is no address.
  if (path === 'logo_url') delete described['format'];
  if (schema.anyOf) described.anyOf = schema.anyOf.map((one) => describeParts(one, path));
  // A path is replaced by what is published.
  if (path === 'site.header' && described.anyOf) described.anyOf.unshift({ type: 'string' });
  if (schema.items) described.items = describe(schema.items, `${path}[]`);
  if (schema.properties) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [
        key,
        describe(value, path === '' ? key : `${path}.${key}`),
      ]),
    );
  }
  return described;
}
