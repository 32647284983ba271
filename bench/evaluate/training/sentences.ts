// Parses the training sentences of the learned model (sentences.txt). A line in brackets has the labels of
// the lines below it: aspects with + or -, and with a question mark before if they are optional.

import type { Example } from './train.ts';

const HEADING = /^\[(.*)\]$/;
const LABEL = /^(\?)?([a-z_]+)([+-]|0)$/;
const SENTIMENTS: Readonly<Record<string, string>> = {
  '+': 'positive',
  '-': 'negative',
  '0': 'neutral',
};

/** @throws {Error} naming the first malformed line */
export function parseSentences(text: string): Example[] {
  const examples: Example[] = [];
  let heading: Omit<Example, 'text'> | null = null;
  text.split('\n').forEach((line, index) => {
    if (line === '' || line.startsWith('#')) return;
    const labels = HEADING.exec(line)?.[1];
    if (labels !== undefined) heading = parseHeading(labels, index + 1);
    else if (heading === null) throw new Error(`line ${index + 1}: expected a heading before it`);
    else examples.push({ text: line, ...heading });
  });
  return examples;
}

function parseHeading(labels: string, line: number): Omit<Example, 'text'> {
  const parts = labels.split(' ').filter(Boolean);
  const aspects: { id: string; sentiment: string }[] = [];
  const optional: string[] = [];
  for (const part of parts) {
    const [, isOptional, id, sign] = LABEL.exec(part) ?? [];
    if (id === undefined || sign === undefined) {
      throw new Error(`line ${line}: expected an aspect and its sentiment, got ${part}`);
    }
    if (isOptional === undefined) aspects.push({ id, sentiment: SENTIMENTS[sign] as string });
    else optional.push(id);
  }
  return { aspects, optional_aspects: optional };
}
