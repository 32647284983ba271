// The training data of the polarity net: the terms of MAMS, which are read by path, the cues of our training
// sentences and of the first development set, and sentences with marked things (sentences/polarity.txt). The other development sets, the held-out set and the
// validation part of MAMS are kept for evaluation.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCues } from '../../../../src/insights/aspects/cues.ts';
import { inputAbout, type PolarityInput } from '../../../../src/insights/polarity/input.ts';
import { sentimentAbout } from '../../../../src/insights/sentiment/attribution.ts';
import { type AnnotatedText, annotateText } from '../../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../../src/insights/verticals/verticals.ts';
import { parseSemeval, tokensOf } from '../../semeval.ts';
import { blocksOf } from '../examples.ts';
import { readData, readItems } from '../../data.ts';
import { examplesOfBlock } from '../sentences.ts';
import type { Example } from '../train.ts';

/** The classes of the net, in the order of its output. */
export /** The net was trained on the first sentences about home services. */
const SENTENCES = 3_580;
const LABELS = ['positive', 'neutral', 'negative'] as const;

export interface PolarityExample {
  readonly input: PolarityInput;
  /** Index of LABELS. */
  readonly label: number;
}

/** How often the marked sentences are repeated: they are few, and the only ones of their kinds of businesses. */
const TIMES_MARKED = 4;

const MAMS_TRAIN = 'mams-atsa-train.xml';

/** All training examples; `folder` has the files of MAMS. */
export function polarityExamples(folder: string): PolarityExample[] {
  const marked = examplesOfMarked(readData('sentences/polarity.txt'));
  return [
    ...examplesOfTerms(readFileSync(join(folder, MAMS_TRAIN), 'utf8')),
    ...examplesOfCues(blocksOf('home_services').flatMap(examplesOfBlock).slice(0, SENTENCES)),
    ...examplesOfCues(readItems<Example>('gold/home-services.dev.ndjson')),
    ...Array.from({ length: TIMES_MARKED }, () => marked).flat(),
  ];
}

/** One example for each term of an XML of MAMS, and one for its clause alone if that suffices: every
 * sentence of MAMS has several sentiments, which those of reviews rarely have. */
export function examplesOfTerms(xml: string): PolarityExample[] {
  return parseSemeval(xml).flatMap(({ text, terms }) => {
    const annotated = annotateText(text);
    return terms.flatMap(({ polarity, from, to }) => {
      const label = labelOf(polarity);
      const tokens = tokensOf(annotated, from, to);
      if (label < 0 || tokens === null) return [];
      const clause = clauseAlone(annotated, tokens[0], polarity, from, to);
      const examples = [{ input: inputAbout(annotated, ...tokens), label }];
      return clause === null ? examples : [...examples, { input: clause, label }];
    });
  });
}

/** The input for a clause without the rest of its sentence; null unless the rules see its sentiment there. */
function clauseAlone(
  { text, tokens, clauses, clauseOf }: AnnotatedText,
  token: number,
  polarity: string,
  from: number,
  to: number,
): PolarityInput | null {
  const clause = clauses[clauseOf[token]!]!;
  const start = tokens[clause.from]!.start;
  const end = tokens[clause.to - 1]!.end;
  if (polarity === 'neutral' || to > end) return null;
  const alone = annotateText(text.slice(start, end));
  const own = tokensOf(alone, from - start, to - start);
  if (own === null || sentimentAbout(alone, ...own).sentiment !== polarity) return null;
  return inputAbout(alone, ...own);
}

/** One example for each cue of an aspect that a text about home services is labelled with. A single sentence
 * of one sentiment is also an example as a whole. */
export function examplesOfCues(texts: readonly Example[]): PolarityExample[] {
  const vertical = verticalOf('home_services');
  return texts.flatMap(({ text, aspects }) => {
    const annotated = annotateText(text);
    const cues = findCues(annotated, vertical);
    const ofCues = aspects.flatMap(({ id, sentiment }) =>
      cues
        .filter(({ value }) => value.aspect === id)
        .map(({ from, to }) => {
          const { tokenOf } = annotated.keys;
          const end = tokenOf[to - 1]! + 1;
          return { input: inputAbout(annotated, tokenOf[from]!, end), label: labelOf(sentiment) };
        }),
    );
    return [...ofCues, ...examplesOfSentence(annotated, aspects)];
  });
}

const MARKED = /\[([^|\]]+)\|([+0-])\]/g;
const SIGNS = ['+', '0', '-'];

/** One example for each marked thing of our sentences (sentences/polarity.txt). */
export function examplesOfMarked(lines: string): PolarityExample[] {
  return lines.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const annotated = annotateText(line.replace(MARKED, '$1'));
    let removed = 0;
    return [...line.matchAll(MARKED)].map(({ 0: mark, 1: thing = '', 2: sign = '', index: at }) => {
      const from = at - removed;
      const tokens = tokensOf(annotated, from, from + thing.length);
      if (tokens === null) throw new Error(`a thing without words: ${line}`);
      removed += mark.length - thing.length;
      return { input: inputAbout(annotated, ...tokens), label: SIGNS.indexOf(sign) };
    });
  });
}

function examplesOfSentence(
  annotated: AnnotatedText,
  aspects: Example['aspects'],
): PolarityExample[] {
  const [sentence, ...others] = annotated.sentences;
  const sentiments = new Set(aspects.map(({ sentiment }) => sentiment));
  if (!sentence || others.length > 0 || sentiments.size !== 1) return [];
  const [sentiment] = sentiments;
  return [
    { input: inputAbout(annotated, sentence.from, sentence.to), label: labelOf(sentiment ?? '') },
  ];
}

function labelOf(sentiment: string): number {
  return (LABELS as readonly string[]).indexOf(sentiment);
}
