// `init`: writes a business file with its schema, and a settings file. It asks in a terminal, and writes
// templates with comments elsewhere.

import { constants, existsSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseConfig, SETTINGS_FILE } from '../config.ts';
import { InputError, show } from '../errors.ts';
import { isLogoPath } from '../intake/logo/read-pictures.ts';
import { businessFileSchema, businessTemplate, parseBusinessFile } from '../model/business-file.ts';
import { faultOfName, faultOfTelephone } from '../model/business-notes.ts';
import { dialled } from '../model/telephone.ts';
import { verticalIdOf } from '../model/verticals.ts';
import { countryOf, hoursOf } from './init-answers.ts';
import kinds from './kinds.json' with { type: 'json' };
import { interruptible } from './terminal/interrupts.ts';
import { type Check, Questions } from './terminal/questions.ts';
import { commandName } from '../model/command-name.ts';

const BUSINESS_FILE = 'business.json';
const SCHEMA_FILE = 'business.schema.json';
const SCHEMA_LINK = { $schema: `./${SCHEMA_FILE}` };

/** The verticals of the insights, with what they are for. */
export const VERTICALS = Object.entries(kinds);

interface InitOptions {
  readonly folder: string;
  /** Whether to replace existing files. */
  readonly force: boolean;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Whether a person answers. */
  readonly isTerminal: boolean;
}

/** @throws {InputError} if a file exists, or if the questions were not answered to the end. */
export async function runInit(options: InitOptions): Promise<void> {
  const { folder, force, output, isTerminal } = options;
  const paths = [BUSINESS_FILE, SCHEMA_FILE, SETTINGS_FILE].map((name) => join(folder, name));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0 && !force) {
    throw new InputError(
      `${existing.join(', ')}: there are answers already. To change one, edit the file, then run ` +
        `"${commandName()} business set ${paths[0]}"; to answer all anew, add --force. Nothing was written`,
    );
  }
  await requireWritable(folder);
  const asked = () =>
    interruptible(
      () => 'nothing was written',
      () => ask(options),
    );
  const { business, settings } = isTerminal ? await asked() : templates();
  const contents = [{ ...SCHEMA_LINK, ...business }, businessFileSchema(), settings];
  for (const [index, path] of paths.entries()) {
    const text = `${JSON.stringify(contents[index], null, 2)}\n`;
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
    output.write(`${existing.includes(path) ? 'replaced' : 'wrote'} ${path}\n`);
  }
  const page = typeof settings['base_url'] === 'string' ? settings['base_url'] : '';
  output.write(
    (isTerminal ? '' : `fill in ${paths[0]}: only the name is required\n`) +
      `next: ${commandName()} import REVIEWS --business ${paths[0]} --verified-by "how you know the customers"\nthen: ${commandName()} serve\n` +
      `your page is then at http://localhost:8080${page === '' ? '' : `, and at ${page} once you put it there (docs/owner.md, step 4)`}\n`,
  );
}

/** Makes the folder, before anything is asked. */
async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(
      `${resolve(folder)}: expected a folder that this user may write into, got ${code}; change into another ` +
        `folder, or name one: "${commandName()} init DIR". Nothing was written`,
      { cause: error },
    );
  }
}

function templates() {
  return {
    business: businessTemplate(),
    settings: {
      '// base_url': 'The public address of the server, such as "https://reviews.example.com".',
      base_url: '',
      '// site_color': 'The colour of the pages.',
      site_color: '#1f5c4d',
      '//': 'docs/operating.md names all settings. Variables such as BASE_URL win over this file.',
    },
  };
}

/** Asks one question after another. An empty answer leaves the value out. */
async function ask(options: InitOptions) {
  const { input, output } = options;
  const questions = new Questions(input, output);
  const question: Question = (text, check) => questions.ask(text, check);
  try {
    output.write(
      'An empty answer leaves a question open; all can be changed in the files later.\n',
    );
    return {
      business: await askBusiness(question, options),
      settings: await askSettings(question),
    };
  } finally {
    questions.close();
  }
}

type Question = (text: string, check?: Check) => Promise<string>;

/** A file has to exist beside the business file; what it contains is checked when it is published. */
function logoCheck(folder: string, checkAddress: (answer: string) => string | null) {
  return (answer: string) => {
    if (!isLogoPath(answer)) return checkAddress(answer);
    if (existsSync(join(folder, answer))) return null;
    return `expected a file in ${resolve(folder)} or an http or https URL, got ${show(answer)}`;
  };
}

async function askBusiness(
  question: Question,
  { folder, output }: InitOptions,
): Promise<Record<string, unknown>> {
  const key =
    (name: string, valueOf: (answer: string) => unknown = (answer) => answer) =>
    (answer: string) =>
      answer === '' ? null : faultOf({ name: 'A', [name]: valueOf(answer) });
  const name = await question('Name of the business', checkName);
  VERTICALS.forEach(([, what], index) => output.write(`  ${index + 1} ${what}\n`));
  const kind = await question(
    `Kind of business: 1 to ${VERTICALS.length}, or your trade such as "dentist"`,
    (answer) =>
      answer === '' || verticalOf(answer) !== null
        ? null
        : `expected a number from 1 to ${VERTICALS.length} or a trade that is known, got ${show(answer)}; ` +
          `take the number of what is nearest, or ${VERTICALS.length}`,
  );
  const address: Record<string, string> = {};
  for (const [part, what] of [
    ['street', 'Street and number'],
    ['city', 'Town'],
    ['region', 'State or province'],
    ['postal_code', 'Postal code'],
    ['country', 'Country'],
  ] as const) {
    const isCountry = part === 'country';
    const check: Check = (answer) =>
      countryOf(answer) === null
        ? `expected a country by its name or its two letters, such as "Germany" or "DE", got ${show(answer)}`
        : null;
    const answer = await question(what, isCountry ? optional(check) : undefined);
    if (answer !== '') address[part] = (isCountry ? countryOf(answer) : null) ?? answer;
  }
  const telephone = await question('Telephone', optional(faultOfTelephone));
  if (telephone !== '') output.write(`  the button dials ${dialled(telephone)}\n`);
  const email = await question('E-mail, to which readers report a review', (answer) =>
    /^(?:\S+@\S+\.\S+)?$/.test(answer)
      ? null
      : `expected an address such as info@example.com, got ${show(answer)}`,
  );
  const hours = await question(
    'Opening hours, such as Mon-Fri 8:30-12, 14-18, Sat 9am-1pm',
    optional(faultOfHours),
  );
  for (const { days, opens, closes } of hoursOf(hours) ?? []) {
    output.write(`  ${days.join(', ')}: ${opens} to ${closes}\n`);
  }
  const labelled = (answer: string) => listOf(answer).map((label) => ({ label }));
  const named = (answer: string) => listOf(answer).map((each) => ({ name: each }));
  const list = async (what: string, check: Check): Promise<string> => {
    const answer = await question(`${what}, separated by commas`, names(check));
    if (answer !== '') output.write(`  ${listOf(answer).map(show).join(', ')}\n`);
    return answer;
  };
  const services = await list('Services', key('services', labelled));
  const towns = await list('Towns that are served', key('service_areas', listOf));
  const people = await list('Your people, whom reviews may name, only their names', (answer) =>
    listOf(answer).some((one) => /\s(?:&|and|und|at)\s/i.test(one))
      ? `expected the name of one person between commas, got ${show(answer)}`
      : key('technicians', named)(answer),
  );
  const logo = await question(
    'Logo: a PNG, JPEG or SVG file, or its address (https://...)',
    logoCheck(folder, key('logo_url')),
  );
  return {
    name,
    vertical: verticalOf(kind) ?? 'general',
    ...(telephone === '' ? {} : { telephone }),
    ...(email === '' ? {} : { email }),
    ...(Object.keys(address).length === 0 ? {} : { address }),
    ...(hours === '' ? {} : { hours: hoursOf(hours) }),
    service_areas: listOf(towns),
    services: labelled(services),
    technicians: named(people),
    ...(logo === '' ? {} : { logo_url: logo }),
  };
}

/** By its number, or by the word for a trade. */
function verticalOf(answer: string): string | null {
  return VERTICALS[Number(answer) - 1]?.[0] ?? verticalIdOf(answer);
}

async function askSettings(question: Question): Promise<Record<string, unknown>> {
  const setting = (variable: string) => (answer: string) => {
    try {
      parseConfig({ [variable]: answer });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const color = await question('Colour of the pages, such as #1f5c4d', setting('SITE_COLOR'));
  const checkOrigin = setting('BASE_URL');
  const origin = withScheme(
    await question('Public address of the server, such as https://reviews.example.com', (answer) =>
      checkOrigin(withScheme(answer)),
    ),
  );
  return {
    ...(origin === '' ? {} : { base_url: origin }),
    ...(color === '' ? {} : { site_color: color }),
  };
}

/** A name of a host means its https address. */
function withScheme(answer: string): string {
  return /^[\w-]+(?:\.[\w-]+)+$/.test(answer) ? `https://${answer}` : answer;
}

const checkName: Check = (answer) =>
  answer === '' ? 'the name is needed' : faultOf({ name: answer });

/** Names the part from which hours are not understood. */
const faultOfHours: Check = (answer) => {
  if (hoursOf(answer) !== null) return null;
  const parts = answer.split(',');
  const at = parts.findLastIndex((_, end) => hoursOf(parts.slice(0, end).join(',')) !== null);
  return (
    'expected days with times of 24 hours or with am and pm, such as "Mon-Fri 8:30-12, 14-18, Sat closed" or ' +
    `"Mon-Fri 8am-5pm", got what is not clear from ${show(parts[Math.max(at, 0)]?.trim())} on; or leave it empty`
  );
};

function optional(check: Check): Check {
  return (answer) => (answer === '' ? null : check(answer));
}

/** Checks every name of a list first. */
function names(check: Check): Check {
  return (answer) =>
    listOf(answer)
      .map(faultOfName)
      .find((fault) => fault !== null) ?? check(answer);
}

function listOf(answer: string): string[] {
  return answer.split(',').flatMap((part) => part.trim() || []);
}

/** The problems of a business file, as one line; null if it has none. */
function faultOf(record: Record<string, unknown>): string | null {
  const parsed = parseBusinessFile(record);
  return parsed.ok ? null : parsed.issues.map(({ message }) => message).join('; ');
}
