// `init`: questions in a terminal, templates elsewhere, and no file replaced unasked.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runInit, VERTICALS } from '../../src/commands/init.ts';
import { countryOf, hoursOf } from '../../src/commands/init-answers.ts';
import { WEEK } from '../../src/model/business.ts';
import { loadConfig } from '../../src/config.ts';
import { businessFileSchema, parseBusinessFile } from '../../src/model/business-file.ts';
import { verticalIdOf } from '../../src/model/verticals.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs `init` with these answers in a terminal; without answers there is no terminal. */
async function init(answers?: readonly string[], force = false): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end((answers ?? []).map((answer) => `${answer}\n`).join(''));
  try {
    await runInit({ folder, force, input, output, isTerminal: answers !== undefined });
  } finally {
    output.end();
  }
  return (await output.toArray()).join('');
}

const read = async (name: string): Promise<any> =>
  JSON.parse(await readFile(join(folder, name), 'utf8'));
const settings = () =>
  loadConfig({ PUBLIC_REVIEWS_CONFIG: join(folder, 'public-reviews.config.json') });

const ANSWERS = [
  '', // A name is required.
  'Harbor Heating',
  '12', // There is no such kind.
  'spaceflight', // No trade that insights know.
  'Zimmer', // Neither.
  'plumbers',
  '18 Ropewalk Lane',
  'Bath',
  '',
  '04599',
  'Atlantis', // No country.
  'xx', // No code.
  'Deutschland',
  'DE', // No number.
  '+1-207-555-0142',
  'info at harbor', // No address.
  'info@harbor.example',
  'Mon-Fri', // No times.
  'Mon-Fri 9-17, Sat 17-9', // The wrong way round.
  'Mon-Fri 8:30-17, Sat 9-12',
  'Boiler repair, 030 1234567', // No name of a service.
  'Boiler repair, Drains,',
  'Bath, Rockport',
  'Mike & Sue at the desk', // Two people.
  'Mike Alvarez (owner)',
  'ftp://harbor.example/logo.png', // No address.
  'gone.png', // No file.
  'logo.png',
  'red', // No colour.
  '#aa3300',
  'https://reviews.example.com/path', // No origin.
  'reviews.example.com',
  '17', // No question.
  '4',
  'Wells',
  '',
];

test('asks, checks every answer, and writes files that the program accepts', async () => {
  await writeFile(join(folder, 'logo.png'), '');
  const shown = await init(ANSWERS);
  expect(shown).toContain('  the name is needed\n');
  for (const got of ['12', 'spaceflight', 'Zimmer']) {
    expect(shown).toContain(
      `  expected a number from 1 to 11 or a trade that is known, got "${got}"; take the number of what is nearest, or 11\n`,
    );
  }
  for (const got of ['Atlantis', 'xx']) {
    expect(shown).toContain(
      `  expected a country by its name or its two letters, such as "Germany" or "DE", got "${got}"\n`,
    );
  }
  expect(shown).toContain('  expected an address such as info@example.com, got "info at harbor"\n');
  expect(shown).toContain('got what is not clear from "Sat 17-9" on; or leave it empty\n');
  expect(shown.match(/ {2}expected days with times of 24 hours/g)).toHaveLength(2);
  expect(shown).toContain(
    'your page is then at http://localhost:8080, and at https://reviews.example.com once you put it there\n',
  );
  expect(shown).toContain('  expected a telephone number such as "+1-207-555-0142", got "DE"\n');
  expect(shown).toContain('  expected the name of one person between commas, got');
  expect(shown).toContain('  the button dials +12075550142\n');
  expect(shown).toContain('  "Bath", "Rockport"\n');
  expect(shown).toContain('  2 Kind of business: home services: heating, plumbing, cleaning\n');
  expect(shown).toContain('  expected 1 to 16, or Enter\n');
  expect(shown).toContain('  13 Your people: "Mike Alvarez"\n');
  expect(shown).toContain('  expected a name with letters, got "030 1234567"\n');
  expect(shown).toContain('  expected an http or https URL, got "ftp://harbor.example/logo.png"\n');
  expect(shown).toContain(
    `  expected a file in ${folder} or an http or https URL, got "gone.png"\n`,
  );
  expect(shown).toContain('  expected a colour as "#" and six digits such as');
  expect(shown).toContain('  expected an address such as');
  expect(shown).toContain(`wrote ${join(folder, 'business.json')}\n`);
  const written = await read('business.json');
  expect(written).toEqual({
    $schema: './business.schema.json',
    name: 'Harbor Heating',
    vertical: 'home_services',
    telephone: '+1-207-555-0142',
    email: 'info@harbor.example',
    address: { street: '18 Ropewalk Lane', city: 'Wells', postal_code: '04599', country: 'DE' },
    hours: [
      {
        days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
        opens: '08:30',
        closes: '17:00',
      },
      { days: ['Saturday'], opens: '09:00', closes: '12:00' },
    ],
    service_areas: ['Bath', 'Rockport'],
    services: [{ label: 'Boiler repair' }, { label: 'Drains' }],
    technicians: [{ name: 'Mike Alvarez' }],
    logo_url: 'logo.png',
  });
  expect(parseBusinessFile({ ...written, logo_url: null }).ok).toBe(true);
  expect(await read('business.schema.json')).toEqual(businessFileSchema());
  expect(settings()).toMatchObject({
    baseUrl: 'https://reviews.example.com',
    siteColor: '#aa3300',
  });
});

test('takes trades, countries and hours in the words of an owner', () => {
  const trades = ['Zahnarzt', 'café', 'Cafés', 'law firm', 'Bed-and-Breakfast', 'shaman'];
  expect(['bakery', 'Baker', 'florists', 'hairdresser', 'garage'].map(verticalIdOf)).toEqual([
    'cafes',
    'cafes',
    'retail_and_apps',
    'general',
    'general',
  ]);
  expect(trades.map(verticalIdOf)).toEqual([
    'clinics',
    'cafes',
    'cafes',
    'legal_and_professional',
    'hotels',
    null,
  ]);
  const countries = ['de', 'Germany', 'Allemagne', 'UK', 'usa', 'España', 'österreich', 'EU', 'D'];
  expect(countries.map(countryOf)).toEqual(['DE', 'DE', 'DE', 'GB', 'US', 'ES', 'AT', null, null]);
  expect(hoursOf('mo – we: 9.15-12')).toEqual([
    { days: ['Monday', 'Tuesday', 'Wednesday'], opens: '09:15', closes: '12:00' },
  ]);
  expect(hoursOf('mar-ven 9h-19h, sam 9h30 à 18h, dim fermé')).toEqual([
    { days: ['Tuesday', 'Wednesday', 'Thursday', 'Friday'], opens: '09:00', closes: '19:00' },
    { days: ['Saturday'], opens: '09:30', closes: '18:00' },
  ]);
  expect(hoursOf('lunes a viernes 9-14')).toMatchObject([{ opens: '09:00', closes: '14:00' }]);
  expect(hoursOf('Fri 18-2')).toEqual([{ days: ['Friday'], opens: '18:00', closes: '02:00' }]);
  expect(hoursOf('Mon to Fri 8am to 5 p.m., Sat 9:30 AM - 12pm')).toEqual([
    { days: WEEK.slice(0, 5), opens: '08:00', closes: '17:00' },
    { days: ['Saturday'], opens: '09:30', closes: '12:00' },
  ]);
  expect(hoursOf('Sun 12am-1pm')).toMatchObject([{ opens: '00:00', closes: '13:00' }]);
  expect(hoursOf('Monday to Friday, 8-12 and 13-17; Sat closed')).toEqual([
    { days: WEEK.slice(0, 5), opens: '08:00', closes: '12:00' },
    { days: WEEK.slice(0, 5), opens: '13:00', closes: '17:00' },
  ]);
  // Of days that are named again the later hours count.
  expect(hoursOf('Mo-Mi 8-12, 14-18 Uhr, Di 8-12, Mi closed, Sat by appointment')).toEqual([
    { days: ['Monday'], opens: '08:00', closes: '12:00' },
    { days: ['Monday'], opens: '14:00', closes: '18:00' },
    { days: ['Tuesday'], opens: '08:00', closes: '12:00' },
  ]);
  expect(hoursOf('M-Th: 9:00 AM - 5:00 PM, Sat, Sun 10am-2pm')).toEqual([
    { days: WEEK.slice(0, 4), opens: '09:00', closes: '17:00' },
    { days: ['Saturday', 'Sunday'], opens: '10:00', closes: '14:00' },
  ]);
  const weekend = 'Monday - Thursday 8am - 5pm, Friday 8am-2pm, Sat & Sun closed';
  expect(hoursOf(weekend)).toMatchObject([{ closes: '17:00' }, { days: ['Friday'] }]);
  const odd = ['Fri-Mon 9-17', 'Mon 9-25', 'daily 9-17', 'Mon 9', '8am to 5pm', 'Mon 8-5pm'];
  // Five in the afternoon is not five in the morning.
  const ofNight = ['Mon 8-5', 'Mon 8-12, Mon 1-5', 'Mon 11-2', 'Sat closed', 'Mon'];
  for (const answer of [...odd, ...ofNight])
    expect([answer, hoursOf(answer)]).toEqual([answer, null]);
});

test('needs only a name', async () => {
  await init(['Harbor', ...Array.from({ length: 16 }, () => '')]);
  expect(parseBusinessFile(await read('business.json'))).toMatchObject({
    ok: true,
    value: { name: 'Harbor', vertical: 'general', address: null, services: [] },
  });
  expect(settings()).toMatchObject({ baseUrl: null, siteColor: '#1f5c4d' });
});

test('without a terminal writes files that need only a name', async () => {
  expect(await init()).toContain('only the name is required\n');
  const template = await read('business.json');
  expect(parseBusinessFile(template)).toMatchObject({
    ok: false,
    issues: [{ path: ['name'], message: 'expected text that is not empty, got ""' }],
  });
  expect(parseBusinessFile({ ...template, name: 'Harbor' }).ok).toBe(true);
  expect(settings()).toMatchObject({ baseUrl: null, siteColor: '#1f5c4d' });
});

test('writes nothing if a file exists, and with --force says what it replaced', async () => {
  const path = join(folder, 'business.json');
  await writeFile(path, 'mine');
  await expect(init()).rejects.toThrow(
    `${path}: there are answers already. To change one, edit the file, then run`,
  );
  expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([
    ['business.json'],
    'mine',
  ]);
  const shown = await init(undefined, true);
  expect(shown).toContain(`replaced ${path}\nwrote ${join(folder, 'business.schema.json')}\n`);
});

test('writes nothing if the questions end early', async () => {
  await expect(init(['Harbor', '1'])).rejects.toThrow('nothing was written');
  expect(await readdir(folder)).toEqual([]);
});

test('says before the first question that it cannot write there', async () => {
  await writeFile(join(folder, 'file'), '');
  const inFile = { folder: join(folder, 'file', 'deeper'), force: false, isTerminal: true };
  const [input, output] = [new PassThrough(), new PassThrough()];
  // Without the check, the questions would wait for answers.
  input.end();
  await expect(runInit({ ...inFile, input, output })).rejects.toThrow(
    /deeper: expected a folder that this user may write into, got ENOTDIR; change into another folder, or name one/,
  );
  expect(output.read()).toBe(null);
});

test('offers the verticals that insights have', () => {
  const files = globSync(
    fileURLToPath(new URL('../../src/insights/verticals/*.json', import.meta.url)),
  );
  expect(VERTICALS.map(([id]) => id).toSorted()).toEqual(
    files.map((file) => basename(file, '.json')).toSorted(),
  );
});

test('the import that a practice is to type shows no patient who has not agreed', async () => {
  const shown = await init(['Smile', 'dentist', ...Array<string>(15).fill('')]);
  expect(shown).toMatch(
    /\nnext: .* import REVIEWS .* --hidden\nthen, for those who agree: .* show "/,
  );
  expect(await init(undefined, true)).not.toContain('--hidden');
});
