// JSON that a person writes: settings, a business, a mapping.

import { InputError } from '../errors.ts';

const LONGEST_LINE = 100;

/**
 * Parses the text of a file that has to contain `what`, such as the `example`.
 *
 * @throws {InputError} that shows the line at which it is not JSON any more.
 */
export function parseWritten(path: string, what: string, text: string, example: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    const { message } = error as Error;
    // Of a single character V8 names no place.
    const token = /^Unexpected token '(.+?)',/.exec(message)?.[1];
    const known = /position (\d+)/.exec(message)?.[1];
    const at = Number(known ?? (token === undefined ? json.trimEnd().length : json.indexOf(token)));
    const line = json.slice(0, at).split('\n').length;
    const got = (json.split('\n')[line - 1] ?? '').trim().slice(0, LONGEST_LINE);
    throw new InputError(
      `${path}: expected ${what} in JSON: straight quotes, commas between, and one { } around all, such as ${example}; ` +
        `got ${json.trim() === '' ? 'nothing' : `in or before line ${line}: ${got}`}`,
      { cause: error },
    );
  }
}
