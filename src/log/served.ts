// What a log is verified with: the files that its server serves.

import { canonicalJson, type JsonValue } from './canonical.ts';

/** Letters of a value in a message. */
const MAX_TOLD = 200;

/** The files of a server. `maxBytes` limits the answer. */
export type ReadPath = (path: string, maxBytes?: number) => Promise<Buffer>;

/** The log does not hold. The message says where. */
export class LogProblem extends Error {
  override readonly name = 'LogProblem';
}

/** A review of `/reviews.json`; its other members are compared as they are. */
export interface PublishedReview {
  readonly [key: string]: JsonValue;
  readonly id: string;
  readonly rating: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly source: string;
}

/** @throws {LogProblem} if the file is no JSON */
export async function readJson(
  read: ReadPath,
  path: string,
  maxBytes?: number,
): Promise<JsonValue> {
  try {
    return JSON.parse((await read(path, maxBytes)).toString()) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) throw new LogProblem(`${path} is no JSON`);
    throw error;
  }
}

export function isObject(
  value: JsonValue | undefined,
): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same. What cannot be written, such as 1e999, was never published. */
export function isSame(a: JsonValue, b: JsonValue): boolean {
  const written = write(a);
  return written !== null && written === write(b);
}

export function tell(value: JsonValue): string {
  return write(value)?.slice(0, MAX_TOLD) ?? 'what this program never writes';
}

/** Canonical JSON; null for numbers that are not finite, and for a hundred thousand lists in each other. */
function write(value: JsonValue): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}
