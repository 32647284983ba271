// Operations of MCP: the endpoint, and the records by which agents discover it.

import { CARD_TYPE, CATALOG_TYPE } from '../discovery/mcp-records.ts';
import type { OperationIn } from '../model/routes.ts';
import { REVISIONS } from '../mcp/protocol.ts';
import parts from './parts.json' with { type: 'json' };
import { answerRef, jsonContent, UNREADABLE } from './responses.ts';
import { headersOf, LIMITS, requestHeader } from './headers.ts';
import { read } from './reading.ts';
import { schemaRef } from './schemas.ts';
import type { Answer, Answers, OperationDetails, Parameter } from '../model/openapi.ts';

const HEADERS = headersOf(['Cache-Control', ...LIMITS]);

function rejection(description: string): Answer {
  return { description, headers: HEADERS, content: jsonContent('RpcError') };
}

/** Errors of both methods. */
const ERRORS: Answers = {
  '400': rejection('Not JSON-RPC, an unsupported revision, or headers that contradict it.'),
  '403': rejection('A Host or Origin that this server does not accept.'),
  '404': rejection('The session has ended; in revision 2026-07-28 also: the method is unknown.'),
  '405': answerRef('PostOrDelete'),
  '413': rejection('A body over 64 KiB.'),
  '429': answerRef('RateLimited'),
  '500': rejection('The server failed. The message has the id of the log entry.'),
  '503': answerRef('NotReady'),
  ...UNREADABLE,
};

const revision: Parameter = {
  name: 'MCP-Protocol-Version',
  in: 'header',
  description: 'The revision of the request; not needed for initialize.',
  schema: { type: 'string', enum: [...REVISIONS] },
};
const session: Parameter = requestHeader(
  'Mcp-Session-Id',
  'The id of the session, in revisions with sessions.',
);
const accept: Parameter = requestHeader(
  'Accept',
  'application/json and text/event-stream, before revision 2026-07-28.',
);

const call: OperationDetails = {
  description:
    `Model Context Protocol over Streamable HTTP, revisions ${REVISIONS.join(', ')}. ` +
    'Clients list tools, resources and prompts with `tools/list` and the like.',
  parameters: [
    revision,
    session,
    accept,
    requestHeader('Mcp-Method', 'The method of the body, in revision 2026-07-28.'),
    requestHeader('Mcp-Name', 'The tool, prompt or resource of the body, in revision 2026-07-28.'),
  ],
  requestBody: parts.mcpRequest,
  responses: {
    '200': {
      description: 'The answer, possibly a JSON-RPC error; a stream for subscriptions.',
      headers: headersOf(['Cache-Control', ...LIMITS, 'Mcp-Session-Id']),
      content: parts.mcpAnswers,
    },
    '202': { description: 'Accepted: notifications have no answer.', headers: HEADERS },
    ...ERRORS,
    '406': rejection('Accept lacks application/json or text/event-stream.'),
    '415': rejection('The type of the body is not application/json.'),
  },
};

const end: OperationDetails = {
  parameters: [{ ...session, required: true }, revision],
  responses: { '204': { description: 'The session has ended.', headers: HEADERS }, ...ERRORS },
};

export function agentDetails(): Record<OperationIn<'MCP'>, OperationDetails> {
  return {
    callMcp: call,
    endMcpSession: end,
    getServerCard: read('getServerCard', {
      content: { [CARD_TYPE]: { schema: schemaRef('ServerCard') } },
    }),
    getAgentCatalog: read('getAgentCatalog', {
      content: { [CATALOG_TYPE]: { schema: schemaRef('AgentCatalog') } },
    }),
    getResourceManifest: read('getResourceManifest', { content: jsonContent('AgentCatalog') }),
    getRegistryRecord: read('getRegistryRecord', { content: jsonContent('RegistryRecord') }),
  };
}
