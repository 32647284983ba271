// Tool calls per second beside the SDK's own default handler, in the same run: a small answer, 20
// reviews, 100 reviews, by clients of either generation.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeReviews } from '../test/support/generate.ts';
import { rateOf, type Request } from './mcp/load.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const DEFAULT_HANDLER = fileURLToPath(new URL('./mcp/default-handler.ts', import.meta.url));
const CONNECTIONS = 16;
const REVIEWS = 1_000;

interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

interface Options {
  readonly quick: boolean;
  readonly tell: (line: string) => void;
}

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

export const MCP = {
  about: "MCP tool calls, beside the SDK's own default handler",
  run,
};

async function run({ quick, tell }: Options): Promise<Table[]> {
  const rounds = quick ? 2 : 5;
  const forMs = quick ? 1_000 : 3_000;
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-bench-'));
  const children: ChildProcess[] = [];
  try {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'reviews.db')}`, PORT: '0' };
    const file = join(folder, 'reviews.ndjson');
    await writeReviews(file, REVIEWS);
    await finish(start([MAIN, 'import', file], environment, 'measuring'));
    const ours = await serve(start([MAIN, 'serve'], environment, 'measured'), children, '/metrics');
    const theirs = await serve(
      start([DEFAULT_HANDLER], { DATASET_ORIGIN: ours.origin }, 'measured'),
      children,
      '/cpu',
    );
    pin(process.pid, 'measuring');
    const rows: string[][] = [];
    for (const [era, requestOf] of Object.entries(ERAS)) {
      for (const call of CALLS) {
        tell(`${call.title}, ${era}`);
        rows.push([
          call.title,
          era,
          ...(await compare(ours, theirs, requestOf(call), rounds, forMs)),
        ]);
      }
    }
    return [
      {
        title: 'Tool calls',
        columns: [
          'answer',
          'revision',
          'a second',
          'SDK default',
          'ratio',
          'of rounds',
          'CPU µs',
          'ratio',
        ],
        rows,
        notes: [
          `${REVIEWS} reviews, ${CONNECTIONS} connections, each answer twice in it, as text and structured. Medians of`,
          `${rounds} interleaved rounds of ${forMs / 1000} s; CPU: µs of the server for each call, of ours and the SDK's.`,
        ],
      },
    ];
  } finally {
    await Promise.all(children.map(stop));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rounds of both, in turns; the first of each only warms up. */
async function compare(
  ours: Measured,
  theirs: Measured,
  request: Request,
  rounds: number,
  forMs: number,
): Promise<string[]> {
  const taken: { rate: number; cpu: number }[][] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    for (const [place, { origin, cpuPath }] of [ours, theirs].entries()) {
      const before = await cpuSecondsOf(origin + cpuPath);
      const { calls, perSecond } = await rateOf(origin, request, {
        connections: CONNECTIONS,
        forMs,
      });
      const used = (await cpuSecondsOf(origin + cpuPath)) - before;
      if (round > 0) taken[place]?.push({ rate: perSecond, cpu: (used * 1e6) / calls });
    }
  }
  const [mine = [], other = []] = taken;
  const rates = mine.map(({ rate }, round) => rate / (other[round]?.rate ?? Number.NaN));
  const cpus = mine.map(({ cpu }, round) => (other[round]?.cpu ?? Number.NaN) / cpu);
  return [
    count(median(mine.map(({ rate }) => rate))),
    count(median(other.map(({ rate }) => rate))),
    median(rates).toFixed(1),
    `${Math.min(...rates).toFixed(1)} to ${Math.max(...rates).toFixed(1)}`,
    `${count(median(mine.map(({ cpu }) => cpu)))} / ${count(median(other.map(({ cpu }) => cpu)))}`,
    median(cpus).toFixed(1),
  ];
}

async function cpuSecondsOf(url: string): Promise<number> {
  const said = await (await fetch(url)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(said)?.[1]);
}

type Role = 'measured' | 'measuring';

function start(args: readonly string[], environment: Record<string, string>, role: Role) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid !== undefined) pin(child.pid, role);
  return child;
}

/** What is measured has a core to itself, what measures the others, where the system lets us choose. */
function pin(processId: number, role: Role): void {
  const last = availableParallelism() - 1;
  if (last === 0) return;
  const cores = role === 'measured' ? '0' : `1-${last}`;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(processId)]);
}

async function serve(
  child: ChildProcess,
  children: ChildProcess[],
  cpuPath: string,
): Promise<Measured> {
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server ended with code ${code}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      const [origin] = /http:\/\/\S+/.exec(chunk.toString()) ?? [];
      if (origin !== undefined) resolve({ origin, cpuPath });
    });
  });
}

function finish(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('exit', resolve));
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit');
  if (child.exitCode !== null) return;
  const ended = finish(child);
  child.kill('SIGKILL');
  await ended;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

if (import.meta.main) {
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const tables = await run({ quick: process.argv.includes('--quick'), tell });
  for (const { title, columns, rows, notes } of tables) {
    const lines = [columns, columns.map(() => '---'), ...rows].map(
      (row) => `| ${row.join(' | ')} |`,
    );
    process.stdout.write(`### ${title}\n\n${lines.join('\n')}\n\n${notes.join('\n')}\n`);
  }
}
