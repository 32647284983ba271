// What a log is verified with: the files that its server serves.

import type { JsonValue } from './canonical.ts';

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
