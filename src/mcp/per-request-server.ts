// Requests that get a server of the SDK to themselves: handshakes, streams, and whatever is not quite
// as it should be, so that the SDK has the last word on it.

import {
  createMcpHandler,
  isInitializeRequest,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Era, REVISIONS } from './protocol.ts';
import { idOf, normalizeError, type JsonRpcError } from './json-rpc.ts';
import { SESSION_REVISIONS, type Sessions } from './sessions.ts';
import { ListenStreams } from './listen-streams.ts';
import { type ResponseWriter, type HttpExchange, rejection } from './http-exchange.ts';

interface PerRequestOptions {
  readonly build: (era: Era) => McpServer;
  readonly sessions: Sessions;
  readonly writer: ResponseWriter;
  readonly report: (error: unknown) => void;
}

const CLOSING = rejection(503, 'The server is closing. Try again.', ['Retry-After', '1']);

export class PerRequestServer {
  readonly #options: PerRequestOptions;
  readonly #modern: McpHttpHandler;
  /** The handler's way in; nothing is sent to anybody by it. */
  readonly #serveModern: McpHttpHandler['fetch'];
  readonly #streams = new ListenStreams();
  #isClosed = false;

  constructor(options: PerRequestOptions) {
    this.#options = options;
    this.#modern = createMcpHandler(() => this.#buildModern(), {
      legacy: 'reject',
      // They are counted here, so that a client that is one too many is told so.
      maxSubscriptions: Infinity,
    });
    this.#serveModern = this.#modern.fetch;
  }

  /** The SDK would answer a fault here without telling anybody. */
  #buildModern(): McpServer {
    try {
      return this.#options.build('modern');
    } catch (error) {
      this.#options.report(error);
      throw error;
    }
  }

  notifyUpdated(uri: string): void {
    this.#modern.notify.resourceUpdated(uri);
  }

  get subscribedUris(): ReadonlySet<string> {
    return this.#streams.uris;
  }

  /** Ends the streams; the SDK's handler takes nothing afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#modern.close();
  }

  /** Revision 2026-07-28, and what claims to be of it or a later one. */
  async answerModern(exchange: HttpExchange): Promise<void> {
    const { response, message, caller } = exchange;
    const extra = caller.headers;
    const entered = this.#isClosed ? CLOSING : this.#streams.enter(message, caller.key);
    if (typeof entered !== 'function') {
      this.#options.writer.sendRejection(response, entered, idOf(message), extra);
      return;
    }
    try {
      const answer = await this.#serveModern(webRequestOf(exchange), { parsedBody: message });
      await this.#options.writer.sendWebResponse(
        response,
        await normalizedResponse(message, answer),
        extra,
      );
    } finally {
      entered();
    }
  }

  /** The revisions with sessions; a session begins with `initialize`. */
  async answerLegacy(exchange: HttpExchange): Promise<void> {
    const { response, message, caller } = exchange;
    const server = this.#options.build('legacy');
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      supportedProtocolVersions: [...REVISIONS],
      ...(isInitializeRequest(message)
        ? { sessionIdGenerator: () => this.#issue(message.params.protocolVersion) }
        : {}),
    });
    try {
      await server.connect(transport);
      const request = webRequestOf(exchange);
      const answer = await transport.handleRequest(request, { parsedBody: message });
      await this.#options.writer.sendWebResponse(
        response,
        await normalizedResponse(message, answer),
        caller.headers,
      );
    } finally {
      await server.close();
    }
  }

  /** Of the revision that was asked for, or of the newest, which is what the SDK offers instead. */
  #issue(asked: string): string {
    const known = SESSION_REVISIONS.find((revision) => revision === asked);
    return this.#options.sessions.issue(known ?? SESSION_REVISIONS[0]);
  }
}

/** What the SDK sees of a request; its body was read already. */
function webRequestOf({ request, response }: HttpExchange): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(?:accept|content-type|mcp-.+)$/.test(name)) headers.set(name, String(value));
  }
  const left = new AbortController();
  response.once('close', () => left.abort());
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: left.signal });
}

/**
 * The answer with its internal errors put right. Answers without an error are passed on as they are:
 * quotes inside of texts are escaped, so the member's name can only stand in an error.
 */
async function normalizedResponse(message: unknown, answer: Response): Promise<Response> {
  const type = answer.headers.get('content-type') ?? '';
  if (answer.body === null || !type.startsWith('application/json')) return answer;
  const text = await answer.text();
  return new Response(text.includes('"error":{') ? normalizeBody(message, text) : text, {
    status: answer.status,
    headers: answer.headers,
  });
}

function normalizeBody(message: unknown, text: string): string {
  const said = JSON.parse(text) as { readonly error?: JsonRpcError; readonly id: unknown };
  const request = message as JSONRPCRequest;
  return said.error && said.id === request.id
    ? JSON.stringify({ ...said, error: normalizeError(request, said.error) })
    : text;
}
