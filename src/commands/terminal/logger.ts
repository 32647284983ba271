// The log on stderr: a line of JSON for each event, or text for people at a terminal.

import { writeSync } from 'node:fs';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from '../../config.ts';
import { withoutControls } from '../../errors.ts';

const STDERR = 2;

/** Words and times that people and their tools read as they are. */
export const LINES = {
  formatters: { level: (label: string) => ({ level: label }) },
  timestamp: stdTimeFunctions.isoTime,
};

export function createLogger({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: logLevel, ...LINES };
  const isTerminal = process.stderr.isTTY;
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && isTerminal);
  if (isPretty) return pino(options, { write: (line) => writePretty(line) });
  const destination = pino.destination({ dest: STDERR, sync: true });
  // A server whose log cannot be written, as on a full disk, goes on without it.
  destination.on('error', () => undefined);
  return pino(options, destination);
}

function writePretty(line: string): void {
  try {
    writeSync(STDERR, renderEvent(line));
  } catch {
    // As above: the log cannot be written.
  }
}

/** Members that say where a line comes from, which a person at a terminal knows, and what machines measure. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'stageSeconds']);

/** A line of the log for people: `12:30:01.250 INFO  delivery topic="/feed.xml" ms=12`. */
export function renderEvent(line: string): string {
  const event = JSON.parse(line) as Record<string, unknown>;
  const time = String(event['time']).slice(11, 23);
  const level = String(event['level']).toUpperCase();
  const members = Object.entries(event)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const { stack, message } = (event['err'] ?? {}) as { stack?: string; message?: string };
  const fault = stack ?? message;
  const text = [
    `${time} ${level.padEnd(5)} ${(event['msg'] as string | undefined) ?? ''}${members.join('')}`,
  ];
  if (fault !== undefined) text.push(...fault.split('\n').map((each) => `    ${each}`));
  return `${text.map(withoutControls).join('\n')}\n`;
}
