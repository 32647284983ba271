// Parses the training sentences of a vertical. A line in brackets has the labels of the lines below it:
// aspects with +, - or 0, and with a question mark before if they are optional.

const LABEL = /^(\?)?([a-z_]+)([+-]|0)$/;
const SENTIMENTS: Readonly<Record<string, string>> = {
  '+': 'positive',
  '-': 'negative',
  '0': 'neutral',
};

/** A sentence and what it speaks of. */
export interface Example {
  readonly text: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  /** Not used for these aspects, neither as positive nor as negative example. */
  readonly optional_aspects: readonly string[];
}

type Labels = Omit<Example, 'text'>;

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
      blocks.push({ labels: parseHeading(line, aspects, refuse), sentences: [] });
      return;
    }
    const block = blocks.at(-1);
    if (block === undefined) refuse('a heading before the first sentence');
    else block.sentences.push(line);
  });
  return blocks;
}

export function examplesOfBlock({ labels, sentences }: Block): Example[] {
  return sentences.map((text) => ({ text, ...labels }));
}

function parseHeading(
  line: string,
  known: readonly string[],
  refuse: (expected: string) => never,
): Labels {
  if (!line.endsWith(']')) refuse('a closing bracket at the end of the heading');
  const aspects: { id: string; sentiment: string }[] = [];
  const optional: string[] = [];
  for (const part of line.slice(1, -1).split(' ').filter(Boolean)) {
    const [, isOptional, id = '', sign = ''] = LABEL.exec(part) ?? [];
    if (id === '') refuse(`an aspect with +, - or 0 instead of "${part}"`);
    if (!known.includes(id)) refuse(`one of ${known.join(', ')} instead of "${id}"`);
    if (optional.includes(id) || aspects.some((one) => one.id === id)) refuse(`"${id}" once`);
    if (isOptional === undefined) aspects.push({ id, sentiment: SENTIMENTS[sign] as string });
    else optional.push(id);
  }
  return { aspects, optional_aspects: optional };
}
