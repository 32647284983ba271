// Saves the results of a benchmark as a section of a page, with plots beside it.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Findings } from './benchmark.ts';
import { replaceSection } from './page.ts';
import { renderPlot } from './plot.ts';
import { renderTable } from './table.ts';

const PAGE = 'performance.md';
/** The folder of plots, beside the page. */
const PICTURES = 'performance';

export interface Circumstances {
  readonly name: string;
  readonly machine: readonly string[];
  readonly quick: boolean;
}

/** Writes a section of `performance.md` in a folder, and plots as SVG into `performance/` beside it. */
export async function saveFindings(
  folder: string,
  { name, machine, quick }: Circumstances,
  { tables, plots = [] }: Findings,
): Promise<void> {
  await mkdir(join(folder, PICTURES), { recursive: true });
  const path = join(folder, PAGE);
  const page = existsSync(path) ? await readFile(path, 'utf8') : '# Performance\n';
  for (const plot of plots) {
    await writeFile(join(folder, PICTURES, `${plot.name}.svg`), renderPlot(plot));
  }
  const command = `npm run bench -- ${name}${quick ? ' --quick' : ''} --save docs`;
  const content = [
    `Measured by \`${command}\`${quick ? ', a quick look, not a result' : ''}, on:`,
    '',
    ...machine.map((line) => `- ${line}`),
    '',
    ...tables.map(renderTable),
    ...plots.map((plot) => `![${plot.title}](${PICTURES}/${plot.name}.svg)\n`),
  ].join('\n');
  await writeFile(path, replaceSection(page, name, content));
}
