// `npm run evaluate -- --data DIR` prints the quality of the analyser as a table, on the gold set and on
// every file in DIR with a known name: fabsa*.csv.
// Only totals are printed; --errors NAME also prints the errors of the data whose name contains NAME. --unseen
// adds the files in bench/data/gold/unseen, whose errors are never printed.
//
// `npm run evaluate -- judged [--held-out] [--from 0.5,0.6]` compares claims with those of readers (judged.ts).
// `npm run evaluate -- proposals` does so with recorded answers in place of a language model's (judged.ts).
// `npm run evaluate -- people [--held-out]` does so for people of the business (people.ts).
// `npm run evaluate -- claims` counts what readers said of published claims (verdicts.ts).
// `npm run evaluate -- sub-ratings --airline CSV` compares aspects with what passengers rated (sub-ratings.ts).
// `npm run evaluate -- ablation` turns off each part of what decides claims (ablation.ts).
// `npm run evaluate -- searches [--airline CSV] [--cafe CSV]` judges the relevance of searches (searches.ts).

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateAblation } from './ablation.ts';
import { readFolder } from './data.ts';
import { evaluateFabsa } from './fabsa.ts';
import { evaluateAspects } from './gold-aspects.ts';
import { analyseItems, type GoldItem } from './gold-item.ts';
import { evaluateLanguage, type LanguageItem } from './gold-languages.ts';
import { evaluateNames } from './gold-names.ts';
import { evaluateProblems } from './gold-problems.ts';
import { evaluateJudged, evaluateProposals } from './judged.ts';
import { evaluatePeople } from './people.ts';
import { evaluateSearches } from './searches.ts';
import { evaluateSubRatings } from './sub-ratings.ts';
import { renderTable, type Row } from './tally.ts';
import { evaluateVerdicts } from './verdicts.ts';

type Show = ((line: string) => void) | null;

/** The evaluation of a file, by the pattern of its name. */
const EVALUATIONS: readonly (readonly [
  RegExp,
  (name: string, text: string, show: Show) => Row[],
])[] = [[/^fabsa.*\.csv$/i, evaluateFabsa]];

/** The vertical of a file of the gold set, by the beginning of its name. */
const VERTICALS: Readonly<Record<string, string>> = {
  'home-services': 'home_services',
  airlines: 'airlines',
  hotels: 'hotels',
  restaurants: 'restaurants',
  clinics: 'clinics',
  legal: 'legal_and_professional',
  retail: 'retail_and_apps',
};

const { values, positionals } = parseArgs({
  options: {
    data: { type: 'string' },
    errors: { type: 'string' },
    unseen: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    from: { type: 'string' },
    airline: { type: 'string' },
    cafe: { type: 'string' },
    pool: { type: 'string' },
  },
  allowPositionals: true,
});
const [command] = positionals;
if (command === 'judged') {
  const thresholds = values.from?.split(',').map(Number);
  process.stdout.write(`${evaluateJudged(values['held-out'], thresholds)}\n`);
} else if (command === 'claims') {
  process.stdout.write(`${evaluateVerdicts()}\n`);
} else if (command === 'proposals') {
  process.stdout.write(`${evaluateProposals()}\n`);
} else if (command === 'people') {
  process.stdout.write(`${renderTable(evaluatePeople(values['held-out']))}\n`);
} else if (command === 'ablation') {
  evaluateAblation((line) => process.stdout.write(`${line}\n`));
} else if (command === 'sub-ratings' && values.airline !== undefined) {
  process.stdout.write(`${evaluateSubRatings(values.airline)}\n`);
} else if (command === 'searches') {
  const errors = values.errors !== undefined;
  process.stdout.write(`${await evaluateSearches({ ...values, errors })}\n`);
} else {
  const rows: Row[] = [
    ...ownRows(),
    ...languageRows(),
    ...(values.unseen ? unseenRows() : []),
    ...(values.data === undefined ? [] : rowsOf(values.data)),
  ];
  process.stdout.write(`${renderTable(rows)}\n`);
}

/** Evaluates on the gold set. Errors in the held-out third are never shown. */
function ownRows(): Row[] {
  return readFolder<GoldItem>('gold').flatMap(([name, items]) =>
    goldRows(name, items, name.includes('held-out') ? null : showing(name)),
  );
}

/** Evaluates on the sets that nobody who tunes the analyser has read. */
function unseenRows(): Row[] {
  return readFolder<GoldItem>('gold/unseen').flatMap(([name, items]) =>
    goldRows(name, items, null),
  );
}

function goldRows(name: string, items: GoldItem[], show: Show): Row[] {
  const vertical = VERTICALS[name.split('.')[0] ?? ''];
  if (vertical === undefined) {
    const known = Object.keys(VERTICALS).join(', ');
    throw new Error(`gold/${name}.ndjson: expected a name that begins with one of ${known}`);
  }
  const analysed = analyseItems(items, vertical);
  return [
    ...evaluateAspects(name, analysed, show),
    ...evaluateProblems(name, analysed, vertical, show),
    ...evaluateNames(name, analysed),
  ];
}

function languageRows(): Row[] {
  return readFolder<LanguageItem>('languages').flatMap(([name, items]) =>
    evaluateLanguage(name, items, showing(name)),
  );
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
