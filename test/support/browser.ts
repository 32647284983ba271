// A real Chromium for tests, from npm.

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

/** Chromium crashes where it finds no font: the configuration of the package names other folders. */
const FONTS = '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Starts a browser. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const folder = await unpack();
  const launch = (environment: Record<string, string> = {}) =>
    chromium.launch({
      executablePath: join(folder, 'chromium'),
      args: ['--no-sandbox'],
      timeout: PATIENCE_MS,
      env: { ...process.env, FONTCONFIG_PATH: join(folder, 'fonts'), ...environment },
    });
  try {
    return await launch();
  } catch (error) {
    // A bare system lacks some. An old one cannot load those of the package, so its own come first.
    if (!String(error).includes('shared libraries')) throw error;
    return launch({ LD_LIBRARY_PATH: join(folder, 'al2023/lib') });
  }
}

/** Unpacks the browser once. The rename makes it appear complete to concurrent runs. */
async function unpack(): Promise<string> {
  const manifest = join(MODULES, '@sparticuz/chromium/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const cache = join(MODULES, '.cache');
  const folder = join(cache, `browser-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(join(cache, 'browser-'));
  // The package unpacks into the temporary folder, and libraries only for some hosts, of which this is one.
  await withEnvironment({ TMPDIR: own, VERCEL: '1' }, () => packed.executablePath());
  await writeFile(join(own, 'fonts/fonts.conf'), FONTS);
  try {
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function withEnvironment(
  variables: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** A page and its console errors and warnings, uncaught exceptions and dialogs. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page in a new context. It closes with the browser. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, complaints };
}

/** What axe checks. */
export type AxeRules = 'all' | 'colours';

/** The rules of axe that depend on the colours of a page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The accessibility violations that axe finds on a page, each with its rule and elements. */
export async function violationsOf(page: Page, rules: AxeRules = 'all'): Promise<string[]> {
  // The page keeps it until it is left.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const runOnly = rules === 'all' ? {} : { runOnly: COLOUR_RULES };
  const found = await page.evaluate(async (options) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(options);
    return violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ html }) => html) }));
  }, runOnly);
  return found.map(({ id, targets }) => `${id}: ${targets.slice(0, 3).join(' | ')}`);
}

/** The sum of all layout shifts of a page since it began to load. */
export function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            sum += (entry as unknown as { value: number }).value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 0));
      }),
  );
}
