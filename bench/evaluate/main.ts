// `npm run evaluate -- --data DIR`: the quality of the analyser as a table. It reads our own gold set and
// every file in DIR whose name and form it knows: fabsa*.csv and semeval*restaurants*.xml. Nothing of a
// file is printed but its totals, unless --errors names one of them.

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateFabsa } from './fabsa.ts';
import { evaluateAspects, type GoldItem } from './gold-aspects.ts';
import { evaluateNames } from './gold-names.ts';
import { evaluateTerms } from './semeval.ts';
import { renderTable, type Row } from './tally.ts';

type Show = ((line: string) => void) | null;

/** What measures a file, by its name. */
const READERS: readonly (readonly [RegExp, (name: string, text: string, show: Show) => Row[]])[] = [
  [/^fabsa.*\.csv$/i, evaluateFabsa],
  [/^semeval.*\.xml$/i, evaluateTerms],
];

const { values } = parseArgs({
  options: { data: { type: 'string' }, errors: { type: 'string' } },
});
const rows: Row[] = [...ownRows(), ...(values.data === undefined ? [] : rowsOf(values.data))];
process.stdout.write(`${renderTable(rows)}\n`);

/** Our gold set. The held-out third is measured and never shown. */
function ownRows(): Row[] {
  const folder = join(import.meta.dirname, 'gold');
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const name = basename(file, '.json');
      const items = JSON.parse(readFileSync(join(folder, file), 'utf8')) as GoldItem[];
      const show = name.includes('held-out') ? null : showing(name);
      return [...evaluateAspects(name, items, show), ...evaluateNames(name, items)];
    });
}

function rowsOf(folder: string): Row[] {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
  return files.flatMap((path) => {
    const name = basename(path);
    const reader = READERS.find(([pattern]) => pattern.test(name));
    if (!reader) {
      process.stderr.write(`${name}: of no form that is known, left out\n`);
      return [];
    }
    return reader[1](name.replace(/\.\w+$/, ''), readFileSync(path, 'utf8'), showing(name));
  });
}

function showing(name: string): Show {
  const asked = values.errors;
  return asked !== undefined && name.includes(asked)
    ? (line) => void process.stderr.write(`${line}\n`)
    : null;
}
