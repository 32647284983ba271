// `verify`: checks the log of any server that runs this program, and says in plain words what changed since it
// was checked last.

import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { InputError, show, withoutControls } from '../../errors.ts';
import { parseCheckpoint } from '../../log/checkpoint.ts';
import { type Entry, starsIn } from '../../log/entries.ts';
import { MS_PER_DAY } from '../../model/date.ts';
import { fetchBytes, FetchError, NotFoundError } from '../../log/fetch.ts';
import { type Cosignature, parseVerifierKey, type VerifierKey } from '../../log/notes.ts';
import { starsOf } from '../../log/published.ts';
import { compareSamples, type Samples } from '../../log/samples.ts';
import { LogProblem, type ReadPath } from '../../log/served.ts';
import {
  AHEAD_MS,
  MAX_CHECKPOINT_BYTES,
  type SeenLog,
  type VerifiedLog,
  verifyLog,
  type VerifyOptions,
} from '../../log/verify.ts';
import { ROUTES } from '../../model/routes.ts';
import { VERSION } from '../../version.ts';
import { withProgress } from '../terminal/progress.ts';

export interface VerifyFlags {
  /** The file with the checkpoint that was seen last. */
  readonly seen?: string;
  /** Verifier keys of witnesses that must have signed. */
  readonly witness?: readonly string[];
  /** Whether requests look like those of a browser, so that the server cannot answer verifiers otherwise than readers. */
  readonly asBrowser?: boolean;
}

const seenSchema = z.strictObject({ keys: z.array(z.string()).min(1), checkpoint: z.string() });
/** A publication in the middle of a check needs another try. */
const ATTEMPTS = 3;
/** A hostile server must not hold its auditor for ever. */
const LONGEST_MS = 30 * 60_000;
/** The longest wait that a server may ask for when requests are too many. */
const LONGEST_RETRY_S = 60;
const OLD_COSIGNATURE_MS = 7 * MS_PER_DAY;
const PROGRAM_HEADERS = { 'user-agent': `public-reviews/${VERSION} (verify)` };
const BROWSER_HEADERS = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
};
const EXIT_PROBLEM = 1;

/**
 * Prints what the log says, and sets the exit code 1 if it does not hold.
 *
 * @throws {InputError} if the URL or a file cannot be used, or the server does not answer.
 */
export async function runVerify(url: string, flags: VerifyFlags): Promise<void> {
  const base = url.replace(/\/+$/, '');
  const { protocol, origin } = URL.parse(base) ?? {};
  if (!/^https?:$/.test(protocol ?? '') || origin !== base.toLowerCase()) {
    const such = protocol && origin !== 'null' ? origin : 'https://reviews.example.com';
    throw new InputError(`expected an origin such as "${such}", got ${show(url)}`);
  }
  const file = flags.seen ?? `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}.seen.json`;
  const witnesses = (flags.witness ?? []).map(parseWitness);
  const seen = await readSeen(file);
  try {
    const read = readerOf(base, flags.asBrowser ? BROWSER_HEADERS : PROGRAM_HEADERS);
    const nowMs = Date.now();
    const verified = await withProgress('verifying', (onProgress) =>
      attempt(read, { seen, witnesses, nowMs, onProgress }),
    );
    process.stdout.write(renderVerified(base, verified, { wasSeen: seen !== null, nowMs }));
    // A checkpoint that somebody else saved stays as it is.
    const isForeign = seen?.keys.length === 0;
    if (!isForeign) await saveSeen(file, verified.seen);
    const kept = isForeign
      ? `not kept, ${file} is a checkpoint: check without it too`
      : `kept for the next check: ${file}`;
    process.stderr.write(`${withoutControls(kept)}\n`);
  } catch (error) {
    if (error instanceof FetchError) throw new InputError(`cannot verify: ${error.message}`);
    if (!(error instanceof LogProblem)) throw error;
    const lines = [`${base}: the log does NOT hold`, error.message].map(withoutControls);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = EXIT_PROBLEM;
  }
}

function parseWitness(text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key?.signer === 'witness') return key;
  throw new InputError(`--witness: expected the verifier key of a witness, got ${show(text)}`);
}

type Verified = VerifiedLog & { readonly samples: Samples };

/** Tries again if the log grew meanwhile: then its files were of different publications. */
async function attempt(read: ReadPath, options: VerifyOptions): Promise<Verified> {
  const { path } = ROUTES.getCheckpoint;
  for (let left = ATTEMPTS; ; left--) {
    const before = await read(path, MAX_CHECKPOINT_BYTES);
    try {
      const verified = await verifyLog(read, options);
      return { ...verified, samples: await compareSamples(read, verified.reviews, Math.random) };
    } catch (error) {
      const isSame = before.equals(await read(path, MAX_CHECKPOINT_BYTES));
      if (!(error instanceof LogProblem) || isSame || left === 1) throw error;
    }
  }
}

function readerOf(base: string, headers: Readonly<Record<string, string>>): ReadPath {
  const endMs = performance.now() + LONGEST_MS;
  const ask = async (url: string, maxBytes: number | undefined, isFirst: boolean) => {
    if (performance.now() > endMs) {
      throw new FetchError(`${url}: the server took longer than ${LONGEST_MS / 60_000} minutes`);
    }
    const answer = await fetchBytes(url, { headers, ...(maxBytes && { maxBytes }) });
    const seconds = Number(answer.retryAfter ?? NaN);
    if (answer.status !== 429 || !isFirst || !(seconds <= LONGEST_RETRY_S)) return answer;
    await sleep(seconds * 1000);
    return ask(url, maxBytes, false);
  };
  return async (path, maxBytes) => {
    const { status, body } = await ask(base + path, maxBytes, true);
    if (status === 200) return body;
    if (status === 404 && path.includes('/tile/')) throw new LogProblem(`${path} is missing`);
    const message = `${base}${path}: expected status 200, got ${status}`;
    throw status === 404 ? new NotFoundError(message) : new FetchError(message);
  };
}

async function readSeen(file: string): Promise<SeenLog | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError(`--seen: cannot read ${file}: ${String(error)}`, { cause: error });
  }
  if (parseCheckpoint(text)) return { keys: [], checkpoint: text };
  try {
    return seenSchema.parse(JSON.parse(text));
  } catch (error) {
    const message = `--seen: expected a file that verify wrote, or what ${ROUTES.getCheckpoint.path} answered, got ${file}`;
    throw new InputError(message, { cause: error });
  }
}

async function saveSeen(file: string, seen: SeenLog): Promise<void> {
  const temporary = `${file}.${process.pid}`;
  try {
    await writeFile(temporary, `${JSON.stringify(seen, null, 2)}\n`);
    await rename(temporary, file);
  } catch (error) {
    throw new InputError(`--seen: cannot write ${file}: ${String(error)}`, { cause: error });
  }
}

export function renderVerified(
  url: string,
  { checkpoint, entries, replay, known, samples, ...cosigned }: Verified,
  { wasSeen, nowMs }: { readonly wasSeen: boolean; readonly nowMs: number },
): string {
  const recent = entries.slice(known);
  const of = <T extends Entry['type']>(type: T) =>
    recent.filter((entry): entry is Entry & { type: T } => entry.type === type);
  const removed = of('removed');
  const removals = recent.flatMap((entry, index) =>
    entry.type === 'removed'
      ? [
          `  entry ${known + index}: ${starsOf(entry.rating)}, ${entry.date}, ${entry.source || 'another source'}: ` +
            `${entry.reason.replaceAll('_', ' ')}, ${entry.at}`,
        ]
      : [],
  );
  const lines = [
    `${url}: the log holds`,
    `${checkpoint.size} entries, signed by ${checkpoint.origin}`,
    ...renderCosigned(cosigned, nowMs),
    ...renderAhead(entries, nowMs),
    `published: ${replay.reviews.size}, each as the log says, and no other; mean, counts and totals are theirs`,
    `compared with them: ${samples.searches} searches, ${samples.reviews} single reviews, ${samples.pages} pages, ${samples.feeds} feeds`,
    wasSeen
      ? `since it was checked last, at entry ${known}:`
      : 'since it began (it was not checked here before):',
    `added    ${countOf(of('added'))}`,
    `edited   ${countOf(of('edited'))}`,
    ...starChanges(entries, known),
    `removed  ${countOf(removed)}`,
    ...removals,
    `withheld ${starsList(starsIn(replay.publication?.withheld ?? {}))}, as the business says`,
  ];
  return `${lines.map(withoutControls).join('\n')}\n`;
}

function starChanges(entries: readonly Entry[], first: number): string[] {
  const starsNow = new Map<number, number>();
  return entries.flatMap((entry, index) => {
    if (entry.type === 'added') starsNow.set(index, entry.rating);
    if (entry.type !== 'edited') return [];
    const before = starsNow.get(entry.review);
    starsNow.set(entry.review, entry.rating);
    if (index < first || before === undefined || before === entry.rating) return [];
    const { source, date, rating, at } = entry;
    return [
      `  entry ${index}: ${starsOf(before)} became ${rating}, ${date}, ${source || 'another source'}, ${at}`,
    ];
  });
}

function countOf(entries: readonly { readonly rating: number }[]): string {
  const stars = [0, 0, 0, 0, 0];
  for (const { rating } of entries) stars[rating - 1] = (stars[rating - 1] as number) + 1;
  return starsList(stars);
}

/** A clock that ran ahead changes no entry, and times never run backwards: it passes. */
function renderAhead(entries: readonly Entry[], nowMs: number): string[] {
  const first = entries.findIndex(({ at }) => Date.parse(at) > nowMs + AHEAD_MS);
  const last = entries.at(-1)?.at ?? '';
  const message = `entry ${first} and those after it are dated in the FUTURE, up to ${last}: a clock ran ahead, or yours is behind; that passes in ${spanOf(Date.parse(last) - nowMs)}`;
  return first === -1 ? [] : [message];
}

/** Who cosigned, and how long ago: a copy of the log that was frozen has old cosignatures only. */
function renderCosigned(
  {
    cosignatures,
    unknownCosignatures: unknown,
  }: Pick<Verified, 'cosignatures' | 'unknownCosignatures'>,
  nowMs: number,
): string[] {
  if (cosignatures.length === 0) {
    if (unknown.length === 0) return ['no witness has cosigned it'];
    const names = unknown.map(({ name }) => name).join(', ');
    return [
      `cosigned ${newestAge(unknown, nowMs)} by ${names}, not checked: name the key of a witness with --witness`,
    ];
  }
  const names = cosignatures.map(({ name }) => name).join(', ');
  const newestMs = Math.max(...cosignatures.map(({ atMs }) => atMs));
  return [
    `cosigned by ${names}, last ${newestAge(cosignatures, nowMs)}`,
    ...(nowMs - newestMs > OLD_COSIGNATURE_MS
      ? ['that is long ago: a copy of the log that was frozen then looks the same']
      : []),
  ];
}

/** Such as "3 hours ago". */
function newestAge(cosignatures: readonly Cosignature[], nowMs: number): string {
  return `${spanOf(nowMs - Math.max(...cosignatures.map(({ atMs }) => atMs)))} ago`;
}

/** Such as "3 hours". */
function spanOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const length = [24 * 60, 60].find((each) => minutes >= 2 * each) ?? 1;
  const unit = { 1: 'minute', 60: 'hour' }[length] ?? 'day';
  const count = Math.floor(minutes / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Such as `3 (1 star: 2, 5 stars: 1)`. */
function starsList(stars: readonly number[]): string {
  const total = stars.reduce((sum, each) => sum + each, 0);
  const parts = stars.flatMap((each, star) => (each > 0 ? [`${starsOf(star + 1)}: ${each}`] : []));
  return parts.length === 0 ? '0' : `${total} (${parts.join(', ')})`;
}
