// Access to the words and punctuation around a name, within its sentence.

import { GAP, type SegmentedText, type Token } from '../../text/text.ts';

/** The surroundings of a range of tokens in one sentence. */
export class Surroundings {
  readonly #tokens: readonly Token[];
  readonly #start: number;
  readonly #end: number;
  readonly #from: number;
  readonly #to: number;

  constructor(text: SegmentedText, sentence: number, from: number, to: number) {
    this.#tokens = text.tokens;
    this.#start = text.sentences[sentence]?.from ?? from;
    this.#end = text.sentences[sentence]?.to ?? to;
    this.#from = from;
    this.#to = to;
  }

  /** The word `back` words before the name, without a possessive; '' outside the sentence. */
  left(back: number): string {
    const at = this.#from - back;
    return at >= this.#start ? (this.#tokens[at] as Token).bare : '';
  }

  /** The word `on` words after the name, 1 for the next; '' outside the sentence. */
  right(on: number): string {
    const at = this.#to + on - 1;
    return at < this.#end ? (this.#tokens[at] as Token).bare : '';
  }

  /** Bits of GAP before the name. */
  get gapLeft(): number {
    return this.#tokens[this.#from]?.gap ?? 0;
  }

  get gapRight(): number {
    return this.#tokens[this.#to]?.gap ?? 0;
  }

  get isNumberRight(): boolean {
    return this.#to < this.#end && this.#tokens[this.#to]?.kind === 'number';
  }

  /** Whether a word with a capital follows directly. */
  get isCapitalRight(): boolean {
    const next = this.#to < this.#end ? this.#tokens[this.#to] : undefined;
    return next !== undefined && next.gap === 0 && next.capital === 'title';
  }

  /** "6 June", "16th Jan". */
  get isNumberLeft(): boolean {
    return /^\d/.test(this.left(1));
  }

  get isPossessive(): boolean {
    const last = this.#tokens[this.#to - 1];
    return last !== undefined && last.folded !== last.bare;
  }

  get isWholeSentence(): boolean {
    return this.#from === this.#start && this.#to === this.#end;
  }

  get opensSentence(): boolean {
    return this.#from === this.#start;
  }

  get opensText(): boolean {
    return this.#from === 0;
  }

  get closesText(): boolean {
    return this.#to === this.#tokens.length;
  }
}

/** Punctuation that separates words within a sentence. */
export const SOFT = GAP.comma | GAP.bracket | GAP.dash | GAP.colon | GAP.quote;
