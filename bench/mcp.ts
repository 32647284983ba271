// Tool calls per second beside the SDK's own default handler, in the same run: a small answer, 20
// reviews, 100 reviews, by clients of either generation.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Benchmark, BenchmarkOptions } from './benchmark.ts';
import { pin } from './cores.ts';
import { bytesOf, rateOf, type Request } from './load.ts';
import { Program } from './program.ts';
import { median, ratios } from './statistics.ts';
import { count, type Table } from './table.ts';

const DEFAULT_HANDLER = fileURLToPath(new URL('./mcp/default-handler.ts', import.meta.url));
const CONNECTIONS = 16;
const REVIEWS = 1_000;

/** A server that is measured: where it is, and where it says what it has used. */
interface Measured {
  readonly origin: string;
  readonly cpuPath: string;
}

const CALLS = [
  { title: 'get_business', name: 'get_business', args: {} },
  { title: '20 reviews', name: 'search_reviews', args: { limit: 20 } },
  { title: '100 reviews', name: 'search_reviews', args: { limit: 100 } },
] as const;

const ERAS = {
  'session revisions': ({ name, args }: (typeof CALLS)[number]): Request => ({
    headers: { 'MCP-Protocol-Version': '2025-06-18' },
    body: callOf({ name, arguments: args }),
  }),
  '2026-07-28': ({ name, args }: (typeof CALLS)[number]): Request => ({
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    },
    body: callOf({
      name,
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      },
    }),
  }),
} as const;

function callOf(params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

export const MCP: Benchmark = {
  about: "MCP tool calls, beside the SDK's own default handler",
  run,
};

async function run({ quick, tell }: BenchmarkOptions): Promise<Table[]> {
  const rounds = quick ? 2 : 5;
  const forMs = quick ? 1_000 : 3_000;
  const program = await Program.create({ LOG_LEVEL: 'error' });
  let handler: ChildProcess | null = null;
  try {
    await program.import(reviews());
    const ours: Measured = { origin: await program.serve(), cpuPath: '/metrics' };
    handler = startHandler(ours.origin);
    const theirs: Measured = { origin: await originOf(handler), cpuPath: '/cpu' };
    pin(process.pid, 'measuring');
    const rows: string[][] = [];
    for (const [era, requestOf] of Object.entries(ERAS)) {
      for (const call of CALLS) {
        tell(`${call.title}, ${era}`);
        const taken = await compare(ours, theirs, requestOf(call), { rounds, forMs });
        rows.push([call.title, era, ...taken]);
      }
    }
    return [
      {
        title: 'Tool calls per second',
        columns: ['answer', 'revision', 'ours', 'SDK', 'ratio', 'of rounds', 'CPU', 'ratio of CPU'],
        rows,
        notes: [
          `${count(REVIEWS)} reviews, ${CONNECTIONS} connections; an answer holds its JSON twice, as text and structured.`,
          `Medians of ${rounds} interleaved rounds of ${forMs / 1000} s; ratio: the median of those of the rounds, then the`,
          'least and the greatest; CPU: µs of the server for each call, of ours and of the SDK.',
        ],
      },
    ];
  } finally {
    handler?.kill('SIGKILL');
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

/** Rounds of both, in turns; the first of each only warms up. */
async function compare(
  ours: Measured,
  theirs: Measured,
  request: Request,
  { rounds, forMs }: { readonly rounds: number; readonly forMs: number },
): Promise<string[]> {
  const [mine, other]: [Round[], Round[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    mine.push(await measure(ours, request, forMs));
    other.push(await measure(theirs, request, forMs));
  }
  const pairs = (valueOf: (round: Round) => number) => {
    const [a, b] = [mine.slice(1).map(valueOf), other.slice(1).map(valueOf)];
    return { ours: median(a), theirs: median(b), each: ratios(a, b) };
  };
  const rate = pairs(({ perSecond }) => perSecond);
  const cpu = pairs(({ cpuMicros }) => cpuMicros);
  return [
    count(rate.ours),
    count(rate.theirs),
    median(rate.each).toFixed(1),
    `${Math.min(...rate.each).toFixed(1)} to ${Math.max(...rate.each).toFixed(1)}`,
    `${count(cpu.ours)} / ${count(cpu.theirs)}`,
    (1 / median(cpu.each)).toFixed(1),
  ];
}

interface Round {
  readonly perSecond: number;
  /** Of the server, for each call. */
  readonly cpuMicros: number;
}

async function measure(
  { origin, cpuPath }: Measured,
  request: Request,
  forMs: number,
): Promise<Round> {
  const before = await cpuSecondsOf(origin + cpuPath);
  const { calls, perSecond } = await rateOf(origin, bytesOf(origin, request), {
    connections: CONNECTIONS,
    forMs,
  });
  const used = (await cpuSecondsOf(origin + cpuPath)) - before;
  return { perSecond, cpuMicros: (used * 1e6) / calls };
}

async function cpuSecondsOf(url: string): Promise<number> {
  const said = await (await fetch(url)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(said)?.[1]);
}

function startHandler(datasetOrigin: string): ChildProcess {
  const child = spawn(process.execPath, [DEFAULT_HANDLER], {
    env: { PATH: process.env['PATH'] ?? '', DATASET_ORIGIN: datasetOrigin },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) pin(child.pid, 'measured');
  return child;
}

function originOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the handler ended with code ${code}`)));
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
}
