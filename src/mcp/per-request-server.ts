// Requests that get an SDK server of their own: handshakes, streams, and requests that deviate from the
// specification, which the SDK judges.

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
import { SESSION_REVISIONS, type SessionRevision } from './sessions.ts';
import { ListenStreams } from './listen-streams.ts';
import { type ResponseWriter, type HttpExchange, transportRejection } from './http-exchange.ts';

interface PerRequestOptions {
  readonly build: (era: Era) => McpServer;
  /** Returns a new session id. */
  readonly issueSession: (revision: SessionRevision) => string;
  readonly writer: ResponseWriter;
  readonly report: (error: unknown) => void;
}

const CLOSING = transportRejection(503, 'The server is closing. Try again.', ['Retry-After', '1']);

export class PerRequestServer {
  readonly #options: PerRequestOptions;
  readonly #modern: McpHttpHandler;
  /** Handles a request; sends none. */
  readonly #serveModern: McpHttpHandler['fetch'];
  readonly #streams = new ListenStreams();
  #isClosed = false;

  constructor(options: PerRequestOptions) {
    this.#options = options;
    this.#modern = createMcpHandler(() => this.#buildModern(), {
      legacy: 'reject',
      // `ListenStreams` enforces the limit, because it can answer with 429 or 503.
      maxSubscriptions: Infinity,
    });
    this.#serveModern = this.#modern.fetch;
  }

  /** Logs a fault, because the SDK would answer it without reporting it. */
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
    return this.#streams.resourceUris;
  }

  /** Closes the streams. The SDK's handler accepts no requests afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#modern.close();
  }

  /** Answers requests that claim revision 2026-07-28 or later. */
  async answerModern(exchange: HttpExchange): Promise<void> {
    const { response, message, caller } = exchange;
    const opened = this.#isClosed ? CLOSING : this.#streams.open(message, caller.key);
    if (typeof opened !== 'function') {
      this.#options.writer.sendRejection(response, opened, idOf(message));
      return;
    }
    try {
      const answer = await this.#serveModern(webRequestOf(exchange), { parsedBody: message });
      await this.#send(exchange, answer);
    } finally {
      opened();
    }
  }

  /** Answers requests of the session revisions. `initialize` starts a session. */
  async answerLegacy(exchange: HttpExchange): Promise<void> {
    const { message } = exchange;
    const server = this.#options.build('legacy');
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      supportedProtocolVersions: [...REVISIONS],
      ...(isInitializeRequest(message)
        ? { sessionIdGenerator: () => this.#issueSession(message.params.protocolVersion) }
        : {}),
    });
    try {
      await server.connect(transport);
      const request = webRequestOf(exchange);
      const answer = await transport.handleRequest(request, { parsedBody: message });
      await this.#send(exchange, answer);
    } finally {
      await server.close();
    }
  }

  async #send({ response, message }: HttpExchange, answer: Response): Promise<void> {
    const normalized = await normalizedResponse(message, answer);
    await this.#options.writer.sendWebResponse(response, normalized);
  }

  /** Issues an id for the requested revision, or for the newest, which the SDK negotiates instead. */
  #issueSession(requested: string): string {
    const supported = SESSION_REVISIONS.find((revision) => revision === requested);
    return this.#options.issueSession(supported ?? SESSION_REVISIONS[0]);
  }
}

/** The request as the SDK takes it. The body is passed separately, already parsed. */
function webRequestOf({ request, response }: HttpExchange): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(?:accept|content-type|mcp-.+)$/.test(name)) headers.set(name, String(value));
  }
  const disconnect = new AbortController();
  response.once('close', () => disconnect.abort());
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    signal: disconnect.signal,
  });
}

/**
 * The response with its error normalized. The substring test suffices: quotes inside JSON strings are
 * escaped, so `"error":{` is always a member.
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
  const body = JSON.parse(text) as { readonly error?: JsonRpcError; readonly id: unknown };
  const request = message as JSONRPCRequest;
  return body.error && body.id === request.id
    ? JSON.stringify({ ...body, error: normalizeError(request, body.error) })
    : text;
}
