// `npm run evaluate -- --data DIR` prints the quality of the analyser as a table, on the gold set and on
// every file in DIR with a known name: fabsa*.csv and semeval*.xml. Only totals are printed; --errors NAME
// also prints the errors of the data whose name contains NAME.
//
// `npm run evaluate -- cues --vertical ID FILE ...` audits the cues of a vertical (cues.ts).

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { auditCues } from './cues.ts';
import { evaluateFabsa } from './fabsa.ts';
import { evaluateAspects, type GoldItem } from './gold-aspects.ts';
import { evaluateLanguage, type LanguageGold } from './gold-languages.ts';
import { evaluateNames } from './gold-names.ts';
import { evaluateTerms } from './semeval.ts';
import { renderTable, type Row } from './tally.ts';

type Show = ((line: string) => void) | null;

/** The evaluation of a file, by the pattern of its name. */
const EVALUATIONS: readonly (readonly [
  RegExp,
  (name: string, text: string, show: Show) => Row[],
])[] = [
  [/^fabsa.*\.csv$/i, evaluateFabsa],
  [/^semeval.*\.xml$/i, evaluateTerms],
];

const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string' },
    errors: { type: 'string' },
    vertical: { type: 'string', default: 'home_services' },
    column: { type: 'string' },
  },
  allowPositionals: true,
});
const [command, ...paths] = positionals;
if (command === 'cues') {
  process.stdout.write(`${auditCues(values.vertical, paths, values.column)}\n`);
} else {
  const rows: Row[] = [
    ...ownRows(),
    ...languageRows(),
    ...(values.data === undefined ? [] : rowsOf(values.data)),
  ];
  process.stdout.write(`${renderTable(rows)}\n`);
}

/** Evaluates on the gold set. Errors in the held-out third are never shown. */
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

function languageRows(): Row[] {
  const folder = join(import.meta.dirname, 'gold', 'languages');
  return globSync('*.json', { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const name = basename(file, '.json');
      const gold = JSON.parse(readFileSync(join(folder, file), 'utf8')) as LanguageGold;
      return evaluateLanguage(name, gold, showing(name));
    });
}

function rowsOf(folder: string): Row[] {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
  return files.flatMap((path) => {
    const name = basename(path);
    const evaluation = EVALUATIONS.find(([pattern]) => pattern.test(name));
    if (!evaluation) {
      process.stderr.write(`${name}: unknown format, skipped\n`);
      return [];
    }
    return evaluation[1](name.replace(/\.\w+$/, ''), readFileSync(path, 'utf8'), showing(name));
  });
}

function showing(name: string): Show {
  const asked = values.errors;
  return asked !== undefined && name.includes(asked)
    ? (line) => void process.stderr.write(`${line}\n`)
    : null;
}
