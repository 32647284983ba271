// Requests of many clients on one server of the SDK: each travels under a number of its own, so that
// clients who use the same ids never see each other's answers.

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

/** No answer takes so long but one that never comes. */
const PATIENCE_MS = 30_000;

/** A request under way. */
interface Call {
  readonly request: JSONRPCRequest;
  readonly resolve: (json: string) => void;
  readonly timer: NodeJS.Timeout;
  /** JSON of the tool's answer, where the tool handed it over. */
  answer: string | null;
}

/** Takes the JSON of a tool's answer past the SDK, which would parse, copy and write it twice. */
export type AnswerBypass = (id: RequestId, answer: string) => void;

/** One long-lived server of the SDK, shared by all clients of an era. */
export class SharedServer {
  readonly #calls = new Map<RequestId, Call>();
  readonly #deliver: (request: JSONRPCRequest) => void;
  #next = 1;

  private constructor(connect: (calls: SharedServer) => (request: JSONRPCRequest) => void) {
    this.#deliver = connect(this);
  }

  /** `build` makes the server; its tools may hand their answers over. */
  static async open(era: Era, build: (bypass: AnswerBypass) => McpServer): Promise<SharedServer> {
    const connecting: Promise<void>[] = [];
    const shared = new SharedServer((calls) => {
      const server = build((id, answer) => calls.#bypass(id, answer));
      const send = (message: JSONRPCMessage) => calls.#settle(message);
      const transport = era === 'modern' ? new ModernTransport(send) : new LegacyTransport(send);
      connecting.push(server.connect(transport));
      return (request) => transport.receive(request);
    });
    await Promise.all(connecting);
    return shared;
  }

  /** Requests without an answer so far. */
  get pending(): number {
    return this.#calls.size;
  }

  /** The JSON that answers a request, under the id that its client gave it. */
  call(request: JSONRPCRequest): Promise<string> {
    const number = this.#next++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#settle({
          jsonrpc: '2.0',
          id: number,
          error: { code: ERROR_CODES.internalError, message: 'The answer took too long' },
        });
      }, PATIENCE_MS);
      this.#calls.set(number, { request, resolve, timer, answer: null });
      this.#deliver({ ...request, id: number });
    });
  }

  #bypass(id: RequestId, answer: string): void {
    const call = this.#calls.get(id);
    if (call) call.answer = answer;
  }

  #settle(message: JSONRPCMessage): void {
    // What else a server may send is for clients that it has to itself.
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

/** A result of the SDK with the answer that was handed over in the places that the tool left empty. */
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
 * The SDK binds a server to 2026-07-28 by the class of the transport that it is connected to. This
 * use is not documented: the version is pinned, and the conformance suite watches over it.
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
