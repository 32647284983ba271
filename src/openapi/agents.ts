// The part of the document about MCP: the endpoint, and how agents find it.

import {
  CARD_PATH,
  CARD_TYPE,
  CATALOG_PATH,
  CATALOG_TYPE,
  REGISTRY_PATH,
} from '../discovery/mcp-records.ts';
import { MCP_PATH, REVISIONS } from '../mcp/protocol.ts';
import { answerRef, jsonContent, UNREADABLE } from './responses.ts';
import { headersOf, requestHeader } from './headers.ts';
import { recordRead } from './reading.ts';
import { schemaRef } from './schemas.ts';
import type { Answer, Answers, Operation, Parameter, Paths } from './types.ts';

const HEADERS = headersOf(['Cache-Control']);

function rejection(description: string): Answer {
  return { description, headers: HEADERS, content: jsonContent('RpcError') };
}

/** What does not depend on the method. */
const ERRORS: Answers = {
  '400': rejection('Not JSON-RPC, a revision that is not served, or headers that contradict it.'),
  '403': rejection('Another Host or Origin than this server answers for.'),
  '404': rejection(
    'A session that has ended; in revision 2026-07-28 also a method that there is not.',
  ),
  '405': answerRef('PostOrDelete'),
  '413': rejection('A body over 64 KiB.'),
  '429': answerRef('RateLimited'),
  '500': rejection('The server failed. The message has the id under which it was logged.'),
  '503': answerRef('NotReady'),
  ...UNREADABLE,
};

const revision: Parameter = {
  name: 'MCP-Protocol-Version',
  in: 'header',
  description: 'The revision that is spoken; initialize needs none.',
  schema: { enum: [...REVISIONS] },
};
const session: Parameter = requestHeader(
  'Mcp-Session-Id',
  'The session, in the revisions that have sessions.',
);
const accept: Parameter = requestHeader(
  'Accept',
  'Both application/json and text/event-stream, before revision 2026-07-28.',
);

const call: Operation = {
  operationId: 'callMcp',
  summary: 'Speak MCP',
  description:
    `Model Context Protocol over Streamable HTTP, revisions ${REVISIONS.join(', ')}. ` +
    'Connected clients are told the tools, resources and prompts by `tools/list` and the like.',
  tags: ['MCP'],
  parameters: [
    revision,
    session,
    accept,
    requestHeader('Mcp-Method', 'The method of the body, in revision 2026-07-28.'),
    requestHeader('Mcp-Name', 'The tool, prompt or resource of the body, in revision 2026-07-28.'),
  ],
  requestBody: {
    required: true,
    description: 'One message; several in revision 2025-03-26.',
    content: {
      'application/json': {
        schema: {
          anyOf: [
            schemaRef('RpcRequest'),
            { type: 'array', minItems: 1, items: schemaRef('RpcRequest') },
          ],
        },
        example: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_summary', arguments: {} },
        },
      },
    },
  },
  responses: {
    '200': {
      description: 'The answer, which may be an error of JSON-RPC; a stream for who listens.',
      headers: headersOf(['Cache-Control', 'Mcp-Session-Id']),
      content: {
        'application/json': {
          schema: {
            anyOf: [
              schemaRef('RpcAnswer'),
              schemaRef('RpcError'),
              { type: 'array', items: schemaRef('RpcAnswer') },
            ],
          },
        },
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
    '202': { description: 'A notification: there is no answer to it.', headers: HEADERS },
    ...ERRORS,
    '406': rejection('Accept lacks application/json or text/event-stream.'),
    '415': rejection('Another type than application/json.'),
  },
};

const end: Operation = {
  operationId: 'endMcpSession',
  summary: 'End a session of MCP',
  tags: ['MCP'],
  parameters: [{ ...session, required: true }, revision],
  responses: { '204': { description: 'It has ended.', headers: HEADERS }, ...ERRORS },
};

/** The endpoint, and the records that lead to it. */
export function agentPaths(): Paths {
  const tags = ['MCP'];
  return {
    [MCP_PATH]: { post: call, delete: end },
    [CARD_PATH]: {
      get: recordRead(
        { operationId: 'getServerCard', summary: 'The server card: how to connect', tags },
        { [CARD_TYPE]: { schema: schemaRef('ServerCard') } },
      ),
    },
    [CATALOG_PATH]: {
      get: recordRead(
        { operationId: 'getAgentCatalog', summary: 'What there is for agents', tags },
        { [CATALOG_TYPE]: { schema: schemaRef('AgentCatalog') } },
      ),
    },
    [REGISTRY_PATH]: {
      get: recordRead(
        { operationId: 'getRegistryRecord', summary: 'The record for the MCP registry', tags },
        jsonContent('RegistryRecord'),
      ),
    },
  };
}
