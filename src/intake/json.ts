// JSON of any size: a list of reviews, or an object with such a list, as `/reviews.json` is.

import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { InputError, tellIssue } from '../errors.ts';
import { businessSchema, type Business } from '../model/business.ts';
import { issuesOf } from '../model/issues.ts';
import type { Row } from './record.ts';
import { RECORD_LIMIT, type Source, tooLong } from './text.ts';

/** Reads the list itself, or `reviews` of an object; its `business` is handed over at the end. */
export async function* readJson(
  { name, chunks }: Source,
  onBusiness: (business: Business) => void,
): AsyncGenerator<Row> {
  let document: JsonDocument | null = null;
  for await (const chunk of chunks) {
    document ??= new JsonDocument(name);
    yield* document.write(chunk);
  }
  document?.end();
  const business = document?.business ?? null;
  if (business !== null) onBusiness(parseBusiness(name, business));
}

/** A JSON text on its way through the tokenizer, which keeps no more than the row at hand. */
class JsonDocument {
  business: unknown;
  readonly #name: string;
  readonly #tokenizer = new Tokenizer();
  readonly #rows: Row[] = [];
  /** Made at the first token, which says whether the text is a list or an object. */
  #parser: TokenParser | null = null;
  #isList = false;
  /** Offsets of the newlines in the last chunk and since the last token, the first few passed. */
  #newlines: number[] = [];
  #passed = 0;
  #line = 1;
  #bytes = 0;
  #depth = 0;
  #rowLine = 1;
  #rowStart: number | null = null;
  #tokenEnd = 0;
  /** Of the object, the member that is read. */
  #key: unknown;
  #isKeyDone = false;
  #hasReviews = false;
  #hasEnded = false;

  constructor(name: string) {
    this.#name = name;
    this.#tokenizer.onToken = (token) => {
      this.#parser ??= this.#openParser(token.token === TokenType.LEFT_BRACKET);
      this.#onToken(token.token, token.offset, token.value);
      this.#parser.write(token);
    };
    this.#tokenizer.onError = (error) => {
      throw this.#malformed(error);
    };
  }

  #openParser(isList: boolean): TokenParser {
    this.#isList = isList;
    this.#hasReviews = isList;
    // The list itself is not asked for, because it would be kept whole.
    const paths = isList ? ['$.*'] : ['$.reviews.*', '$.business'];
    const parser = new TokenParser({ paths, keepStack: false });
    parser.onValue = ({ key, value, stack }) => {
      if (stack.length === this.#rowDepth) {
        this.#rows.push({ line: this.#rowLine, record: value });
        this.#rowStart = null;
      } else if (key === 'business') this.business = value;
    };
    parser.onEnd = () => {
      this.#hasEnded = true;
    };
    parser.onError = (error) => {
      throw this.#malformed(error);
    };
    return parser;
  }

  /** Depth at which a row begins: inside the list, or inside the list inside the object. */
  get #rowDepth(): number {
    return this.#isList ? 1 : 2;
  }

  write(chunk: Buffer): Row[] {
    this.#newlines.splice(0, this.#passed);
    this.#passed = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
      this.#newlines.push(this.#bytes + at);
    }
    this.#bytes += chunk.length;
    this.#tokenizer.write(chunk);
    const start = this.#rowStart ?? this.#tokenEnd;
    if (this.#bytes - start > RECORD_LIMIT) throw tooLong(this.#name, this.#line);
    return this.#rows.splice(0);
  }

  end(): void {
    if (this.#parser && !this.#hasEnded) {
      throw this.#malformed(new Error('the text ends too early'));
    }
    if (!this.#hasReviews) {
      throw new InputError(
        `${this.#name}:1: expected a list of reviews, or an object with such a list as "reviews"`,
      );
    }
  }

  #onToken(type: TokenType, offset: number, value: unknown): void {
    while ((this.#newlines[this.#passed] ?? Infinity) < offset) {
      this.#passed += 1;
      this.#line += 1;
    }
    this.#tokenEnd = offset;
    if (this.#depth === 1 && !this.#isList) this.#onMember(type, value);
    const opens = type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET;
    if (this.#depth === this.#rowDepth && type !== TokenType.COMMA) {
      this.#rowLine = this.#line;
      if (opens) this.#rowStart = offset;
    }
    if (opens) this.#depth += 1;
    if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) {
      this.#depth -= 1;
      if (this.#depth === this.#rowDepth) this.#rowStart = null;
    }
  }

  /** Follows key, colon and value, to know that `reviews` is a list. */
  #onMember(type: TokenType, value: unknown): void {
    if (type === TokenType.COLON) this.#isKeyDone = true;
    else if (this.#isKeyDone) {
      this.#isKeyDone = false;
      if (this.#key === 'reviews') this.#hasReviews = type === TokenType.LEFT_BRACKET;
    } else this.#key = value;
  }

  #malformed(cause: Error): InputError {
    // The tokenizer reports also what the parser threw.
    if (cause instanceof InputError) return cause;
    const [reason] = cause.message.split('\n');
    return new InputError(`${this.#name}:${this.#line}: expected JSON, but ${reason}`, { cause });
  }
}

/** Parses the record of a business; `name` is the file that it is from. */
export function parseBusiness(name: string, record: unknown): Business {
  const result = businessSchema.safeParse(record);
  if (result.success) return result.data;
  const lines = issuesOf(result.error).map(
    ({ path, message }) => `${name}: ${tellIssue({ path: ['business', ...path], message })}`,
  );
  throw new InputError(lines.join('\n'));
}
