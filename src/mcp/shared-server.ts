// One SDK server for many clients. Every request gets an internal id, so that clients that use the same
// JSON-RPC ids never see each other's responses.

import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpServer,
  PerRequestHTTPServerTransport,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { type Era, MODERN_REVISION } from './protocol.ts';
import { ERROR_CODES, normalizeError, renderError } from './json-rpc.ts';

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

/** Tools answer within milliseconds; a call that takes this long never finishes. */
const CALL_TIMEOUT_MS = 30_000;

/** A request in progress. */
interface Call {
  readonly request: JSONRPCRequest;
  readonly resolve: (json: string) => void;
  readonly timer: NodeJS.Timeout;
  /** JSON of the tool's answer if it bypassed the SDK. */
  answer: string | null;
}

/** Passes the JSON of a tool's answer around the SDK, which would parse, copy and serialize it twice. */
export type AnswerBypass = (id: RequestId, answer: string) => void;

/** One long-lived SDK server, shared by all clients of an era. */
export class SharedServer {
  readonly #calls = new Map<RequestId, Call>();
  readonly #deliver: (request: JSONRPCRequest) => void;
  #nextId = 1;

  private constructor(connect: (calls: SharedServer) => (request: JSONRPCRequest) => void) {
    this.#deliver = connect(this);
  }

  /** `build` creates the SDK server; its tools may pass their answers to `bypass`. */
  static async open(era: Era, build: (bypass: AnswerBypass) => McpServer): Promise<SharedServer> {
    const connecting: Promise<void>[] = [];
    const shared = new SharedServer((calls) => {
      const server = build((id, answer) => calls.#storeAnswer(id, answer));
      const send = (message: JSONRPCMessage) => calls.#settle(message);
      const transport = era === 'modern' ? new ModernTransport(send) : new LegacyTransport(send);
      connecting.push(server.connect(transport));
      return (request) => transport.receive(request);
    });
    await Promise.all(connecting);
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
      const timer = setTimeout(() => {
        this.#settle({
          jsonrpc: '2.0',
          id: internalId,
          error: { code: ERROR_CODES.internalError, message: 'Request timed out' },
        });
      }, CALL_TIMEOUT_MS);
      this.#calls.set(internalId, { request, resolve, timer, answer: null });
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
    clearTimeout(call.timer);
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

type Send = (message: JSONRPCMessage) => void;

class LegacyTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#send(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  receive(request: JSONRPCRequest): void {
    this.onmessage?.(request);
  }
}

const MODERN = { era: 'modern', revision: MODERN_REVISION } as const;

/**
 * The SDK binds a server to 2026-07-28 by the class of its transport. This use is undocumented, so the
 * SDK version is pinned and the conformance tests guard it.
 */
class ModernTransport extends PerRequestHTTPServerTransport {
  readonly #send: Send;

  constructor(send: Send) {
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
