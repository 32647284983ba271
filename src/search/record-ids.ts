// The ids of reviews, read where their records are.

/** The JSON of a record begins with its id, 26 characters of ASCII. */
const ID_START = '{"id":"'.length;
const ID_END = ID_START + 26;

/** The records are the first bytes of the memory; the JSON of each begins at one of the starts. */
export interface RecordPlaces {
  readonly bytes: number;
  readonly starts: Uint32Array;
}

export class RecordIds {
  readonly #records: Buffer;
  readonly #starts: Uint32Array;

  constructor(memory: WebAssembly.Memory, { bytes, starts }: RecordPlaces) {
    this.#records = Buffer.from(memory.buffer, 0, bytes);
    this.#starts = starts;
  }

  /** The id of the review at a position. */
  at(position: number): string {
    const start = this.#starts[position] as number;
    return this.#records.toString('latin1', start + ID_START, start + ID_END);
  }
}
