// NDJSON: one review on each line.

import { InputError, show } from '../../errors.ts';
import type { Item } from './json.ts';
import { RECORD_LIMIT, type Source, tooLong } from '../text/text.ts';

/** The rows of a file with one JSON record on each line; a line that is none is refused. */
export async function* readNdjson({ name, chunks }: Source): AsyncGenerator<Item> {
  let line = 0;
  let isEmpty = true;
  for await (const chunk of chunks) {
    for (const text of chunk.toString().replace(/\n$/, '').split('\n')) {
      line += 1;
      if (Buffer.byteLength(text) > RECORD_LIMIT) throw tooLong(name, line);
      if (text.trim() === '') continue;
      isEmpty = false;
      try {
        yield { line, record: JSON.parse(text) };
      } catch {
        const refusal = `expected one review as a line of JSON, got ${show(text)}; correct it, or export the file again`;
        yield { line, record: null, refusal };
      }
    }
  }
  if (isEmpty)
    throw new InputError(`${name}:1: expected reviews, got only blank lines; export them again`);
}
