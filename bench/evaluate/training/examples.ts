// What the sentence model and the gate are trained on: written sentences, the gold sets, and labelled reviews, written
// and real. The text of real reviews is not in the project; of these the features are stored.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classOfAspect, classOfProblem, sharedBy } from '../../../src/insights/claims/classes.ts';
import { findEvidence } from '../../../src/insights/claims/evidence.ts';
import { FeatureExtractor } from '../../../src/insights/claims/features.ts';
import { type AnnotatedText } from '../../../src/insights/text/annotate.ts';
import { annotateText } from '../../../test/support/annotate-text.ts';
import { type Vertical, verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { GENERAL, lineageOf, VERTICAL_IDS } from '../../../src/model/verticals.ts';
import { hasData, readData, readItems } from '../data.ts';
import { decodeFeatures, type FeatureFile, type FeaturesOfReview } from './feature-file.ts';
import {
  type LabelledReview,
  type Labels,
  labelsOfReview,
  NO_LABELS,
  parseLabels,
} from './labels.ts';
import { parseBlocks } from './sentences.ts';

/** A sentence, with what is known of it. */
export interface SentenceExample {
  readonly features: Uint32Array;
  /** Null where only the whole review is labelled. */
  readonly labels: Labels | null;
}

export interface ReviewExample {
  readonly id: string;
  readonly vertical: string;
  /** Null for written sentences. */
  readonly rating: number | null;
  readonly sentences: readonly SentenceExample[];
  readonly labels: Labels;
  /** Whether problems were looked for. */
  readonly hasProblems: boolean;
  /** Whether a customer wrote it, and not somebody for this project. */
  readonly isReal: boolean;
}

/** The verticals of the files of labelled reviews, by the first word of their names: "hotel" of "hotel-yelp". */
const VERTICAL_OF: Readonly<Record<string, string>> = {
  airline: 'airlines',
  cafe: 'cafes',
  clinic: 'clinics',
  home: 'home_services',
  hotel: 'hotels',
  other: GENERAL,
  restaurant: 'restaurants',
  shop: 'retail_and_apps',
};
export function verticalOfFile(name: string): string {
  const vertical = VERTICAL_OF[name.split('-')[0] as string];
  if (vertical !== undefined) return vertical;
  const known = Object.keys(VERTICAL_OF).join(', ');
  throw new Error(`reviews/${name}: expected a name that begins with one of ${known}`);
}

/** Of the gold sets, which have labels for whole reviews. */
export const GOLD: Readonly<Record<string, string>> = {
  'home-services.dev': 'home_services',
  'home-services.dev-2': 'home_services',
  'home-services.dev-3': 'home_services',
  'home-services.dev-4': 'home_services',
  'airlines.dev': 'airlines',
};
const WRITTEN_SENTENCES = VERTICAL_IDS.filter((id) => id !== GENERAL && lineageOf(id).length === 1);

/** The verticals that are trained on; trades are trained on with the wider ones. */
export const TRAINED_VERTICALS: readonly string[] = [...WRITTEN_SENTENCES, GENERAL];

/** The vertical with which an example is trained on. */
export function trainedWith({ vertical }: ReviewExample): string {
  return lineageOf(vertical).at(-1) as string;
}

const EXTRACTOR = new FeatureExtractor();

/** The features of each sentence of a text. */
export function featuresOfText(text: string, vertical: Vertical): Uint32Array[] {
  const annotated = annotateText(text);
  const evidence = findEvidence(annotated, vertical);
  return annotated.sentences.map(({ from, to }) => featuresOf(annotated, evidence, from, to));
}

function featuresOf(
  annotated: AnnotatedText,
  evidence: ReturnType<typeof findEvidence>,
  from: number,
  to: number,
): Uint32Array {
  const features = new Set<number>();
  EXTRACTOR.extract(annotated, evidence, from, to, (feature) => void features.add(feature));
  return Uint32Array.from(features).toSorted();
}

function aspectsOf(vertical: string): string[] {
  return verticalOf(vertical).aspects.map(({ id }) => id);
}

/** The written sentences of all verticals. */
export function writtenSentences(): ReviewExample[] {
  return WRITTEN_SENTENCES.flatMap((id) => {
    const vertical = verticalOf(id);
    return [`${id}.txt`, `${id}.facts.txt`].flatMap((file) =>
      blocksOf(file, id).map(({ text, labels }, number) => {
        const features = featuresOfText(text, vertical);
        // A line is one example, also if it has several sentences.
        const all = Uint32Array.from(new Set(features.flatMap((one) => [...one]))).toSorted();
        const sentences = [{ features: all, labels }];
        return {
          id: `${file}/${number}`,
          vertical: id,
          rating: null,
          sentences,
          labels,
          // Facts are labelled with problems too.
          hasProblems: file.endsWith('.facts.txt'),
          isReal: false,
        };
      }),
    );
  });
}

/** The sentences of a file with their labels; none if there is no such file. */
function blocksOf(file: string, vertical: string) {
  const path = `sentences/${file}`;
  if (!hasData(path)) return [];
  return parseBlocks(readData(path), file, aspectsOf(vertical)).flatMap(({ labels, sentences }) =>
    sentences.map((text) => ({ text, labels })),
  );
}

interface GoldItem {
  readonly id: string;
  readonly text: string;
  readonly rating: number;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  readonly optional_aspects: readonly string[];
  readonly problems?: readonly string[];
  readonly optional_problems?: readonly string[];
}

/** The reviews of the gold sets that are read and tuned on. */
export function goldReviews(): ReviewExample[] {
  return Object.entries(GOLD).flatMap(([name, id]) =>
    readItems<GoldItem>(`gold/${name}.ndjson`).map((item) => {
      const labels = {
        ...labelsOf(item.aspects, item.optional_aspects),
        problems: new Set(item.problems),
        optionalProblems: new Set(item.optional_problems),
      };
      const sentences = featuresOfText(item.text, verticalOf(id)).map((features) => ({
        features,
        labels: null,
      }));
      const hasProblems = item.problems !== undefined;
      return {
        id: item.id,
        vertical: id,
        rating: item.rating,
        sentences,
        labels,
        hasProblems,
        isReal: false,
      };
    }),
  );
}

const SIGNS = { positive: '+', negative: '-', neutral: '=' } as const;

function labelsOf(
  aspects: readonly { readonly id: string; readonly sentiment: string }[],
  optional: readonly string[],
): Labels {
  return {
    ...NO_LABELS,
    aspects: new Map(
      aspects.map(({ id, sentiment }) => [id, SIGNS[sentiment as keyof typeof SIGNS]]),
    ),
    optional: new Set(optional),
  };
}

interface ReviewText {
  readonly id: string;
  readonly text: string;
  readonly rating: number;
}

/** The labelled reviews of the files that end with `ending`: "labels.txt" to train on, "held-out.labels.txt" to judge by. */
export function labelledReviews(
  ending: 'labels.txt' | 'held-out.labels.txt',
): (readonly [name: string, reviews: ReviewExample[]])[] {
  const folder = join(import.meta.dirname, '../../data/reviews');
  return globSync(`*.${ending}`, { cwd: folder })
    .filter((file) => file.includes('held-out') === ending.startsWith('held-out'))
    .toSorted()
    .map((file) => {
      const name = file.slice(0, -`.${ending}`.length);
      const vertical = verticalOfFile(name);
      const labelled = parseLabels(readFileSync(join(folder, file), 'utf8'), file);
      const reviews = sentencesOf(name, file.replace('labels.txt', 'features.json'), vertical);
      return [name, labelled.map((review) => exampleOf(review, vertical, reviews(review.id)))];
    });
}

interface SentencesOfReview {
  readonly isReal: boolean;
  readonly rating: number;
  readonly sentences: readonly Uint32Array[];
}

/** The sentences of the reviews of a file: of its texts, or else of its stored features. */
function sentencesOf(
  name: string,
  stored: string,
  vertical: string,
): (id: string) => SentencesOfReview {
  const folder = join(import.meta.dirname, '../../data/reviews');
  if (globSync(`${name}.ndjson`, { cwd: folder }).length === 0) {
    const file = JSON.parse(readFileSync(join(folder, stored), 'utf8')) as FeatureFile;
    const reviews = decodeFeatures(file);
    return (id) => ({ ...(reviews.get(id) as FeaturesOfReview), isReal: true });
  }
  const texts = new Map(
    readItems<ReviewText>(`reviews/${name}.ndjson`).map((review) => [review.id, review]),
  );
  return (id) => {
    const { text, rating } = texts.get(id) as ReviewText;
    return { rating, sentences: featuresOfText(text, verticalOf(vertical)), isReal: false };
  };
}

function exampleOf(
  review: LabelledReview,
  vertical: string,
  { rating, sentences, isReal }: SentencesOfReview,
): ReviewExample {
  return {
    id: review.id,
    vertical,
    rating,
    sentences: sentences.map((features, index) => ({
      features,
      labels: review.sentences.get(index) ?? NO_LABELS,
    })),
    labels: labelsOfReview(review),
    hasProblems: true,
    isReal,
  };
}

/** The classes of a vertical's aspects, each with the aspect that has it. */
export function classesOfAspects(vertical: string): (readonly [aspect: string, shared: string])[] {
  return aspectsOf(vertical).flatMap((aspect) =>
    sharedBy(aspect).map((shared) => [aspect, shared] as const),
  );
}

/** The classes that labels say to hold, and those about which they say nothing. */
export function classesOf({ aspects, optional, problems, optionalProblems }: Labels) {
  const all = (aspect: string) =>
    sharedBy(aspect).flatMap((one) =>
      (['+', '-', '='] as const).map((sign) => classOfAspect(one, sign)),
    );
  return {
    holding: [
      ...[...aspects].flatMap(([aspect, sign]) =>
        sharedBy(aspect).map((one) => classOfAspect(one, sign)),
      ),
      ...[...problems].map(classOfProblem),
    ],
    unknown: [...[...optional].flatMap(all), ...[...optionalProblems].map(classOfProblem)],
  };
}
