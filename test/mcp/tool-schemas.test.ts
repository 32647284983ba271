// Tool schemas as clients receive them: only what the strict modes of model APIs accept, with all other constraints in
// the descriptions.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src/mcp/tools.ts';
import { REVIEWS } from '../support/by-hand.ts';
import { type Json, TestServer } from '../support/http.ts';
import { ask, type Era } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

/**
 * What strict modes accept as it is. OpenAI: no other keywords, every object closed; Anthropic: no bounds of numbers;
 * Gemini: one type for each member, no references. Converters make optional members nullable, which means absent here.
 */
const ROOT = ['additionalProperties', 'properties', 'required', 'type'];
const VALUE = ['description', 'enum', 'items', 'type'];
const ANSWER = ['description', 'properties', 'required', 'type'];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS));
});
afterAll(() => server.close());

const toolsOf = async (era: Era): Promise<Json[]> =>
  (await ask(server, era, 'tools/list')).result.tools;

/** The members of a schema with other keywords. */
const without = (keywords: readonly string[], schema: Json) =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

describe.each(['legacy', 'modern'] as const)('for a client of the %s era', (era) => {
  test('argument schemas are within the strict subsets of all', async () => {
    for (const { name, inputSchema } of await toolsOf(era)) {
      const { properties, additionalProperties, required = [], ...root } = inputSchema;
      expect([name, root, additionalProperties]).toEqual([name, { type: 'object' }, false]);
      expect(required.every((one: string) => Object.hasOwn(properties, one))).toBe(true);
      for (const [argument, schema] of Object.entries<Json>(properties)) {
        expect([name, argument, without(VALUE, schema)]).toEqual([name, argument, {}]);
        // An object without known members cannot be written by a strict model.
        expect(['string', 'integer', 'number', 'boolean', 'array']).toContain(schema.type);
        expect(schema.items).toEqual(schema.type === 'array' ? { type: 'string' } : undefined);
        if ('enum' in schema) expect(schema.type).toBe('string');
      }
      expect([name, without(ROOT, inputSchema)]).toEqual([name, {}]);
    }
  });

  test('answer schemas are outlines: types and words', async () => {
    for (const { name, outputSchema } of await toolsOf(era)) {
      expect([name, without(ANSWER, outputSchema)]).toEqual([name, {}]);
      for (const [member, schema] of Object.entries<Json>(outputSchema.properties)) {
        expect([name, member, without(['description', 'type'], schema)]).toEqual([
          name,
          member,
          {},
        ]);
      }
    }
  });
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
