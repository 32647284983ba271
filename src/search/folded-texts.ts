// Where the folded texts of reviews are. Most equal the text in the JSON of the record except for the case of
// ASCII letters: those are searched there. Only the others are stored in the index.

import { ByteWriter } from '../model/bytes.ts';
import { fold } from '../model/fold.ts';

/** Marks the start of a text that is searched in its record. */
const IN_RECORD = 0xffff_ffff;
/** What precedes the texts in a record. Quotes within strings are escaped, so each is where it occurs first. */
export const RECORD_KEYS = {
  author: '"author":"',
  text: '"text":"',
  reply: '"owner_reply":{"text":"',
} as const;

export type OwnTextSections = {
  /** Concatenated. */
  readonly texts: Uint8Array;
};

/** Where each text is in the bytes of the records followed by `texts`. */
export type TextSections = OwnTextSections & {
  readonly textStarts: Uint32Array;
  readonly textEnds: Uint32Array;
};

/** What is known of the folded texts without the records. */
export type FoldedTexts = OwnTextSections & {
  /** Offsets in `texts`, or IN_RECORD. */
  readonly ownStarts: Uint32Array;
  /** In bytes. */
  readonly textLengths: Uint32Array;
};

/** The JSON of all reviews, and where each begins. */
export interface Records {
  readonly body: Uint8Array;
  readonly starts: Uint32Array;
}

/** Whether the JSON of a text is its folded form except for the case of ASCII letters. */
function isFoldedInJson(text: string, folded: string): boolean {
  if (text.length !== folded.length) return false;
  const json = JSON.stringify(text);
  if (json.length !== folded.length + 2) return false;
  for (let at = 0; at < folded.length; at++) {
    const unit = json.charCodeAt(at + 1);
    const isCapital = unit >= 0x41 && unit <= 0x5a;
    if ((isCapital ? unit | 0x20 : unit) !== folded.charCodeAt(at)) return false;
  }
  return true;
}

/** Collects the folded texts that must be stored. */
export class FoldedTextWriter {
  readonly #own = new ByteWriter();
  readonly #ownStarts: Uint32Array;
  readonly #lengths: Uint32Array;

  constructor(count: number) {
    this.#ownStarts = new Uint32Array(count);
    this.#lengths = new Uint32Array(count);
  }

  /** Adds the text at a position; `bytes` is the length of its folded form. */
  add(position: number, text: string, folded: string, bytes: number): void {
    this.#lengths[position] = bytes;
    if (isFoldedInJson(text, folded)) {
      this.#ownStarts[position] = IN_RECORD;
      return;
    }
    this.#ownStarts[position] = this.#own.length;
    this.#own.write(folded);
  }

  finish(): FoldedTexts {
    return {
      texts: this.#own.finish().slice(),
      ownStarts: this.#ownStarts,
      textLengths: this.#lengths,
    };
  }
}

export function foldTexts(texts: readonly string[]): FoldedTexts {
  const writer = new FoldedTextWriter(texts.length);
  texts.forEach((text, position) => {
    const folded = fold(text);
    writer.add(position, text, folded, Buffer.byteLength(folded));
  });
  return writer.finish();
}

/** Finds the texts in their records, after a key. */
export function placeTexts(
  { texts, ownStarts, textLengths }: FoldedTexts,
  { body, starts }: Records,
  key: string,
): TextSections {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const textStarts = ownStarts.map((own, position) =>
    own === IN_RECORD ? bytes.indexOf(key, starts[position]) + key.length : body.length + own,
  );
  return {
    texts,
    textStarts,
    textEnds: textStarts.map((start, position) => start + (textLengths[position] as number)),
  };
}
