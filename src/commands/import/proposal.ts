// `import` of a table of an unknown format: shows how it would be read and the first rows as they would be stored,
// asks what the table leaves open, and for a yes; without a terminal it says what to run.

import { basename, extname } from 'node:path';
import { InputError, linesWithoutControls, show } from '../../errors.ts';
import { parseSample } from '../../intake/formats/sample.ts';
import {
  type FormatChoice,
  parseFormatChoice,
  type Undecided,
  type UnknownTable,
} from '../../intake/formats/recognise.ts';
import { columnsAt, type Mapping, parseMapping, type Place } from '../../intake/mapping/mapping.ts';
import { faultOfProof } from '../../intake/import.ts';
import { firstRows } from '../../intake/mapping/preview.ts';
import { type Proposal, propose } from '../../intake/mapping/propose.ts';
import type { Scale } from '../../intake/readers/values.ts';
import { commandName } from '../../model/command-name.ts';
import type { Questions } from '../terminal/questions.ts';

const ROWS = 1_000;

export interface TableFlags {
  readonly source?: string;
  readonly verifiedBy?: string;
  readonly business?: string;
  readonly dates?: string;
  readonly scale?: Scale;
}

export interface ProposalFlags extends TableFlags {
  readonly isMap: boolean;
  /** Those that the store has, which spare a slip in a name from becoming another source. */
  readonly sources?: readonly string[];
  /** Whether names are shown by initials. */
  readonly shortens?: boolean;
}

type Asker = Pick<Questions, 'ask'>;

interface Terminal {
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
  /** Null if nobody can answer, or only the mapping is wanted. */
  readonly questions: Asker | null;
}

/** Returns the format if a person agrees. @throws {InputError} with the next command, if nobody agrees. */
export async function settleFormat(
  { file, format, message }: Undecided,
  { source, verifiedBy, business }: ProposalFlags,
  { output, questions }: Terminal,
): Promise<FormatChoice> {
  const { unpack, command } = commandFor(file);
  const given = optionsOf({ source, 'verified-by': verifiedBy, business });
  const next = `Nothing was imported.\n${unpack}next: ${command} --format ${format}${given}`;
  const text = linesWithoutControls(message);
  if (questions === null) throw new InputError(`${text}\n${next}`);
  output.write(`${text}\n`);
  if (!(await isAgreed(questions, ''))) throw new InputError(next);
  return parseFormatChoice(format);
}

async function isAgreed(questions: Asker, as: string): Promise<boolean> {
  const answer = await questions.ask(`Import it like this${as}? (y/n)`, (given) =>
    /^(?:y|yes|n|no)$/i.test(given) ? null : 'expected y or n',
  );
  return /^y/i.test(answer);
}

/**
 * Returns the mapping if a person agrees, and null if only the mapping was wanted, which is printed.
 *
 * @throws {InputError} with the next command, if nobody agrees.
 */
export async function settleTable(
  table: UnknownTable,
  flags: ProposalFlags,
  terminal: Terminal,
): Promise<Mapping | null> {
  const { file, sample } = table;
  const { output, errors, questions } = terminal;
  const rows = parseSample(sample.text, ROWS);
  const proposal = propose(rows, {
    name: file,
    source: flags.source ?? null,
    verifiedBy: flags.verifiedBy ?? null,
    scale: flags.scale ?? null,
    dateOrder: flags.dates ?? null,
  });
  // A day for all rows may be given instead of a column of dates.
  const isComplete = proposal.missing.length < 2 && !proposal.missing.includes('stars');
  if (questions !== null && isComplete && proposal.open.length > 0) {
    return settleTable(table, await askOpen(proposal, flags, questions), terminal);
  }
  const mapping = parseMapping(file, JSON.stringify(proposal.mapping));
  const shown = isComplete && proposal.open.every(({ option }) => option === '--source NAME');
  const { constants = {}, columns } = proposal.mapping as Record<string, Record<string, unknown>>;
  const { source } = constants;
  const as = source === undefined ? '' : `, as reviews of ${show(source)}`;
  const lines = [
    `${file}: a table of your own; it would be read like this${as}:`,
    ...proposal.missing.map((what) => `  no column has ${what}`),
    ...columnLines(proposal),
    ...(shown
      ? ['The first rows, as everybody sees them:', ...firstRows(rows, mapping, flags.shortens)]
      : []),
    ...proposal.notes.map((note) => `note: ${note}`),
    ...table.unread.map(
      (sheet) => `note: the sheet ${show(sheet)} has other headings: save it as a file of its own`,
    ),
    ...proposal.open.map(({ question, option }) => `open: ${question}: ${option}`),
  ];
  const text = `${linesWithoutControls(lines.join('\n'))}\n`;
  const isSettled = isComplete && proposal.open.length === 0;
  const next = nextStep(file, proposal, flags, isComplete);
  if (flags.isMap) {
    errors.write(text);
    output.write(`${JSON.stringify(proposal.mapping, null, 2)}\n`);
    if (!isSettled) throw new InputError(next);
    return null;
  }
  if (!isSettled || questions === null) {
    throw new InputError(`${text}Nothing was imported.\n${next}`);
  }
  output.write(text);
  if (!(await isAgreed(questions, as))) {
    throw new InputError(
      `Nothing was imported. To change how it is read, rename the headings (Name, Stars, Date, Text) and import it again; or:\n${next}`,
    );
  }
  if (flags.verifiedBy !== undefined || columns?.['verified'] !== undefined) return mapping;
  const how = await questions.ask(
    'How do you know that they are by customers, such as invoice number? Everybody can read it; Enter publishes none',
    faultOfProof,
  );
  const proven = { ...constants, ...(how !== '' && { verified_by: how }) };
  return parseMapping(file, JSON.stringify({ ...proposal.mapping, constants: proven }));
}

async function askOpen({ open }: Proposal, flags: ProposalFlags, questions: Asker) {
  let answered = flags;
  for (const { question, option } of open) {
    const isOrder = option === '--dates ORDER';
    const isDates = option.startsWith('--dates');
    const isScale = option.startsWith('--scale');
    const [hint, known] = isOrder
      ? [' (day/month)', /^(?:day|month)$/i]
      : isDates
        ? [', such as 2024-03-25', /^\d{4}-\d\d-\d\d$/]
        : isScale
          ? [' (6-1 or 5-1 if 1 is the best, 1-6 or 1-5 if it is the worst)', /^(?:[1-6]-[1-6])$/]
          : [sourcesHint(flags), /^(?!(?:y|yes|n|no|\d+)$)./i];
    const sources = option === '--source NAME' ? (flags.sources ?? []) : [];
    const isKnown = (given: string) => known.test(given) || sources[Number(given) - 1];
    const answer = await questions.ask(`Say ${question.replace(/ \(.*$/, '')}${hint}`, (given) =>
      isKnown(given) ? null : `type an answer${hint}, not ${show(given)}`,
    );
    const [min = 1, max = 5] = answer.split('-').map(Number);
    const order = /^d/i.test(answer) ? 'day-first' : 'month-first';
    const dates = isOrder ? order : answer;
    answered = {
      ...answered,
      ...(isDates
        ? { dates }
        : isScale
          ? { scale: { min, max } }
          : { source: sources[Number(answer) - 1] ?? answer }),
    };
  }
  return answered;
}

function sourcesHint({ sources = [] }: ProposalFlags): string {
  if (sources.length === 0) return ', such as google or paper';
  const named = sources.map((source, index) => `${index + 1} ${show(source)}`);
  return `; a new name, or the number of one that is there: ${named.join(', ')}`;
}

function columnLines({ mapping }: Proposal): string[] {
  const places = ['columns', 'ratings', 'attributes'].flatMap((kind) =>
    Object.entries((mapping[kind] ?? {}) as Record<string, Place>),
  );
  return places.map(([field, place]) => {
    const names = columnsAt(place);
    return `  ${field.padEnd(18)} ${names.map((name) => JSON.stringify(name)).join(' and ')}`;
  });
}

function nextStep(
  file: string,
  { missing, open }: Proposal,
  { source, dates, scale, verifiedBy, business }: ProposalFlags,
  isComplete: boolean,
): string {
  if (missing.includes('words') && missing.includes('stars')) {
    const what = 'the file has no reviews; it may list invitations or orders, or be a report';
    return `next: ${what}. Export the reviews themselves: docs/import.md says where platforms have them`;
  }
  if (!isComplete) {
    const what = missing.filter((one) => one !== 'words').join(' and ');
    const whose = missing.includes('stars')
      ? '; ask customers for their stars, never make them up'
      : '';
    return `next: a review needs ${what}: copy the table into a spreadsheet, add a column with it, save it as CSV or Excel and import that; or export another file${whose}`;
  }
  const { unpack, command } = commandFor(file);
  const mapping = shellArgument(`${basename(file, extname(file))}.mapping.json`);
  const options = open.map(({ option }) => ` ${option}`).join('');
  const settled = optionsOf({
    source,
    dates,
    scale: scale && `${scale.min}-${scale.max}`,
    'verified-by': verifiedBy,
  });
  // The mapping has it already, if it was given.
  const how =
    verifiedBy === undefined ? ' --verified-by "how you know that they are customers"' : '';
  return (
    `${unpack}next: ${command}${settled}${options} --map > ${mapping}\n` +
    `then: ${command} --map ${mapping}${optionsOf({ business })}${how}`
  );
}

/** How one file is imported: one of a ZIP file is unpacked. */
function commandFor(file: string): { readonly unpack: string; readonly command: string } {
  const [, zip, member = ''] = /^(.+?\.zip)\/(.+)$/is.exec(file) ?? [];
  const folder = zip === undefined ? '' : basename(zip, extname(zip));
  const unpack =
    zip === undefined ? '' : `first: unzip ${shellArgument(zip)} -d ${shellArgument(folder)}\n`;
  const name = shellArgument(zip === undefined ? file : `${folder}/${member}`);
  return { unpack, command: `${commandName()} import ${name}` };
}

function optionsOf(flags: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${shellArgument(value)}`))
    .join('');
}

export function shellArgument(text: string): string {
  return /^[\w./:=@%+,\\-]+$/.test(text) ? text : `"${text.replaceAll(/["$`]/g, '\\$&')}"`;
}
