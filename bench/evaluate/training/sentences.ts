// Parses the training sentences of a vertical. A line in brackets has the labels of the lines below it (labels.ts):
//   [punctuality- ?communication- !late-arrival]

import { type Labels, parseLabelsOf } from './labels.ts';

/** The sentences below one heading. */
export interface Block {
  readonly labels: Labels;
  readonly sentences: readonly string[];
}

/**
 * @param file its name, for errors
 * @param aspects the ids that the vertical has
 * @throws {Error} naming file and line of the first malformed one
 */
export function parseBlocks(text: string, file: string, aspects: readonly string[]): Block[] {
  const blocks: { labels: Labels; sentences: string[] }[] = [];
  text.split('\n').forEach((line, index) => {
    const refuse = (expected: string): never => {
      throw new Error(`${file}:${index + 1}: expected ${expected}, got ${line}`);
    };
    if (line === '' || line.startsWith('#')) return;
    if (line.startsWith('[')) {
      if (!line.endsWith(']')) refuse('a closing bracket at the end of the heading');
      const labels = parseLabelsOf(line.slice(1, -1), refuse);
      const unknown = [...labels.aspects.keys(), ...labels.optional].find(
        (aspect) => !aspects.includes(aspect),
      );
      if (unknown !== undefined) refuse(`one of ${aspects.join(', ')} instead of "${unknown}"`);
      blocks.push({ labels, sentences: [] });
      return;
    }
    const block = blocks.at(-1);
    if (block === undefined) refuse('a heading before the first sentence');
    else block.sentences.push(line);
  });
  return blocks;
}
