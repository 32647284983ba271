// docs/limits.md lists every limit as the code has it, and no code of the three rooms has another.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../src/config.ts';
import { HTTP_LIMITS, HTTP_SETTINGS } from '../../src/http/limits.ts';
import { HUB_LIMITS, HUB_SETTINGS } from '../../src/hub/limits.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import type { ConfiguredLimit, FixedLimit } from '../../src/model/limit.ts';

const ROOT = new URL('../..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

type AnyLimit = FixedLimit | ConfiguredLimit<Config>;

const ROOMS: Readonly<Record<string, readonly AnyLimit[]>> = {
  'Connections and reads': [...HTTP_SETTINGS, ...Object.values(HTTP_LIMITS)],
  MCP: Object.values(MCP_LIMITS),
  'The hub': [...HUB_SETTINGS, ...Object.values(HUB_LIMITS)],
};

function rowOf(limit: AnyLimit): string {
  const isSetting = 'setting' in limit;
  const value = isSetting ? limit.valueOf(parseConfig({})) : limit.value;
  const setting = isSetting ? `\`${limit.setting}\`` : '';
  const metric = limit.metric === null ? '' : `\`${limit.metric}\``;
  return `| ${limit.what} | ${show(value, limit.unit)} | ${setting} | ${limit.answer} | ${metric} |`;
}

function show(value: number, unit?: string): string {
  if (unit === undefined && value === 0) return 'unlimited';
  if (unit === 'ms') return value < 1_000 ? `${value} ms` : `${value / 1000} s`;
  if (unit !== 'bytes') return value.toLocaleString('en-US') + (unit ? ` ${unit}` : '');
  return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`;
}

test.each(Object.entries(ROOMS))(
  'docs/limits.md has the limits of "%s", in order',
  (room, limits) => {
    const section = read('docs/limits.md').split(`## ${room}\n`)[1]!.split('\n## ')[0]!;
    const rows = section.split('\n').filter((line) => /^\| (?!limit|-)/.test(line));
    expect(rows).toEqual(limits.map(rowOf));
  },
);

test('the sections are the rooms', () => {
  const headings = [...read('docs/limits.md').matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(expect.arrayContaining(Object.keys(ROOMS)));
});

test('every limit of the configuration is a setting of the operating page', () => {
  const settings = Object.values(ROOMS)
    .flat()
    .flatMap((limit) => ('setting' in limit ? limit.setting : []));
  const page = read('docs/operating.md');
  expect(settings.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

/** Limits that no client can reach: of our own work, not of what is accepted. */
const OWN = new Set([
  'http/encoding.ts MAX_REMEMBERED',
  'hub/request.ts MAX_KEY_LENGTH',
  'hub/slots.ts MAX_EXCLUDED',
  'mcp/prompts.ts MAX_REVIEW_ID_COMPLETIONS',
]);

test('no file of these rooms has a limit of its own', () => {
  const src = new URL('src/', ROOT);
  const found = globSync('{http,hub,mcp}/**/*.ts', { cwd: src }).flatMap((path) =>
    [
      ...readFileSync(new URL(path, src), 'utf8').matchAll(/const (MAX_\w+|\w+_LIMIT) = [\d(]/g),
    ].map(([, name]) => `${path} ${name}`),
  );
  expect(new Set(found)).toEqual(OWN);
});

test('a metric that a limit names exists', () => {
  const metrics = new Set(
    Object.values(ROOMS)
      .flat()
      .flatMap(({ metric }) => metric ?? []),
  );
  const sources = globSync('src/{http,hub,model}/*.ts', { cwd: ROOT }).map((path) => read(path));
  const isNamed = (name: string) => sources.some((text) => text.includes(`'${name}'`));
  expect([...metrics].filter((name) => !isNamed(name))).toEqual([]);
});
