// `doctor`: checks the settings, the store and the public address, and says what to do.

import { existsSync } from 'node:fs';
import { type Config, siteNames, SITES } from '../../config.ts';
import { InputError, linesWithoutControls, messageOf, ReportedError } from '../../errors.ts';
import { commandName } from '../../model/command-name.ts';
import { Database } from '../../store/database.ts';
import { checkNode, checkSettings, settingsFindings } from './configuration.ts';
import { checkStore } from './database.ts';
import { type Finding, warning, wrong } from './finding.ts';
import { checkPort } from './port.ts';
import { checkAnalyser, checkReachability, FILES } from './reachability.ts';

const EXIT_FAULT = 1;

/**
 * Prints a line for each finding.
 *
 * @throws {ReportedError} if anything is wrong.
 */
export async function runDoctor(
  load: Load,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const findings = await diagnose(load, Date.now());
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : renderFindings(findings));
  if (findings.some(({ status }) => status === 'wrong')) throw new ReportedError(EXIT_FAULT);
}

type Load = (without?: readonly string[]) => Config;

/** Runs all checks, as if the variables `without` were not set. */
export async function diagnose(
  load: Load,
  nowMs: number,
  without: readonly string[] = [],
): Promise<Finding[]> {
  const node = checkNode(process.versions.node);
  let config: Config;
  try {
    config = load(without);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const found = settingsFindings(error.message);
    const bad = found.flatMap(({ message }) => /^[A-Z_]+(?=: )/.exec(message)?.[0] ?? []);
    if (bad.some((name) => without.includes(name))) return [];
    // The settings file, and another store, would be guessed.
    if (bad.length < found.length || bad.includes('DATABASE_URL')) return [node, ...found];
    const others = await diagnose(load, nowMs, [...without, ...bad]);
    const isOther = ({ check, action }: Finding) => check !== node.check && action !== null;
    return [node, ...found, ...others.filter(isOther)];
  }
  const settings = await Promise.try(checkSettings, config).catch(failure('settings'));
  const hasSites = config.site === null && existsSync(SITES) && siteNames(SITES).length > 0;
  if (hasSites && !(await Database.exists(config.databaseUrl).catch(() => true))) {
    const message = 'this folder has sites, each with a store and an address of its own';
    const all = `run: ${commandName()} --site all doctor`;
    return [node, ...settings, warning('sites', message, all)];
  }
  const { findings, facts } = await checkStore(config, nowMs).catch((error: unknown) => {
    return { findings: failure('database')(error), facts: null };
  });
  // That of several sites is checked by none of them.
  const port = config.site === null ? await checkPort(config, facts).catch(failure('port')) : [];
  const reachable = await checkReachability(config, facts, nowMs).catch(failure('address'));
  const hasFiles = reachable.some(({ check }) => check === FILES);
  return [
    node,
    ...settings.filter(({ check }) => !hasFiles || check !== 'proxy headers'),
    ...findings,
    ...[port].flat(),
    ...reachable,
    ...(await checkAnalyser(config).catch(failure('analyser'))),
  ];
}

/** What a check that threw has found, so that the others are printed. */
const failure = (check: string) => (error: unknown) => [
  wrong(check, messageOf(error), 'mend what it says, and run this command again'),
];

function renderFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, message, action }) => [
    `${status.padEnd('warning'.length)}  ${check.padEnd(width)}  ${message}`,
    ...(action === null ? [] : [`${' '.repeat('warning'.length + width + 4)}-> ${action}`]),
  ]);
  const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
  const warnings = count('warning');
  return `${linesWithoutControls(lines.join('\n'))}\n${count('wrong')} wrong, ${warnings} warning${warnings === 1 ? '' : 's'}\n`;
}
