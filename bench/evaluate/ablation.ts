// `npm run evaluate -- ablation` turns off each part of what decides claims, trains without it, and compares the claims with
// those of readers on the held-out reviews: what a part is worth, beside its lines. Each row takes as long as a training.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE_KIND } from '../../src/insights/claims/evidence.ts';
import { TEXT_KIND } from '../../src/insights/claims/features.ts';
import { kindOf } from '../../src/insights/claims/hashing.ts';
import { type ClaimModel, totalOf } from './judged.ts';
import { labelledReviews, type ReviewExample } from './training/examples.ts';
import { trainOn } from './training/file.ts';

interface Part {
  readonly name: string;
  /** Kinds of features that are turned off. */
  readonly kinds: readonly number[];
  /** The files that nothing else needs. */
  readonly files: readonly string[];
}

const INSIGHTS = join(import.meta.dirname, '../../src/insights');

const PARTS: readonly Part[] = [
  { name: 'nothing', kinds: [], files: [] },
  {
    name: 'patterns of aspects',
    kinds: [EVIDENCE_KIND.cue, EVIDENCE_KIND.invertedCue, EVIDENCE_KIND.cueWords],
    files: ['claims/cues.ts', 'verticals/*.json', 'verticals/shared/*.json'],
  },
  {
    name: 'patterns of problems',
    kinds: [EVIDENCE_KIND.problem, EVIDENCE_KIND.deniedProblem],
    files: ['entities/problems/*.json', 'entities/problems/named.ts'],
  },
  {
    name: 'opinions',
    kinds: [
      TEXT_KIND.praise,
      TEXT_KIND.complaint,
      TEXT_KIND.noOpinion,
      TEXT_KIND.praised,
      TEXT_KIND.blamed,
      TEXT_KIND.praisedCluster,
      TEXT_KIND.blamedCluster,
    ],
    files: ['sentiment/*.ts', 'sentiment/lexicon/*.json'],
  },
  {
    name: 'clusters of words',
    kinds: [
      TEXT_KIND.wideCluster,
      TEXT_KIND.cluster,
      TEXT_KIND.praisedCluster,
      TEXT_KIND.blamedCluster,
    ],
    files: ['../model/word-clusters.json'],
  },
  { name: 'classes of words', kinds: [TEXT_KIND.wordClass], files: ['claims/word-classes.json'] },
  {
    name: 'pairs of words',
    kinds: [TEXT_KIND.content, TEXT_KIND.next, TEXT_KIND.skipping],
    files: [],
  },
  { name: 'words', kinds: [TEXT_KIND.word], files: [] },
];

/** Writes the table row by row. */
export function evaluateAblation(write: (line: string) => void): void {
  write('| without | aspects with sentiment: P / R / F | problems: P / R / F | lines |');
  write('|---|---|---|---|');
  const heldOut = labelledReviews('held-out.labels.txt').flatMap(([, reviews]) => reviews);
  for (const { name, kinds, files } of PARTS) {
    const off = new Set<number>(kinds);
    const model: ClaimModel = trainOn((review) => withoutKinds(review, off));
    const { aspects, problems } = totalOf(
      heldOut.map((review) => withoutKinds(review, off)),
      model,
    );
    const lines = files.length === 0 ? '' : `${linesOf(files)}`;
    write(`| ${name} | ${aspects.render()} | ${problems.render()} | ${lines} |`);
  }
}

function withoutKinds(review: ReviewExample, kinds: ReadonlySet<number>): ReviewExample {
  return {
    ...review,
    sentences: review.sentences.map((sentence) => ({
      ...sentence,
      features: sentence.features.filter((feature) => !kinds.has(kindOf(feature))),
    })),
  };
}

function linesOf(patterns: readonly string[]): number {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: INSIGHTS }))
    .reduce(
      (sum, file) => sum + readFileSync(join(INSIGHTS, file), 'utf8').split('\n').length - 1,
      0,
    );
}
