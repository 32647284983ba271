// The tools, resources and prompts that the MCP conformance suite expects of a server, added to our endpoint. The
// suite describes what each must do.

import {
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerFactory } from '../../src/mcp/shared-server.ts';
import { REVISIONS } from '../../src/mcp/protocol.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const STATES = createRequestStateCodec<string>({ key: 'a key of the fixtures, 32 bytes and more' });
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});
const say = (
  ...content: (ReturnType<typeof text> | typeof image | ReturnType<typeof resource>)[]
) => ({
  content,
});

/** A tool that only answers. */
const ANSWERS = {
  test_simple_text: say(text('This is a simple text response for testing.')),
  test_image_content: say(image),
  test_embedded_resource: say(
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: say(
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_audio_content: { content: [{ type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }] },
} as const;

/** Tools that send messages before their answer, or read headers and capabilities of the client. */
const OF_ONE_CLIENT = new Set([
  'test_tool_with_progress',
  'test_tool_with_logging',
  'test_logging_tool',
  'test_streaming_elicitation',
  'test_missing_capability',
  'test_input_required_result_capabilities',
  'test_header',
]);

export const FIXTURES: ServerFactory = {
  build: () => buildFixtures(),
  isShareable: ({ params }) => !OF_ONE_CLIENT.has(String(params?.['name'])),
};

function buildFixtures(): McpServer {
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
        logging: {},
      },
      supportedProtocolVersions: [...REVISIONS],
      cacheHints: {
        'tools/list': HOUR,
        'prompts/list': HOUR,
        'resources/list': HOUR,
        'resources/templates/list': HOUR,
        'resources/read': HOUR,
      },
      requestState: { verify: (state, context) => STATES.verify(state, context) },
    },
  );
  addTools(server);
  addStreamingTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  for (const [name, answer] of Object.entries(ANSWERS)) {
    server.registerTool(name, { description: name }, () => ({ content: [...answer.content] }));
  }
  server.registerTool('test_error_handling', { description: 'fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_header',
    {
      description: 'has an argument that a header repeats',
      inputSchema: fromJsonSchema<{ region: string }>({
        type: 'object',
        properties: { region: { type: 'string', ['x-mcp-header' as string]: 'Region' } },
        required: ['region'],
      }),
    },
    ({ region }) => say(text(region)),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    () => say(text('ok')),
  );
}

function addStreamingTools(server: McpServer): void {
  server.registerTool(
    'test_tool_with_progress',
    { description: 'tells its progress', inputSchema: z.object({}) },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq['_meta']?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken!, progress, total: 100 },
        });
      }
      return say(text('done'));
    },
  );
  const log = async ({ mcpReq }: ServerContext) => {
    for (const words of ['started', 'processing data', 'completed']) {
      await mcpReq.log('info', `Tool execution ${words}`);
    }
    return say(text('done'));
  };
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'logs' }, log);
  }
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'asks for input while it tells its progress' },
    async ({ mcpReq }) => {
      await mcpReq.log('info', 'about to ask');
      return inputRequired({ inputRequests: { name: askFor('name') } });
    },
  );
  server.registerTool(
    'test_missing_capability',
    { description: 'needs a client that samples' },
    () => inputRequired({ inputRequests: { question: sample() } }),
  );
}

function capabilitiesOf({ envelope }: ServerContext['mcpReq']): Record<string, unknown> {
  const key = 'io.modelcontextprotocol/clientCapabilities';
  return ((envelope as Record<string, unknown> | undefined)?.[key] ?? {}) as Record<
    string,
    unknown
  >;
}

const askFor = (key: string) =>
  inputRequired.elicit({
    message: `What is your ${key}?`,
    requestedSchema: {
      type: 'object',
      properties: { [key]: { type: 'string' } },
      required: [key],
    },
  });

const sample = () =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: text('What is the capital of France?') }],
    maxTokens: 100,
  });

const REQUESTS = {
  test_input_required_result_elicitation: () => ({ user_name: askFor('name') }),
  test_input_required_result_sampling: () => ({ capital_question: sample() }),
  test_input_required_result_list_roots: () => ({ client_roots: inputRequired.listRoots() }),
} as const;

function addInputTools(server: McpServer): void {
  for (const [name, requests] of Object.entries(REQUESTS)) {
    server.registerTool(name, { description: 'asks for input' }, ({ mcpReq }) => {
      const inputRequests = requests();
      const [key = ''] = Object.keys(inputRequests);
      const answer = inputResponse(mcpReq.inputResponses, key);
      return answer.kind === 'missing'
        ? inputRequired({ inputRequests })
        : say(text(`Hello, ${JSON.stringify(answer)}`));
    });
  }
  const stateful = (
    name: string,
    requests: () => Parameters<typeof inputRequired>[0]['inputRequests'],
  ) =>
    server.registerTool(name, { description: 'asks for input' }, async ({ mcpReq }) =>
      mcpReq.requestState<string>() === 'asked'
        ? say(text('state-ok'))
        : inputRequired({ inputRequests: requests()!, requestState: await STATES.mint('asked') }),
    );
  stateful('test_input_required_result_request_state', () => ({ confirm: askFor('ok') }));
  stateful('test_input_required_result_tampered_state', () => ({ confirm: askFor('ok') }));
  stateful('test_input_required_result_multiple_inputs', () => ({
    user_name: askFor('name'),
    greeting: sample(),
    client_roots: inputRequired.listRoots(),
  }));
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'asks twice' },
    async ({ mcpReq }) => {
      const round = Number(mcpReq.requestState<string>() ?? 0);
      if (round === 2) return say(text('done'));
      return inputRequired({
        inputRequests: { [`step${round + 1}`]: askFor(round === 0 ? 'name' : 'color') },
        requestState: await STATES.mint(String(round + 1)),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'asks for what its client can give' },
    ({ mcpReq }) => {
      const { sampling } = capabilitiesOf(mcpReq);
      return inputRequired({
        inputRequests: sampling === undefined ? { name: askFor('name') } : { question: sample() },
      });
    },
  );
}

function addResources(server: McpServer): void {
  const read = (uri: string, mimeType: string, content: { text: string } | { blob: string }) => ({
    contents: [{ uri, mimeType, ...content }],
  });
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) =>
    read(href, 'text/plain', { text: 'This is the content of the static text resource.' }),
  );
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) =>
    read(href, 'image/png', { blob: PNG }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
    return read(href, 'application/json', { text: JSON.stringify(data) });
  });
}

function addPrompts(server: McpServer): void {
  const prompt = (
    ...content: (ReturnType<typeof text> | typeof image | ReturnType<typeof resource>)[]
  ) => ({
    messages: content.map((each) => ({ role: 'user' as const, content: each })),
  });
  const word = completable(z.string(), () => ['paris', 'park']);
  server.registerPrompt('test_simple_prompt', { description: 'a prompt' }, () =>
    prompt(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'a prompt', argsSchema: z.object({ arg1: word, arg2: z.string() }) },
    ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'a prompt', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      prompt(
        resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'a prompt' }, () =>
    prompt(image, text('Please analyze the image above.')),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'a prompt' },
    ({ mcpReq }) =>
      inputResponse(mcpReq.inputResponses, 'user_context').kind === 'missing'
        ? inputRequired({ inputRequests: { user_context: askFor('context') } })
        : prompt(text('with context')),
  );
}
