// Evaluates on the XML of SemEval 2014 task 4 and of MAMS: the sentiment of given aspect terms in three
// classes, without terms of conflicting sentiment.

import { SaxesParser } from 'saxes';
import { verdictAbout } from '../../src/insights/polarity/verdict.ts';
import { annotateText } from '../../src/insights/text/annotate.ts';
import type { AnnotatedText } from '../../src/insights/text/annotate.ts';
import { type Row, Share } from './tally.ts';

interface Term {
  readonly term: string;
  readonly polarity: string;
  readonly from: number;
  readonly to: number;
}

interface Sentence {
  text: string;
  readonly terms: Term[];
}

export function parseSemeval(xml: string): Sentence[] {
  const sentences: Sentence[] = [];
  const parser = new SaxesParser();
  let isText = false;
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'sentence') sentences.push({ text: '', terms: [] });
    isText = name === 'text';
    if (name !== 'aspectTerm') return;
    sentences.at(-1)?.terms.push({
      term: String(attributes['term']),
      polarity: String(attributes['polarity']),
      from: Number(attributes['from']),
      to: Number(attributes['to']),
    });
  });
  parser.on('closetag', () => {
    isText = false;
  });
  parser.on('text', (text) => {
    const sentence = sentences.at(-1);
    if (isText && sentence) sentence.text += text;
  });
  parser.write(xml).close();
  return sentences;
}

export function evaluateTerms(
  data: string,
  xml: string,
  show: ((line: string) => void) | null,
  aim = 0.78,
): Row[] {
  const all = new Share();
  const opinionated = new Share();
  for (const { text, terms } of parseSemeval(xml)) {
    const annotated = annotateText(text);
    for (const { term, polarity, from, to } of terms) {
      if (polarity === 'conflict') continue;
      const answer = answerFor(annotated, from, to);
      all.add(answer === polarity);
      if (polarity !== 'neutral') opinionated.add(answer === polarity);
      if (answer !== polarity) show?.(`${polarity} taken for ${answer}: ${term} :: ${text}`);
    }
  }
  return [
    all.row(data, 'sentiment of terms, three classes', aim),
    opinionated.row(data, 'sentiment of terms that are not neutral'),
  ];
}

function answerFor(annotated: AnnotatedText, from: number, to: number): string {
  const tokens = tokensOf(annotated, from, to);
  if (tokens === null) return 'neutral';
  const { sentiment, score } = verdictAbout(annotated, ...tokens);
  // An answer is required even if the sentiment is undecided.
  return sentiment ?? (score > 0 ? 'positive' : 'negative');
}

/** The tokens [from, to) of a part of the text; null if it has none. */
export function tokensOf(
  { tokens }: AnnotatedText,
  from: number,
  to: number,
): [from: number, to: number] | null {
  const first = tokens.findIndex(({ end }) => end > from);
  if (first < 0) return null;
  let last = first + 1;
  while ((tokens[last]?.start ?? Infinity) < to) last += 1;
  return [first, last];
}
