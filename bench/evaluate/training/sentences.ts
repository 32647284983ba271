// Reads the sentences that the learned layer is trained on (sentences.txt): a line in brackets says what
// the lines below it speak of, by the names of aspects with + or -; a question mark before one says that
// it could be meant or not.

import type { Example } from './train.ts';

const HEADING = /^\[(.*)\]$/;
const LABEL = /^(\?)?([a-z_]+)([+-]|0)$/;
const SENTIMENTS: Readonly<Record<string, string>> = {
  '+': 'positive',
  '-': 'negative',
  '0': 'neutral',
};

/** Throws with the line that is not well formed. */
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
