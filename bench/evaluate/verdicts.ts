// `npm run evaluate -- claims` counts what fresh readers said of published claims (bench/data/claims): of those that they
// decided, how many are right.

import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readData } from './data.ts';

const FOLDER = join(import.meta.dirname, '../data/claims');

/** The table by set and by kind of claim. */
export function evaluateVerdicts(): string {
  const lines = globSync('*.txt', { cwd: FOLDER })
    .toSorted()
    .flatMap((file) => {
      const claims = readData(`claims/${file}`)
        .trimEnd()
        .split('\n')
        .map((line) => ({ kind: line.split(' ')[1] as string, verdict: line.split(' ').at(-1) }));
      const name = basename(file, '.txt');
      const kinds = [...Map.groupBy(claims, ({ kind }) => kind)].toSorted();
      return [['all', claims] as const, ...kinds].map(([kind, some]) => {
        const count = (wanted: string) => some.filter(({ verdict }) => verdict === wanted).length;
        const [right, wrong, open] = [count('right'), count('wrong'), count('open')];
        const share = ((100 * right) / Math.max(1, right + wrong)).toFixed(0);
        return `| ${name} | ${kind} | ${right} / ${wrong} / ${open} | ${share}% |`;
      });
    });
  return ['| reviews | claims | right / wrong / open | right of decided |', '|---|---|---|---|']
    .concat(lines)
    .join('\n');
}
