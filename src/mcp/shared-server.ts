// One SDK server for many clients. Every request gets an internal id, so that clients that use the same
// JSON-RPC ids never see each other's responses.

import {
  InMemoryTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  PerRequestHTTPServerTransport,
  type RequestId,
} from '@modelcontextprotocol/server';
import { type Era, MODERN_REVISION } from './protocol.ts';
import { normalizeError, renderError } from './json-rpc.ts';

/** Methods that a shared server may answer: they keep no state for the client. */
export const SHARED_METHODS = new Set([
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** A request in progress. */
interface Call {
  readonly request: JSONRPCRequest;
  readonly resolve: (json: string) => void;
  /** JSON of the tool's answer if it bypassed the SDK. */
  answer: string | null;
}

/** Passes the JSON of a tool's answer around the SDK, which would parse, copy and serialize it twice. */
export type AnswerBypass = (id: RequestId, answer: string) => void;

/** Creates the SDK servers of an endpoint. */
export interface ServerFactory {
  /** Creates an SDK server. With `bypass`, tools may pass their answers around the SDK. */
  build(era: Era, bypass: AnswerBypass | null): McpServer;
  /**
   * Whether a shared server can answer a request for a tool, resource or prompt: it needs one response
   * and nothing else from or about its client.
   */
  isShareable(request: JSONRPCRequest): boolean;
  /** What is wrong with a call whose arguments stand where the protocol does not look; null if nothing is. */
  misplaced?(request: JSONRPCRequest): string | null;
}

/** One long-lived SDK server, shared by all clients of an era. */
export class SharedServer {
  readonly #calls = new Map<RequestId, Call>();
  #deliver: (request: JSONRPCRequest) => void = () => undefined;
  #nextId = 1;

  /** `build` creates the SDK server; its tools may pass their answers to `bypass`. */
  static async open(era: Era, build: (bypass: AnswerBypass) => McpServer): Promise<SharedServer> {
    const shared = new SharedServer();
    const server = build((id, answer) => shared.#storeAnswer(id, answer));
    const settle = (message: JSONRPCMessage) => shared.#settle(message);
    if (era === 'modern') {
      const transport = new ModernTransport(settle);
      shared.#deliver = (request) => transport.receive(request);
      await server.connect(transport);
    } else {
      const [client, transport] = InMemoryTransport.createLinkedPair();
      Object.assign(client, { onmessage: settle });
      shared.#deliver = (request) => void client.send(request);
      await server.connect(transport);
    }
    return shared;
  }

  /** The number of unanswered requests. */
  get pending(): number {
    return this.#calls.size;
  }

  /** Runs a request and returns the JSON-RPC response as JSON, with the client's id. */
  call(request: JSONRPCRequest): Promise<string> {
    const internalId = this.#nextId++;
    return new Promise((resolve) => {
      this.#calls.set(internalId, { request, resolve, answer: null });
      this.#deliver({ ...request, id: internalId });
    });
  }

  #storeAnswer(id: RequestId, answer: string): void {
    const call = this.#calls.get(id);
    if (call) call.answer = answer;
  }

  #settle(message: JSONRPCMessage): void {
    // Server requests and notifications need a client of their own: a shared server drops them.
    if ('method' in message) return;
    const id = message.id as RequestId;
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    call.resolve(
      'error' in message
        ? renderError(normalizeError(call.request, message.error), call.request.id)
        : renderResult(call.request.id, message.result, call.answer),
    );
  }
}

/** Renders an SDK result, with the bypassed answer in place of the empty members. */
function renderResult(id: RequestId, result: object, answer: string | null): string {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (answer === null) return `${start}${JSON.stringify(result)}}`;
  const {
    content: _content,
    structuredContent: _structured,
    ...rest
  } = result as {
    content?: unknown;
    structuredContent?: unknown;
  };
  const members = JSON.stringify(rest).slice(1, -1);
  return (
    `${start}{"content":[{"type":"text","text":${JSON.stringify(answer)}}],` +
    `"structuredContent":${answer}${members === '' ? '' : `,${members}`}}}`
  );
}

const MODERN = { era: 'modern', revision: MODERN_REVISION } as const;

/**
 * The SDK binds a server to 2026-07-28 by the class of its transport. This use is undocumented, so the
 * SDK version is pinned and the conformance tests guard it.
 */
class ModernTransport extends PerRequestHTTPServerTransport {
  readonly #send: (message: JSONRPCMessage) => void;

  constructor(send: (message: JSONRPCMessage) => void) {
    super({ classification: MODERN });
    this.#send = send;
  }

  override start(): Promise<void> {
    return Promise.resolve();
  }

  override send(message: JSONRPCMessage): Promise<void> {
    this.#send(message);
    return Promise.resolve();
  }

  override close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  receive(request: JSONRPCRequest): void {
    this.onmessage?.(request, { classification: MODERN });
  }
}
