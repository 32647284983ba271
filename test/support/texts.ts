// All texts of a language.

/** Every parameter of a text is a number, a date, a month, a time, or a word. */
const KINDS = [3, '2026-03-05', '2026-03', '08:30', 'word'];

const TUPLES = KINDS.flatMap((first) =>
  KINDS.flatMap((second) =>
    [second, ...KINDS].flatMap((third) =>
      [third, ...KINDS].map((fourth) => [first, second, third, fourth]),
    ),
  ),
);

/** The texts by their names, functions called with values of the kinds that they take. */
export function textsOf(strings: object): ReadonlyMap<string, string> {
  return new Map(textsIn(strings, ''));
}

function textsIn(tree: unknown, name: string): [string, string][] {
  if (typeof tree === 'string') return [[name, tree]];
  if (typeof tree === 'function') {
    return [[name, textOf(tree as (...values: unknown[]) => unknown, name)]];
  }
  return Object.entries(tree as object).flatMap(([member, value]) =>
    textsIn(value, `${name}.${member}`),
  );
}

function textOf(call: (...values: unknown[]) => unknown, name: string): string {
  for (const values of TUPLES) {
    try {
      const text = call(...values);
      if (typeof text === 'string' && !text.includes('NaN')) return text;
    } catch {
      continue;
    }
  }
  throw new Error(`cannot call ${name}`);
}
