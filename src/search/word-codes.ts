// Codes of words in the word stream: one to five bytes, frequent words short. The first byte of a code is
// 0x80 to 0xfe, the others are below 0x80, so a sequence of codes is found by its bytes alone.

/** Codes of one, two and three bytes: how many first bytes each length has. */
const [ONE, TWO, THREE] = [64, 48, 14] as const;
const FIRST = 0x80;
const FIRST_OF_TWO = FIRST + ONE;
const FIRST_OF_THREE = FIRST_OF_TWO + TWO;
const FIRST_OF_FIVE = FIRST_OF_THREE + THREE;
/** The least code number of each length. */
const TWO_FROM = ONE;
const THREE_FROM = TWO_FROM + TWO * 0x80;
const FIVE_FROM = THREE_FROM + THREE * 0x40_00;

/** The longest code in bytes. */
export const MAX_CODE_BYTES = 5;
/** Terminates the words of a text; never a byte of a code. */
export const STREAM_END = 0xff;

/** Writes the code of a number into `bytes`. @returns the offset after it */
export function writeCode(bytes: Uint8Array, offset: number, number: number): number {
  let at = offset;
  if (number < TWO_FROM) {
    bytes[at++] = FIRST + number;
  } else if (number < THREE_FROM) {
    const rest = number - TWO_FROM;
    bytes[at++] = FIRST_OF_TWO + (rest >>> 7);
    bytes[at++] = rest & 0x7f;
  } else if (number < FIVE_FROM) {
    const rest = number - THREE_FROM;
    bytes[at++] = FIRST_OF_THREE + (rest >>> 14);
    bytes[at++] = (rest >>> 7) & 0x7f;
    bytes[at++] = rest & 0x7f;
  } else {
    const rest = number - FIVE_FROM;
    bytes[at++] = FIRST_OF_FIVE;
    for (let shift = 21; shift >= 0; shift -= 7) bytes[at++] = (rest >>> shift) & 0x7f;
  }
  return at;
}

/** Calls `visit` with the number of each code from `start` up to, but not including, `end`. */
export function readCodes(
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (number: number) => void,
): void {
  for (let at = start; at < end;) {
    const first = bytes[at++] as number;
    if (first < FIRST_OF_TWO) {
      visit(first - FIRST);
    } else if (first < FIRST_OF_THREE) {
      visit(TWO_FROM + ((first - FIRST_OF_TWO) << 7) + (bytes[at++] as number));
    } else if (first < FIRST_OF_FIVE) {
      const high = ((first - FIRST_OF_THREE) << 14) | ((bytes[at++] as number) << 7);
      visit(THREE_FROM + high + (bytes[at++] as number));
    } else {
      let rest = 0;
      for (let count = 0; count < 4; count++) rest = (rest << 7) | (bytes[at++] as number);
      visit(FIVE_FROM + rest);
    }
  }
}
