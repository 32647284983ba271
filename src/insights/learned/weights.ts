// Decodes the weights of a model file: rows of one weight for each class. Most weights of a row are equal, so a
// row is written as its most frequent weight, followed by the others: a character is a weight, or a run of the
// frequent one.

/** The largest absolute value of a weight. */
export const LARGEST_WEIGHT = 31;
/** The longest run that one character stands for. */
export const LONGEST_RUN = 29;

/** Printable ASCII without the two characters that JSON escapes. */
export const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
  .filter((character) => character !== '"' && character !== '\\')
  .join('');

/** The first characters are the weights from -LARGEST_WEIGHT on, the next ones are runs. */
export const FIRST_RUN = 2 * LARGEST_WEIGHT + 1;

/** The weights of `rows` rows, each of `width` weights. */
export function decodeWeights(text: string, rows: number, width: number): Int8Array {
  const valueOf = new Uint8Array(128);
  for (let value = 0; value < ALPHABET.length; value += 1)
    valueOf[ALPHABET.charCodeAt(value)] = value;
  const weights = new Int8Array(rows * width);
  let index = 0;
  const next = () => valueOf[text.charCodeAt(index++)] as number;
  for (let row = 0; row < weights.length; row += width) {
    const frequent = next() - LARGEST_WEIGHT;
    for (let at = row; at < row + width;) {
      const value = next();
      const run = value - FIRST_RUN + 1;
      if (run > 0) weights.fill(frequent, at, at + run);
      else weights[at] = value - LARGEST_WEIGHT;
      at += Math.max(1, run);
    }
  }
  return weights;
}
