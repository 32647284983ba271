// HTML and XML as events with lines, in bounded memory: documents come from strangers.

import type { Parser } from 'htmlparser2';
import { InputError } from '../../errors.ts';
import { loadHtmlParser } from './html-parser.ts';
import { RECORD_LIMIT, type Source } from './text.ts';

/** Elements that may be nested. Browsers stop at 512. */
const MAX_DEPTH = 1_000;
/** Characters of one tag or comment. */
const LONGEST_TAG = 4 * RECORD_LIMIT;

export interface Element {
  /** In lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

export interface MarkupHandler {
  onOpen(element: Element): void;
  onText(text: string): void;
  onClose(name: string): void;
}

/**
 * Parses a document chunk by chunk; yields what `take` returns after each.
 *
 * @throws {InputError} if it is nested too deep, or if a tag is too long.
 */
export async function* parseMarkup<Result>(
  { name, chunks }: Source,
  { isXml, handler, take }: MarkupOptions<Result>,
): AsyncGenerator<Result> {
  const parsing = new MarkupParsing(name, isXml, handler);
  for await (const chunk of chunks) {
    parsing.write(chunk.toString());
    yield* take();
  }
  parsing.end();
  yield* take();
}

export interface MarkupOptions<Result> {
  readonly isXml: boolean;
  readonly handler: MarkupHandler;
  /** What was found since the last call. */
  readonly take: () => readonly Result[];
}

class MarkupParsing {
  readonly #name: string;
  readonly #parser: Parser;
  #depth = 0;
  /** The chunk that is parsed, where it starts in the document, and its first newline that is not counted. */
  #chunk = '';
  #chunkStart = 0;
  #newline = Infinity;
  #line = 1;
  /** Where the last event was. */
  #lastIndex = 0;

  constructor(name: string, isXml: boolean, handler: MarkupHandler) {
    this.#name = name;
    const { Parser: HtmlParser } = loadHtmlParser();
    this.#parser = new HtmlParser(
      {
        onopentag: (tag, attributes) => {
          this.#depth += 1;
          this.#lastIndex = this.#parser.endIndex;
          const line = this.#lineAt(this.#parser.startIndex);
          if (this.#depth > MAX_DEPTH) {
            throw this.#expected(`elements that are nested at most ${MAX_DEPTH} deep`);
          }
          handler.onOpen({ name: tag.toLowerCase(), attributes, line });
        },
        ontext: (text) => {
          this.#lastIndex = this.#parser.endIndex;
          handler.onText(text);
        },
        onclosetag: (tag) => {
          this.#depth -= 1;
          this.#lastIndex = this.#parser.endIndex;
          handler.onClose(tag.toLowerCase());
        },
      },
      { xmlMode: isXml, lowerCaseAttributeNames: true },
    );
  }

  write(chunk: string): void {
    this.#lineAt(this.#chunkStart + this.#chunk.length);
    this.#chunkStart += this.#chunk.length;
    this.#chunk = chunk;
    this.#newline = newlineAfter(chunk, 0);
    this.#parser.write(chunk);
    if (this.#chunkStart + chunk.length - this.#lastIndex > LONGEST_TAG) {
      throw this.#expected('tags and comments of at most 4 MiB');
    }
  }

  end(): void {
    this.#parser.end();
  }

  /** Counts the lines up to an index of the document; one in an earlier chunk has the line of this one. */
  #lineAt(index: number): number {
    while (this.#newline < index - this.#chunkStart) {
      this.#line += 1;
      this.#newline = newlineAfter(this.#chunk, this.#newline + 1);
    }
    return this.#line;
  }

  #expected(what: string): InputError {
    return new InputError(`${this.#name}:${this.#line}: expected ${what}`);
  }
}

/** Infinity if there is none. */
function newlineAfter(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? Infinity : at;
}
