// `doctor`: checks the settings, the store and the public address, and says what to do.

import type { Config } from '../../config.ts';
import { InputError, linesWithoutControls, ReportedError } from '../../errors.ts';
import { checkNode, checkSettings, settingsFindings } from './configuration.ts';
import { checkStore } from './database.ts';
import type { Finding } from './finding.ts';
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
  const { findings, facts } = await checkStore(config, nowMs);
  // That of several sites is checked by none of them.
  const port = config.site === null ? [await checkPort(config, facts)] : [];
  const reachable = await checkReachability(config, facts, nowMs);
  const hasFiles = reachable.some(({ check }) => check === FILES);
  return [
    node,
    ...checkSettings(config).filter(({ check }) => !hasFiles || check !== 'proxy headers'),
    ...findings,
    ...port,
    ...reachable,
    ...(await checkAnalyser(config)),
  ];
}

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
