// `init`: writes a business file with its schema, and a settings file. Without a terminal they have no answers.

import { constants, existsSync } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseConfig, SETTINGS_FILE } from '../config.ts';
import { InputError, show } from '../errors.ts';
import { isLogoPath } from '../intake/logo/read-pictures.ts';
import { businessFileSchema, parseBusinessFile } from '../model/business-file.ts';
import { faultOfName, faultOfTelephone } from '../model/business-notes.ts';
import { dialled } from '../model/telephone.ts';
import { isOfHealth, verticalIdOf } from '../model/verticals.ts';
import { countryOf, hoursOf } from './init-answers.ts';
import kinds from './kinds.json' with { type: 'json' };
import { interruptible } from './terminal/interrupts.ts';
import { type Check, Questions } from './terminal/questions.ts';
import { commandName, currentSite } from '../model/command-name.ts';

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
  readonly isTerminal: boolean;
}

/** @throws {InputError} if a file exists, or if the questions were not answered to the end. */
export async function runInit(options: InitOptions): Promise<void> {
  const { folder, force, output, isTerminal } = options;
  // A site has its settings already, and its server runs.
  const isSite = currentSite() !== null;
  const files = [BUSINESS_FILE, SCHEMA_FILE, ...(isSite ? [] : [SETTINGS_FILE])];
  const paths = files.map((name) => join(folder, name));
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
  const { business, settings } = isTerminal ? await asked() : filesOf([]);
  const contents = [{ ...SCHEMA_LINK, ...business }, businessFileSchema(), settings];
  for (const [index, path] of paths.entries()) {
    const text = `${JSON.stringify(contents[index], null, 2)}\n`;
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
    output.write(`${existing.includes(path) ? 'replaced' : 'wrote'} ${path}\n`);
  }
  const { base_url: page } = settings as { base_url?: string };
  const there =
    page === undefined ? ', or your public address' : `, and at ${page} once you put it there`;
  const fill = `fill in ${paths[0]}, as examples/business.json of the program is: only the name is required\n`;
  const [hidden, shown] = isOfHealth(business.vertical)
    ? [' --hidden', `then, for those who agree: ${commandName()} show "Jane Doe" "Tom Weaver"\n`]
    : ['', ''];
  const set = `next: ${commandName()} business set ${paths[0]}\n`;
  output.write(
    (isTerminal ? '' : fill) +
      (isSite ? set : '') +
      `${isSite ? 'then' : 'next'}: ${commandName()} import REVIEWS --business ${paths[0]} --verified-by "how you know the customers"${hidden}\n` +
      shown +
      (isSite ? '' : `then: ${commandName()} serve\n`) +
      (isTerminal && !isSite ? `your page is then at http://localhost:8080${there}\n` : ''),
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

interface Question {
  readonly text: string;
  readonly check?: Check;
  readonly shown?: (answer: string) => string;
  readonly before?: string;
}

/** Asks one question after another, then which answer is to be changed. An empty answer leaves the value out. */
async function ask({ input, output, folder }: InitOptions) {
  const questions = new Questions(input, output);
  const list = questionsOf(folder);
  const answers: string[] = [];
  const askOne = async (index: number) => {
    const { text, check, shown, before = '' } = list[index]!;
    output.write(before);
    const answer = await questions.ask(text, check);
    answers[index] = answer;
    if (answer !== '' && shown) output.write(`  ${shown(answer)}\n`);
  };
  try {
    output.write('An empty answer leaves a question open; all can be changed at the end.\n');
    for (const index of list.keys()) await askOne(index);
    for (;;) {
      for (const [index, { text, shown = String }] of list.entries()) {
        const [what] = text.split(/[,:]/, 1);
        const answer = answers[index]!;
        output.write(`  ${index + 1} ${what}: ${answer === '' ? '' : shown(answer)}\n`);
      }
      const number = await questions.ask(
        'Is all this right? Press Enter, or type the number of what to change',
        (given) =>
          given === '' || list[Number(given) - 1] ? null : `expected 1 to ${list.length}, or Enter`,
      );
      if (number === '') return filesOf(answers);
      await askOne(Number(number) - 1);
    }
  } finally {
    questions.close();
  }
}

/** A file has to exist beside the business file; what it contains is checked when it is published. */
function logoCheck(folder: string, checkAddress: (answer: string) => string | null) {
  return (answer: string) => {
    if (!isLogoPath(answer)) return checkAddress(answer);
    if (existsSync(join(folder, answer))) return null;
    return `expected a file in ${resolve(folder)} or an http or https URL, got ${show(answer)}`;
  };
}

/** In the order in which `filesOf` takes their answers. */
function questionsOf(folder: string): Question[] {
  const key =
    (name: string, valueOf: (answer: string) => unknown = (answer) => answer) =>
    (answer: string) =>
      answer === '' ? null : faultOf({ name: 'A', [name]: valueOf(answer) });
  const list = (what: string, check: Check, read = listOf): Question => ({
    text: `${what}, separated by commas`,
    check: names(check),
    shown: (answer) => read(answer).map(show).join(', '),
  });
  const nearest = `take the number of what is nearest, or ${VERTICALS.length}`;
  return [
    { text: 'Name of the business', check: checkName },
    {
      before: VERTICALS.map(([, what], index) => `  ${index + 1} ${what}\n`).join(''),
      text: `Kind of business: 1 to ${VERTICALS.length}, or your trade such as "dentist"`,
      check: (answer) =>
        answer === '' || verticalOf(answer) !== null
          ? null
          : `expected a number from 1 to ${VERTICALS.length} or a trade that is known, got ${show(answer)}; ${nearest}`,
      shown: (answer) => new Map(VERTICALS).get(verticalOf(answer) ?? '') ?? answer,
    },
    { text: 'Street and number' },
    { text: 'Town' },
    { text: 'State or province' },
    { text: 'Postal code' },
    {
      text: 'Country',
      check: optional((answer) =>
        countryOf(answer) === null
          ? `expected a country by its name or its two letters, such as "Germany" or "DE", got ${show(answer)}`
          : null,
      ),
    },
    {
      text: 'Telephone',
      check: optional(faultOfTelephone),
      shown: (answer) => `the button dials ${dialled(answer)}`,
    },
    {
      text: 'E-mail, to which readers report a review',
      check: (answer) =>
        /^(?:\S+@\S+\.\S+)?$/.test(answer)
          ? null
          : `expected an address such as info@example.com, got ${show(answer)}`,
    },
    {
      text: 'Opening hours, such as Mon-Fri 8:30-12, 14-18, Sat 9am-1pm',
      check: optional(faultOfHours),
      shown: (answer) =>
        (hoursOf(answer) ?? [])
          .map(({ days, opens, closes }) => `${days.join(', ')}: ${opens} to ${closes}`)
          .join('\n  '),
    },
    list('Services, shown once reviews name them', key('services', labelled)),
    list('Towns that are served', key('service_areas', listOf)),
    list(
      'Your people, whom reviews may name, only their names',
      (answer) =>
        namesIn(answer).some((one) => /\s(?:&|and|und|at)\s/i.test(one))
          ? `expected the name of one person between commas, got ${show(answer)}`
          : key('technicians', named)(answer),
      namesIn,
    ),
    {
      text: 'Logo: a PNG, JPEG or SVG file, or its address (https://...)',
      check: logoCheck(folder, key('logo_url')),
    },
    { text: 'Colour of the pages, such as #1f5c4d', check: setting('SITE_COLOR') },
    {
      text: 'Public address of the server, such as https://reviews.example.com',
      check: setting('BASE_URL'),
    },
  ];
}

function filesOf(answers: readonly string[]) {
  const [name = '', kind = '', street, city, region, postalCode, country = '', ...rest] = answers;
  const [telephone, email, hours = '', services = '', towns = '', people = '', ...look] = rest;
  const [logo, color, origin = ''] = look;
  const address = { street, city, region, postal_code: postalCode, country: countryOf(country) };
  const addressGiven = withoutEmpty(address);
  return {
    business: {
      name,
      vertical: verticalOf(kind) ?? 'general',
      ...withoutEmpty({ telephone, email }),
      ...(Object.keys(addressGiven).length === 0 ? {} : { address: addressGiven }),
      ...withoutEmpty({ hours: hoursOf(hours) }),
      service_areas: listOf(towns),
      services: labelled(services),
      technicians: named(people),
      ...withoutEmpty({ logo_url: logo }),
    },
    settings: withoutEmpty({
      base_url: parseConfig({ BASE_URL: origin }).baseUrl,
      site_color: color,
    }),
  };
}

function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== '' && value !== null,
    ),
  );
}

const labelled = (answer: string) => listOf(answer).map((label) => ({ label }));
/** A note such as "(owner)" is no part of a name, and no review has it. */
const namesIn = (answer: string) => listOf(answer.replaceAll(/\([^()]*\)/g, ''));
const named = (answer: string) => namesIn(answer).map((name) => ({ name }));

/** By its number, or by the word for a trade. */
function verticalOf(answer: string): string | null {
  return VERTICALS[Number(answer) - 1]?.[0] ?? verticalIdOf(answer);
}

function setting(variable: string): Check {
  return (answer) => {
    try {
      parseConfig({ [variable]: answer });
      return null;
    } catch (error) {
      return (error as Error).message.replace(`${variable}: `, '');
    }
  };
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
