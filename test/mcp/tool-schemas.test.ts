// Tool schemas as clients receive them: only keywords that every client and model API accepts, with all
// other constraints in the descriptions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src/mcp/tools.ts';
import { REVIEWS } from '../support/by-hand.ts';
import { type Json, TestServer } from '../support/http.ts';
import { ask, type Era } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const ROOT = ['properties', 'required', 'type'];
const VALUE = ['description', 'enum', 'maximum', 'minimum', 'type'];
const ANSWER = [
  '$ref',
  '$defs',
  'additionalProperties',
  'anyOf',
  'const',
  'description',
  'enum',
  'items',
  'maxItems',
  'maximum',
  'maxLength',
  'minItems',
  'minLength',
  'minimum',
  'properties',
  'propertyNames',
  'required',
  'type',
];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS));
});
afterAll(() => server.close());

const toolsOf = async (era: Era): Promise<Json[]> =>
  (await ask(server, era, 'tools/list')).result.tools;

/** Paths of all keywords of a schema and its subschemas that are not in `known`. */
function unknownKeywords(schema: Json, known: readonly string[], path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries<Json>(schema).flatMap(([keyword, value]) => {
    const here = `${path}/${keyword}`;
    if (!known.includes(keyword)) return [here];
    if (keyword === 'properties' || keyword === '$defs') {
      return Object.entries<Json>(value).flatMap(([name, member]) =>
        unknownKeywords(member, known, `${here}/${name}`),
      );
    }
    if (keyword === 'anyOf') {
      return value.flatMap((each: Json, at: number) =>
        unknownKeywords(each, known, `${here}/${at}`),
      );
    }
    const isSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword);
    return isSchema ? unknownKeywords(value, known, here) : [];
  });
}

describe.each(['legacy', 'modern'] as const)('for a client of the %s era', (era) => {
  test('argument schemas use only the common keywords', async () => {
    for (const { name, inputSchema } of await toolsOf(era)) {
      const { properties, additionalProperties, ...root } = inputSchema;
      // Strict models need it of an object without members; of others some clients reject it.
      const isEmpty = Object.keys(properties).length === 0;
      expect([name, additionalProperties]).toEqual([name, isEmpty ? false : undefined]);
      expect([name, unknownKeywords(root, ROOT), root.type]).toEqual([name, [], 'object']);
      for (const [argument, schema] of Object.entries<Json>(properties)) {
        expect([name, argument, unknownKeywords(schema, VALUE)]).toEqual([name, argument, []]);
        const types = schema.type;
        expect(['string', 'integer', 'number', 'boolean', 'object']).toContain(types);
        const hasBounds = 'minimum' in schema || 'maximum' in schema;
        if (hasBounds) expect(['integer', 'number']).toContain(types);
        if ('enum' in schema) expect(types).toBe('string');
      }
    }
  });

  test('answer schemas use no keyword that some clients reject', async () => {
    for (const { name, outputSchema } of await toolsOf(era)) {
      expect([name, unknownKeywords(outputSchema, ANSWER)]).toEqual([name, []]);
    }
  });
});

test('unknown keywords are found at any depth', () => {
  const schema = z.toJSONSchema(
    z.object({ a: z.array(z.iso.date().nullable()), b: z.record(z.string(), z.email()) }),
  );
  const others = unknownKeywords(schema, ANSWER).map((path) => path.replace(/.*\//, ''));
  expect(new Set(others)).toEqual(new Set(['$schema', 'format', 'pattern']));
});

test('descriptions state the format, bounds and default of every argument', async () => {
  for (const { name, inputSchema } of await toolsOf('legacy')) {
    const { input } = TOOLS.find((tool) => tool.name === name)!;
    const whole = z.toJSONSchema(input, { io: 'input' }).properties as Record<string, Json>;
    expect(Object.keys(inputSchema.properties)).toEqual(Object.keys(whole));
    for (const [argument, schema] of Object.entries<Json>(whole)) {
      const { description, format, minimum, maximum, default: usual } = schema;
      const served = inputSchema.properties[argument].description as string;
      expect([name, argument, served]).toEqual([name, argument, description]);
      const words = [
        format === 'date' ? 'YYYY-MM-DD' : '',
        minimum === undefined ? '' : `${minimum} to ${maximum}`,
        usual === undefined ? '' : `default ${usual}`,
      ];
      for (const word of words)
        expect([name, argument, served]).toEqual([name, argument, expect.stringContaining(word)]);
    }
  }
});
