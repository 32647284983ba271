// `verify`: checks the log of any server that runs this program, and says in plain words what changed since it
// was checked last.

import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { InputError, show, withoutControls } from '../errors.ts';
import type { Entry } from '../log/entries.ts';
import { REASON_LABELS } from '../model/removal.ts';
import { fetchBytes, FetchError } from '../log/fetch.ts';
import { parseVerifierKey, type VerifierKey } from '../log/notes.ts';
import {
  LogProblem,
  MAX_CHECKPOINT_BYTES,
  type ReadPath,
  type SeenLog,
  starsOf,
  type VerifiedLog,
  verifyLog,
} from '../log/verify.ts';
import { ROUTES } from '../model/routes.ts';
import { ProgressBar } from './progress.ts';

export interface VerifyFlags {
  /** The file with the checkpoint that was seen last. */
  readonly seen?: string;
  /** Verifier keys of witnesses that must have signed. */
  readonly witness?: readonly string[];
}

const seenSchema = z.strictObject({ keys: z.array(z.string()).min(1), checkpoint: z.string() });
/** A publication in the middle of a check needs another try. */
const ATTEMPTS = 3;
const EXIT_PROBLEM = 1;

/**
 * Prints what the log says, and sets the exit code 1 if it does not hold.
 *
 * @throws {InputError} if the URL or a file cannot be used, or the server does not answer.
 */
export async function runVerify(url: string, flags: VerifyFlags): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new InputError(`expected a URL such as "https://reviews.example.com", got ${show(url)}`);
  }
  const base = url.replace(/\/+$/, '');
  const file = flags.seen ?? `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}.seen.json`;
  const witnesses = (flags.witness ?? []).map(parseWitness);
  const seen = await readSeen(file);
  const bar = new ProgressBar();
  try {
    const verified = await attempt(readerOf(base), seen, witnesses, (done, total) =>
      bar.update('verifying', done, total),
    );
    bar.stop();
    await saveSeen(file, verified.seen);
    process.stdout.write(renderVerified(base, verified, seen !== null));
  } catch (error) {
    bar.stop();
    if (error instanceof FetchError) throw new InputError(`cannot verify: ${error.message}`);
    if (!(error instanceof LogProblem)) throw error;
    const lines = [`${base}: the log does NOT hold`, error.message].map(withoutControls);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = EXIT_PROBLEM;
  } finally {
    bar.stop();
  }
}

function parseWitness(text: string): VerifierKey {
  const key = parseVerifierKey(text);
  if (key?.signer === 'witness') return key;
  throw new InputError(`--witness: expected the verifier key of a witness, got ${show(text)}`);
}

/** Tries again if the log grew meanwhile: then its files were of different publications. */
async function attempt(
  read: ReadPath,
  seen: SeenLog | null,
  witnesses: readonly VerifierKey[],
  onProgress: (done: number, total: number) => void,
): Promise<VerifiedLog> {
  const { path } = ROUTES.getCheckpoint;
  for (let left = ATTEMPTS; ; left--) {
    const before = await read(path, MAX_CHECKPOINT_BYTES);
    try {
      return await verifyLog(read, seen, witnesses, onProgress);
    } catch (error) {
      const isSame = before.equals(await read(path, MAX_CHECKPOINT_BYTES));
      if (!(error instanceof LogProblem) || isSame || left === 1) throw error;
    }
  }
}

function readerOf(base: string): ReadPath {
  return async (path, maxBytes) => {
    const { status, body } = await fetchBytes(base + path, maxBytes ? { maxBytes } : {});
    if (status === 200) return body;
    if (status === 404 && path.includes('/tile/')) throw new LogProblem(`${path} is missing`);
    throw new FetchError(`${base}${path}: expected status 200, got ${status}`);
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
  try {
    return seenSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new InputError(`--seen: expected a file that verify wrote, got ${file}`, {
      cause: error,
    });
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

/** What the log says, in plain words. */
export function renderVerified(
  url: string,
  { checkpoint, entries, replay, known, cosigners }: VerifiedLog,
  wasSeen: boolean,
): string {
  const recent = entries.slice(known);
  const of = <T extends Entry['type']>(type: T) =>
    recent.filter((entry): entry is Entry & { type: T } => entry.type === type);
  const removed = of('removed');
  const removals = recent.flatMap((entry, index) =>
    entry.type === 'removed'
      ? [
          `  entry ${known + index}: ${starsOf(entry.rating)}, ${entry.date}, ${entry.source || 'another source'}: ` +
            `${REASON_LABELS[entry.reason]}, ${entry.at}`,
        ]
      : [],
  );
  const withheld = Object.values(replay.publication?.withheld ?? {});
  const lines = [
    `${url}: the log holds`,
    `${checkpoint.size} entries, signed by ${checkpoint.origin}`,
    ...(cosigners.length > 0 ? [`cosigned by ${cosigners.join(', ')}`] : []),
    `published: ${replay.reviews.size}, each as the log says, and no other`,
    wasSeen
      ? `since it was checked last, at entry ${known}:`
      : 'since it began (it was not checked here before):',
    `added    ${countOf(of('added'))}`,
    `edited   ${countOf(of('edited'))}`,
    ...starChanges(entries, known),
    `removed  ${countOf(removed)}`,
    ...removals,
    `withheld ${starsList(sumOf(withheld))}, as the business says`,
  ];
  return `${lines.map(withoutControls).join('\n')}\n`;
}

/** A line for each edit from entry `first` on that changed the stars. */
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

function sumOf(counts: readonly (readonly number[])[]): number[] {
  return [0, 1, 2, 3, 4].map((star) => counts.reduce((sum, each) => sum + (each[star] ?? 0), 0));
}

/** Such as `3 (1 star: 2, 5 stars: 1)`. */
function starsList(stars: readonly number[]): string {
  const total = stars.reduce((sum, each) => sum + each, 0);
  const parts = stars.flatMap((each, star) => (each > 0 ? [`${starsOf(star + 1)}: ${each}`] : []));
  return parts.length === 0 ? '0' : `${total} (${parts.join(', ')})`;
}
