// `/mcp` (Streamable HTTP): checks Host and Origin, reads the request, classifies its revision and passes
// it to a shared or a per-request server.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  type InboundLegacyRoute,
  type InboundModernRoute,
  isJsonContentType,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server';
import { answerBatch, tooManyMessages, tooManyRequests } from './batches.ts';
import { MCP_LIMITS } from './limits.ts';
import { type ServerFactory, SHARED_METHODS, SharedServer } from './shared-server.ts';
import { reportFault, type ServerContext } from './context.ts';
import { type Era, MODERN_REVISION } from './protocol.ts';
import type { Caller, HeaderList } from '../model/http-seam.ts';
import type { OriginPolicy } from './origins.ts';
import { acceptsBothTypes, headerOf, headersMatch } from './request-headers.ts';
import { PerRequestServer } from './per-request-server.ts';
import { ERROR_CODES, idOf, type JsonRpcError } from './json-rpc.ts';
import { parseBody } from './message-body.ts';
import { type Session, SESSION_REVISIONS, type Sessions } from './sessions.ts';
import {
  badRequest,
  CLOSE,
  ResponseWriter,
  type HttpExchange,
  readBody,
  SESSION_NOT_FOUND,
  SESSION_REQUIRED,
  TOO_LARGE,
  transportRejection,
  type Rejection,
} from './http-exchange.ts';

export interface EndpointOptions extends Pick<ServerContext, 'report'> {
  readonly servers: ServerFactory;
  readonly origins: OriginPolicy;
  readonly sessions: Sessions;
  readonly requireSession: boolean;
  readonly headers: HeaderList;
}

/** Carries the session id (Streamable HTTP, "Session Management"). */
const SESSION_HEADER = 'mcp-session-id';

export class McpEndpoint {
  readonly #options: EndpointOptions;
  readonly #writer: ResponseWriter;
  readonly #perRequest: PerRequestServer;
  readonly #shared: Readonly<Record<Era, SharedServer>>;

  private constructor(options: EndpointOptions, shared: Readonly<Record<Era, SharedServer>>) {
    this.#options = options;
    this.#shared = shared;
    this.#writer = new ResponseWriter(options.headers);
    this.#perRequest = new PerRequestServer({
      build: (era) => options.servers.build(era, null),
      issueSession: (revision) => options.sessions.issue(revision),
      writer: this.#writer,
      report: (error) => void reportFault(options, error),
    });
  }

  static async open(options: EndpointOptions): Promise<McpEndpoint> {
    const open = (era: Era) =>
      SharedServer.open(era, (bypass) => options.servers.build(era, bypass));
    return new McpEndpoint(options, { modern: await open('modern'), legacy: await open('legacy') });
  }

  /** Notifies subscribers that a resource has changed. */
  notifyUpdated(uri: string): void {
    this.#perRequest.notifyUpdated(uri);
  }

  get subscribedUris(): ReadonlySet<string> {
    return this.#perRequest.subscribedUris;
  }

  /** Closes all open streams. */
  close(): Promise<void> {
    return this.#perRequest.close();
  }

  /** Handles POST and DELETE. */
  async answer(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    try {
      const refusal = this.#options.origins.refuse(request.headers);
      if (refusal !== null) this.#writer.sendRejection(response, transportRejection(403, refusal));
      else if (request.method === 'DELETE') this.#endSession(request, response);
      else await this.#answerPost(request, response, caller);
    } catch (error) {
      // The client disconnected before it had sent the whole request.
      if (request.destroyed && !request.complete) return;
      const id = reportFault(this.#options, error);
      if (response.headersSent) response.destroy();
      else {
        const fault = { code: ERROR_CODES.internalError, message: `Internal error ${id}` };
        this.#writer.sendRejection(response, { status: 500, error: fault });
      }
    }
  }

  async #answerPost(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
  ): Promise<void> {
    const refuse = (rejection: Rejection, id: string | number | null = null) =>
      this.#writer.sendRejection(response, rejection, id);
    const type = request.headers['content-type'];
    if (type !== 'application/json' && !isJsonContentType(type ?? null)) {
      const message = `expected the content type application/json, got ${type ?? 'none'}`;
      return refuse(transportRejection(415, message, CLOSE));
    }
    const text = await readBody(request);
    if (text === null) return refuse(TOO_LARGE);
    const turn = await caller.takeTurn();
    if (turn === null) return;
    try {
      const body = parseBody(text);
      if (!body.ok) return refuse(body.rejection, body.id);
      await this.#answerMessage({ request, response, caller, message: body.message, turn });
    } finally {
      turn.end();
    }
  }

  async #answerMessage(exchange: HttpExchange): Promise<void> {
    const { request, response, message } = exchange;
    const { headers } = request;
    const { servers } = this.#options;
    const outcome = classifyInboundRequest({
      httpMethod: 'POST',
      ...headerOf(headers, 'mcp-protocol-version', 'protocolVersionHeader'),
      ...headerOf(headers, 'mcp-method', 'mcpMethodHeader'),
      ...headerOf(headers, 'mcp-name', 'mcpNameHeader'),
      body: message,
    });
    if (outcome.kind === 'reject') {
      const { httpStatus: status, code, message: reason, data } = outcome;
      const error: JsonRpcError = {
        code,
        message: reason,
        ...(data === undefined ? {} : { data }),
      };
      const rejection = { status, error };
      return this.#writer.sendRejection(response, rejection, idOf(message));
    }
    const id = idOf(message);
    const misplaced = id === null ? null : servers.misplaced?.(message as JSONRPCRequest);
    if (misplaced) {
      const rejection = badRequest(ERROR_CODES.invalidParams, `Invalid params: ${misplaced}`);
      return this.#writer.sendRejection(response, rejection, id);
    }
    return outcome.kind === 'modern'
      ? this.#answerModern(exchange, outcome)
      : this.#answerLegacy(exchange, outcome);
  }

  /** Revision 2026-07-28 has no sessions: a session id is ignored. */
  async #answerModern(exchange: HttpExchange, route: InboundModernRoute): Promise<void> {
    const { request, response } = exchange;
    if (route.messageKind === 'request') {
      const { message, classification } = route;
      const isValid = classification.revision === MODERN_REVISION && headersMatch(request, message);
      if (isValid && this.#isShareable(message)) {
        const answer = await this.#shared.modern.call(message);
        this.#writer.sendJson(response, 200, answer);
        return;
      }
    }
    await this.#perRequest.answerModern(exchange);
  }

  async #answerLegacy(exchange: HttpExchange, route: InboundLegacyRoute): Promise<void> {
    const { request, response, message } = exchange;
    const refuse = (rejection: Rejection) =>
      this.#writer.sendRejection(response, rejection, idOf(message));
    const version = request.headers['mcp-protocol-version'];
    let session: Session | null = null;
    if (route.reason !== 'initialize') {
      const found = this.#findSession(request);
      if (found !== null && 'error' in found) return refuse(found);
      if (found === null && this.#options.requireSession) return refuse(SESSION_REQUIRED);
      session = found;
    }
    if (route.reason === 'batch' && (version ?? session?.revision) !== BATCH_REVISION) {
      const reason = `only revision ${BATCH_REVISION} supports batches; send a single message`;
      return refuse(badRequest(ERROR_CODES.invalidRequest, `Invalid Request: ${reason}`));
    }
    const isSupported =
      version === undefined || SESSION_REVISIONS.some((revision) => revision === version);
    if (isSupported && (route.reason === 'notification' || route.reason === 'response')) {
      // No notification or response affects this server.
      this.#writer.sendEmpty(response, 202);
      return;
    }
    if (route.reason === 'batch' && acceptsBothTypes(request)) {
      await this.#answerBatch(exchange, message as readonly JSONRPCMessage[]);
      return;
    }
    if (route.reason === 'no-claim' && isSupported && acceptsBothTypes(request)) {
      const call = message as JSONRPCRequest;
      if (this.#isShareable(call)) {
        this.#writer.sendJson(response, 200, await this.#shared.legacy.call(call));
        return;
      }
    }
    await this.#perRequest.answerLegacy(exchange);
  }

  async #answerBatch(
    { response, caller, turn }: HttpExchange,
    messages: readonly JSONRPCMessage[],
  ): Promise<void> {
    const refuse = (rejection: Rejection) => this.#writer.sendRejection(response, rejection);
    if (messages.length > MCP_LIMITS.batchMessages) return refuse(tooManyMessages(messages.length));
    const waitSeconds = await caller.countMore(messages.length - 1);
    if (waitSeconds > 0) return refuse(tooManyRequests(waitSeconds));
    const answers = await answerBatch(messages, {
      call: (request) => this.#callInBatch(request),
      first: turn,
      takeTurn: () => caller.takeTurn(),
    });
    if (response.headersSent) return;
    if (answers === null) this.#writer.sendEmpty(response, 202);
    else this.#writer.sendJson(response, 200, answers);
  }

  /** Unknown methods go to the shared server too, which answers "method not found". */
  async #callInBatch(request: JSONRPCRequest): Promise<string | null> {
    if (request.method === 'initialize') return null;
    if (SHARED_METHODS.has(request.method) && !this.#isShareable(request)) return null;
    return this.#shared.legacy.call(request);
  }

  #isShareable(request: JSONRPCRequest): boolean {
    return SHARED_METHODS.has(request.method) && this.#options.servers.isShareable(request);
  }

  /** The session of a request; null without a session id; a rejection if it is unknown or has ended. */
  #findSession({ headers }: IncomingMessage): Session | Rejection | null {
    const id = headers[SESSION_HEADER];
    if (id === undefined) return null;
    return this.#options.sessions.parse(String(id)) ?? SESSION_NOT_FOUND;
  }

  #endSession(request: IncomingMessage, response: ServerResponse): void {
    const found = this.#findSession(request) ?? SESSION_REQUIRED;
    if ('error' in found) return this.#writer.sendRejection(response, found);
    this.#options.sessions.end(found);
    this.#writer.sendEmpty(response, 204);
  }
}

const BATCH_REVISION = '2025-03-26';
