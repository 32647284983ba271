// The waits of a reader while others attack, compared with its waits in the same round without an attack.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { Companion } from './companion.ts';
import type { AttackQuestion } from './hostile/attacker.ts';
import { Program } from './program.ts';
import type { Reading, Waits } from './reader.ts';
import { median, quantile } from './statistics.ts';

const READ = '/api/feed.json';
const READ_EVERY_MS = 10;
/** After this time all connections of an attack are open. */
const LEAD_MS = 500;
const REVIEWS = 1_000;

const search = 'GET /api/reviews/search?query=the&limit=100 HTTP/1.1\r\nHost: a\r\n\r\n';
const document = 'GET /reviews.json HTTP/1.1\r\nHost: a\r\n\r\n';
const POST = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_reviews","arguments":{"query":"the","limit":100}}}';
const call = `${POST}Accept: application/json, text/event-stream\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`;

type Attack = Omit<AttackQuestion, 'origin' | 'forMs'>;

const NOTHING = { first: '', next: null, drip: null, reads: true };
const ATTACKS: Readonly<Record<string, Attack>> = {
  '2,000 connections that send nothing': { ...NOTHING, connections: 2_000 },
  '500 connections with a header without end': {
    ...NOTHING,
    connections: 500,
    first: 'GET / HTTP/1.1\r\nHost: a\r\nA: ',
    drip: 'a',
  },
  '500 connections with a body without end': {
    ...NOTHING,
    connections: 500,
    first: `${POST}Content-Length: 60000\r\n\r\n`,
    drip: ' ',
  },
  '200 downloads that are never read': {
    ...NOTHING,
    connections: 200,
    first: document,
    reads: false,
  },
  '20 connections with malformed requests': {
    ...NOTHING,
    connections: 20,
    first: 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  },
  '4 connections with 100 pipelined searches': {
    ...NOTHING,
    connections: 4,
    first: search.repeat(100),
    reads: false,
  },
  '1 connection with expensive searches': {
    ...NOTHING,
    connections: 1,
    first: search,
    next: search,
  },
  '32 connections with expensive searches': {
    ...NOTHING,
    connections: 32,
    first: search,
    next: search,
  },
  '32 connections with expensive MCP calls': {
    ...NOTHING,
    connections: 32,
    first: call,
    next: call,
  },
};

export const HOSTILE: Benchmark = {
  about: 'the waits of a reader while others attack',
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 1_000 : 4_000;
  const program = await Program.create({ LOG_LEVEL: 'error', BASE_URL: 'http://localhost' });
  const reader = Companion.start<Reading, Waits>(
    new URL('reader.ts', import.meta.url),
    'measuring',
  );
  const attacker = Companion.start<AttackQuestion, number>(
    new URL('hostile/attacker.ts', import.meta.url),
    'measuring',
  );
  try {
    await program.import(Array.from({ length: REVIEWS }, (_, number) => reviewOf(number)));
    const origin = await program.serve([]);
    const read = async () => {
      const waits = await reader.ask({ url: origin + READ, forMs, everyMs: READ_EVERY_MS });
      return waits.map(({ ms }) => ms);
    };
    await read();
    const rows: string[][] = [];
    for (const [title, attack] of Object.entries(ATTACKS)) {
      log(title);
      const [quiet, attacked]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        quiet.push(...(await read()));
        const attacking = attacker.ask({ ...attack, origin, forMs: LEAD_MS + forMs });
        await sleep(LEAD_MS);
        attacked.push(...(await read()));
        await attacking;
      }
      const ms = (value: number) => value.toFixed(2);
      rows.push([
        title,
        ms(median(quiet)),
        ms(median(attacked)),
        (median(attacked) / median(quiet)).toFixed(2),
        ms(quantile(attacked, 0.99)),
      ]);
    }
    return {
      tables: [
        {
          title: 'ms that a reader of the JSON Feed waits',
          columns: ['attack', 'median without', 'median with', 'ratio', '99% with'],
          rows,
          notes: [
            `${rounds} rounds of ${forMs / 1000} s without and with each attack, in turns; ${REVIEWS} reviews. The attacker, the`,
            'reader and the server share the machine. Attacks that use all CPU delay everybody by the work in progress.',
          ],
        },
      ],
    };
  } finally {
    await reader.stop();
    await attacker.stop();
    await program.close();
  }
}

function reviewOf(number: number): object {
  return {
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2020, 0, 1 + (number % 2_000))).toISOString().slice(0, 10),
    text: `Visit ${number}: came on time, fixed the boiler and left the house without a mess.`,
    source: 'google',
    verified: true,
  };
}
