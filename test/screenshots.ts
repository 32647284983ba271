// Takes the pictures of the pages that the documentation shows: `npm run screenshots`.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runImport } from '../src/commands/import/import.ts';
import { parseConfig } from '../src/config.ts';
import { openBrowser, openPage } from './support/browser.ts';
import { createSqliteDatabase } from './support/databases.ts';
import { Workplace } from './support/process.ts';

const FOLDER = fileURLToPath(new URL('../docs/screenshots', import.meta.url));

const SHOTS = [
  { name: 'home-light', path: '/', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'home-dark-phone', path: '/', width: 360, height: 760, colorScheme: 'dark' },
  {
    name: 'charts-light',
    path: '/aspects',
    width: 1280,
    height: 900,
    colorScheme: 'light',
  },
  {
    name: 'search-light',
    path: '/reviews?words=boiler',
    width: 1280,
    height: 900,
    colorScheme: 'light',
  },
  {
    name: 'person-dark',
    path: '/technicians/mike-alvarez',
    width: 1280,
    height: 900,
    colorScheme: 'dark',
  },
  {
    name: 'verification-light',
    path: '/verification',
    width: 1280,
    height: 900,
    colorScheme: 'light',
  },
  {
    name: 'embed-light',
    path: '/developers/embed?kind=carousel',
    width: 1280,
    height: 1100,
    colorScheme: 'light',
  },
  {
    name: 'review-phone',
    path: '/reviews?words=steve',
    width: 360,
    height: 760,
    colorScheme: 'light',
  },
  { name: 'look-dark', path: '/', width: 1280, height: 900, colorScheme: 'light', look: true },
] as const;

/** The look that docs/pages.md shows. */
const LOOK = {
  color: '#b4552d',
  font: 'rounded',
  color_scheme: 'dark',
  sections: ['newest', 'aspects', 'questions'],
  call_to_action: { label: 'Book online', url: 'https://harborpine.example/book' },
};
const EXAMPLES = new URL('../examples/', import.meta.url);

await mkdir(FOLDER, { recursive: true });
const place = await Workplace.open(createSqliteDatabase);
const look = await Workplace.open(createSqliteDatabase);
const business: object = JSON.parse(await readFile(new URL('business.json', EXAMPLES), 'utf8'));
await runImport(
  parseConfig(look.environment),
  [fileURLToPath(new URL('reviews.ndjson', EXAMPLES))],
  { business: await look.write('business.json', { ...business, site: LOOK }) },
);
const [server, looking, browser] = await Promise.all([
  place.serve({}, '--example'),
  look.serve(),
  openBrowser(),
]);
for (const shot of SHOTS) {
  const { name, path, width, height, colorScheme } = shot;
  const { page } = await openPage(browser, {
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.goto(('look' in shot ? looking : server).url + path);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.context().close();
}
await browser.close();
await place.close();
await look.close();
