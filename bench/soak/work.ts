// The mixed work of a soak: reads, searches, MCP calls and sessions, subscriptions, and imports that add, edit
// and remove reviews. Each kind repeats at its own interval until the signal aborts.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../program.ts';
import type { Callbacks } from './callbacks.ts';

const REVIEWS = 1_000;
/** Reviews that every other import removes. */
const REMOVED = 50;
const SUBSCRIPTIONS = 20;
const TOPICS = ['/feed.xml', '/api/feed.json', '/reviews.json'];
const MCP_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** What was done, by kind, and every answer with a status from 500 on. */
export interface Done {
  readonly counts: Map<string, number>;
  readonly faults: string[];
}

interface Work {
  readonly program: Program;
  readonly origin: string;
  readonly callbacks: Callbacks;
  readonly signal: AbortSignal;
}

/** The reviews of an edition: all but some have the same text in the next one. */
export function reviewsOf(edition: number): object[] {
  const count = edition % 2 === 0 ? REVIEWS : REVIEWS - REMOVED;
  return Array.from({ length: count }, (_, number) => ({
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2020, 0, 1 + (number % 2_000))).toISOString().slice(0, 10),
    text: `Visit ${number}, edition ${number % 20 === 0 ? edition % 50 : 0}: fixed the boiler and left no mess.`,
    source: 'google',
    verified: true,
  }));
}

/** Works until the signal aborts. */
export async function work(parts: Work): Promise<Done> {
  const { program, origin, callbacks, signal } = parts;
  const done: Done = { counts: new Map(), faults: [] };
  const ask = async (kind: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetchAgain(origin + path, init, done.counts);
    if (response.status >= 500) done.faults.push(`${response.status} ${kind} ${path}`);
    done.counts.set(kind, (done.counts.get(kind) ?? 0) + 1);
    return response;
  };
  const read = async (kind: string, path: string) => {
    await (await ask(kind, path, { headers: { Accept: 'text/html' } })).arrayBuffer();
  };
  const call = async (kind: string, body: object, headers: Record<string, string> = {}) => {
    const init = {
      method: 'POST',
      headers: { ...MCP_HEADERS, ...headers },
      body: JSON.stringify(body),
    };
    const response = await ask(kind, '/mcp', init);
    await response.arrayBuffer();
    return response;
  };
  const subscribe = (mode: string, number: number) =>
    ask(mode, '/api/websub/hub', {
      method: 'POST',
      body: new URLSearchParams({
        'hub.mode': mode,
        'hub.topic': origin + (TOPICS[number % TOPICS.length] as string),
        'hub.callback': callbacks.url(number),
      }),
    }).then((response) => response.arrayBuffer());

  const DOCUMENTS = ['/reviews.json', '/feed.xml', '/api/feed.json', '/insights.json', '/', '/faq'];
  const every = async (intervalMs: number, doOnce: (round: number) => Promise<unknown>) => {
    for (let round = 0; !signal.aborted; round++) {
      await doOnce(round);
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all([
    every(20, (round) => read('read', DOCUMENTS[round % DOCUMENTS.length] as string)),
    every(20, (round) => read('search', `/api/reviews/search?query=visit+${round}&limit=20`)),
    every(200, (round) => read('page', `/reviews?query=visit+${round}`)),
    every(100, (round) =>
      call('MCP call', {
        jsonrpc: '2.0',
        id: round,
        method: 'tools/call',
        params: { name: 'search_reviews', arguments: { query: `visit ${round}` } },
      }),
    ),
    every(500, async () => {
      const clientInfo = { name: 'soak', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      const opened = await call('MCP session', {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params,
      });
      const id = opened.headers.get('mcp-session-id') ?? '';
      await ask('end of a session', '/mcp', {
        method: 'DELETE',
        headers: { 'Mcp-Session-Id': id },
      });
    }),
    every(1_000, async (round) => {
      await subscribe('subscribe', round % (2 * SUBSCRIPTIONS));
      await subscribe('unsubscribe', (round + SUBSCRIPTIONS) % (2 * SUBSCRIPTIONS));
    }),
    every(3_000, async (round) => {
      await program.import(reviewsOf(round + 1), undefined, ['--prune']);
      done.counts.set('import', (done.counts.get('import') ?? 0) + 1);
    }),
  ]);
  return done;
}

/** Attempts of a request whose connection is closed. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;

/**
 * Sends a request again if the server closed the connection, and counts that. It may close one that was idle,
 * or too slow on a loaded machine, while the request is on its way. All requests here can be repeated.
 */
async function fetchAgain(
  url: string,
  init: RequestInit,
  counts: Map<string, number>,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      counts.set('closed connection', (counts.get('closed connection') ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  }
}
