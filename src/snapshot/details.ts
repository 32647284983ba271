// What a snapshot has of its reviews beside their records: their titles, and how they were verified.

import { NOT_STATED, type Review, type Verification } from '../model/review.ts';
import { countMethods, type LeftOut, NOTHING_LEFT_OUT } from '../model/verification.ts';
import { hashOf } from './documents.ts';
import type { DetailsManifest } from './manifest.ts';

/** The details as arrays that can be stored and transferred to another thread. */
export type DetailSections = {
  /** By position of the review: the length of its title, in UTF-16 units. */
  readonly titleLengths: Uint32Array;
  /** By position of the review: indexes of `verifications`. */
  readonly verified: Uint32Array;
  /** JSON of a list of verifications. */
  readonly verifications: Uint8Array;
};

/** Writes the details; `reviews` are sorted newest first. */
export function writeDetails(reviews: readonly Review[]): DetailSections {
  const numbers = new Map<string, number>();
  const verified = Uint32Array.from(reviews, ({ verification = NOT_STATED }) => {
    const { method, sourceLevel, verifiedAt } = verification;
    const key = JSON.stringify({ method, sourceLevel, verifiedAt } satisfies Verification);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return {
    titleLengths: Uint32Array.from(reviews, ({ title }) => title?.length ?? 0),
    verified,
    verifications: Buffer.from(`[${[...numbers.keys()].join(',')}]`),
  };
}

/** The next state; its counts keep their time if they are the same. */
export function describeDetails(
  reviews: readonly Review[],
  { titleLengths, verified, verifications }: DetailSections,
  leftOut: LeftOut = NOTHING_LEFT_OUT,
  {
    previous,
    publishedAtSeconds,
  }: { previous: DetailsManifest | undefined; publishedAtSeconds: number },
): DetailsManifest {
  const hash = hashOf(bytesOf(titleLengths), bytesOf(verified), verifications);
  const counts = {
    methods: countMethods(reviews.map(({ verification }) => verification?.method ?? null)),
    published: reviews.length,
    withheld: leftOut.withheld,
    removed: leftOut.removed,
    edited: leftOut.edited,
  };
  const isSame = JSON.stringify(previous?.counts) === JSON.stringify(counts);
  return { hash, changedAt: isSame && previous ? previous.changedAt : publishedAtSeconds, counts };
}

/** Whether two states say the same. */
export function isSameDetails(a: DetailsManifest, b: DetailsManifest | undefined): boolean {
  return a.hash === b?.hash && a.changedAt === b.changedAt;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export class DetailReader {
  readonly #sections: Partial<DetailSections>;
  readonly #verifications: readonly Verification[];

  /** Snapshots of earlier versions have no sections. */
  constructor(sections: Partial<DetailSections>) {
    this.#sections = sections;
    const json = Buffer.from(sections.verifications ?? '[]').toString();
    this.#verifications = JSON.parse(json) as Verification[];
  }

  /** The length of the title with which the text of the review at a position begins; 0 without. */
  titleLengthAt(position: number): number {
    return this.#sections.titleLengths?.[position] ?? 0;
  }

  verificationAt(position: number): Verification {
    return this.#verifications[this.#sections.verified?.[position] ?? 0] ?? NOT_STATED;
  }
}
