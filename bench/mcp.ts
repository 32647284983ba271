// Tool calls per second compared with the SDK's default handler in the same run: a small answer, 20
// reviews and 100 reviews, by clients of both generations.

import type { Benchmark, BenchmarkOptions, Findings } from './benchmark.ts';
import { type Measured, rateOf } from './load.ts';
import { Program } from './program.ts';
import { bytesOf, type Request } from './requests.ts';
import { RATIO_NOTE, showRatios, takeRounds } from './rounds.ts';
import { Server } from './server.ts';
import { median } from './statistics.ts';
import { count } from './table.ts';

const DEFAULT_HANDLER = new URL('./mcp/default-handler.ts', import.meta.url);
const CONNECTIONS = 16;
const REVIEWS = 1_000;

const CALLS = [
  { title: 'get_business', name: 'get_business', args: {} },
  { title: '20 reviews', name: 'search_reviews', args: { limit: 20 } },
  { title: '100 reviews', name: 'search_reviews', args: { limit: 100 } },
] as const;

const ERAS = {
  'session revisions': ({ name, args }: (typeof CALLS)[number]): Request =>
    callOf({ 'MCP-Protocol-Version': '2025-06-18' }, { name, arguments: args }),
  '2026-07-28': ({ name, args }: (typeof CALLS)[number]): Request =>
    callOf(
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
      {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        },
      },
    ),
} as const;

function callOf(headers: Readonly<Record<string, string>>, params: object): Request {
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

export const MCP: Benchmark = {
  about: "MCP tool calls, compared with the SDK's default handler",
  run,
};

async function run({ quick, log }: BenchmarkOptions): Promise<Findings> {
  const rounds = quick ? 1 : 5;
  const forMs = quick ? 300 : 3_000;
  const program = await Program.create({ LOG_LEVEL: 'error' });
  let handler: Server | null = null;
  try {
    await program.import(reviews());
    const origin = await program.serve();
    const ours: Measured = { title: 'ours', origin, processIds: program.processIds };
    handler = await Server.start(DEFAULT_HANDLER, { DATASET_ORIGIN: origin });
    const theirs: Measured = {
      title: 'SDK',
      origin: handler.origin,
      processIds: handler.processIds,
    };
    const rows: string[][] = [];
    for (const [era, requestOf] of Object.entries(ERAS)) {
      for (const call of CALLS) {
        log(`${call.title}, ${era}`);
        const taken = await compare(ours, theirs, requestOf(call), { rounds, forMs });
        rows.push([call.title, era, ...taken]);
      }
    }
    return {
      tables: [
        {
          title: 'Tool calls per second',
          columns: [
            'answer',
            'revision',
            'ours',
            'SDK',
            'ratio',
            'of rounds',
            'CPU',
            'ratio of CPU',
          ],
          rows,
          notes: [
            `${count(REVIEWS)} reviews, ${CONNECTIONS} connections; an answer holds its JSON twice, as text and structured.`,
            `Medians of ${rounds} interleaved rounds of ${forMs / 1000} s; ratio: ${RATIO_NOTE};`,
            'CPU: µs of the server for each call, of ours and of the SDK.',
          ],
        },
      ],
    };
  } finally {
    await handler?.stop();
    await program.close();
  }
}

function reviews(): object[] {
  return Array.from({ length: REVIEWS }, (_, number) => ({
    source_id: `r${number}`,
    author: `Reviewer ${number}`,
    rating: 1 + (number % 5),
    date: new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10),
    text:
      `Review ${number}: came on time, fixed the boiler and left no mess behind. The price was what ` +
      'they had said before, and I would call them again any time, day or night, summer or winter.',
    source: 'google',
    verified: true,
  }));
}

async function compare(
  ours: Measured,
  theirs: Measured,
  request: Request,
  { rounds, forMs }: { readonly rounds: number; readonly forMs: number },
): Promise<string[]> {
  const taken = await takeRounds([ours, theirs], rounds, async (server) => {
    const requests = [bytesOf(server.origin, request)];
    const { perSecond, load } = await rateOf(server, requests, { connections: CONNECTIONS, forMs });
    // No figure if the system does not report it.
    return { perSecond, cpuMicros: ((load ?? Number.NaN) * 1e6) / perSecond };
  });
  const [mine, other] = [taken.get(ours) ?? [], taken.get(theirs) ?? []];
  const rates = [mine, other].map((all) => all.map(({ perSecond }) => perSecond));
  const cpu = [mine, other].map((all) => median(all.map(({ cpuMicros }) => cpuMicros)));
  return [
    ...rates.map((all) => count(median(all))),
    ...showRatios(rates[0] ?? [], rates[1] ?? [], 1),
    cpu.map(count).join(' / '),
    ((cpu[1] ?? 0) / (cpu[0] ?? 0)).toFixed(1),
  ];
}
