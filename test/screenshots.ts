// Takes the pictures of the pages that the documentation shows: `npm run screenshots`.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from './support/browser.ts';
import { createSqliteDatabase } from './support/databases.ts';
import { Workplace } from './support/process.ts';

const FOLDER = fileURLToPath(new URL('../docs/screenshots', import.meta.url));

const SHOTS = [
  { name: 'home-light', path: '/', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'home-dark-phone', path: '/', width: 360, height: 760, colorScheme: 'dark' },
  {
    name: 'charts-light',
    path: '/',
    width: 1280,
    height: 900,
    colorScheme: 'light',
    at: 'Praised',
  },
  {
    name: 'search-light',
    path: '/reviews?words=leaking+boiler',
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
] as const;

await mkdir(FOLDER, { recursive: true });
const place = await Workplace.open(createSqliteDatabase);
const [server, browser] = await Promise.all([place.serve({}, '--example'), openBrowser()]);
for (const shot of SHOTS) {
  const { name, path, width, height, colorScheme } = shot;
  const { page } = await openPage(browser, {
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.goto(server.url + path);
  if ('at' in shot)
    await page
      .getByText(shot.at)
      .first()
      .evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.context().close();
}
await browser.close();
await place.close();
