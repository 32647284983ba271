// `doctor`: checks the settings, the store and the public address, and says what to do.

import { type Config, settingsPath } from '../../config.ts';
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
  load: () => Config,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const findings = await diagnose(load, Date.now());
  process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : renderFindings(findings));
  if (findings.some(({ status }) => status === 'wrong')) throw new ReportedError(EXIT_FAULT);
}

/** Runs all checks. Settings that are wrong leave nothing else to check. */
export async function diagnose(load: () => Config, nowMs: number): Promise<Finding[]> {
  const node = checkNode(process.versions.node);
  let config: Config;
  try {
    config = load();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [node, ...settingsFindings(error.message)];
  }
  const { findings, facts } = await checkStore(config, nowMs);
  const port = await checkPort(config, facts);
  const reachable = await checkReachability(config, facts, nowMs);
  const hasFiles = reachable.some(({ check }) => check === FILES);
  return [
    node,
    ...checkSettings(config, settingsPath()).filter(
      ({ check }) => !hasFiles || check !== 'proxy headers',
    ),
    ...findings,
    port,
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
