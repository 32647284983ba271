// Files of the features of reviews whose text is not in the project. They are sets of hashes in ascending order, from
// which no text can be read.

/** The hashes of all features, 32 bits each, and by review its sentences: indexes of features, each as the difference
 * from the one before, seven bits in a byte. All in Base64. */
export interface FeatureFile {
  readonly about: string;
  readonly features: string;
  readonly reviews: readonly {
    readonly id: string;
    readonly rating: number;
    readonly sentences: readonly string[];
  }[];
}

export interface FeaturesOfReview {
  readonly rating: number;
  readonly sentences: readonly Uint32Array[];
}

/** @param known features that are kept: others are too rare to be learned */
export function encodeFeatures(
  about: string,
  reviews: readonly (FeaturesOfReview & { readonly id: string })[],
  known: ReadonlySet<number>,
): FeatureFile {
  const all = new Set<number>();
  for (const { sentences } of reviews)
    for (const sentence of sentences) for (const one of sentence) if (known.has(one)) all.add(one);
  const features = Uint32Array.from(all).toSorted();
  const indexOf = new Map([...features].map((feature, index) => [feature, index]));
  return {
    about,
    features: Buffer.from(features.buffer).toString('base64'),
    reviews: reviews.map(({ id, rating, sentences }) => ({
      id,
      rating,
      sentences: sentences.map((sentence) =>
        encodeIndexes([...sentence].flatMap((feature) => indexOf.get(feature) ?? [])),
      ),
    })),
  };
}

export function decodeFeatures({ features, reviews }: FeatureFile): Map<string, FeaturesOfReview> {
  const hashes = new Uint32Array(Uint8Array.from(Buffer.from(features, 'base64')).buffer);
  return new Map(
    reviews.map(({ id, rating, sentences }) => [
      id,
      {
        rating,
        sentences: sentences.map((text) =>
          Uint32Array.from(decodeIndexes(text), (index) => hashes[index] as number),
        ),
      },
    ]),
  );
}

function encodeIndexes(indexes: readonly number[]): string {
  const bytes: number[] = [];
  let before = 0;
  for (const index of indexes) {
    let step = index - before;
    before = index;
    for (; step > 127; step >>>= 7) bytes.push((step & 127) | 128);
    bytes.push(step);
  }
  return Buffer.from(bytes).toString('base64');
}

function decodeIndexes(text: string): number[] {
  const indexes: number[] = [];
  let [before, step, shift] = [0, 0, 0];
  for (const byte of Buffer.from(text, 'base64')) {
    step |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    before += step;
    indexes.push(before);
    [step, shift] = [0, 0];
  }
  return indexes;
}
