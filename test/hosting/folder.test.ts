// The directory of an export: atomic files, no changes to other files, readable errors.

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ExportFolder, MARKER } from '../../src/hosting/folder.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'public-reviews-folder-'));
});
afterEach(() => rm(base, { recursive: true }));

const bytes = (text: string) => Buffer.from(text);

/** Exports these files. */
async function exportFiles(files: Record<string, string>, path = join(base, 'copy')) {
  const folder = await ExportFolder.open(path);
  for (const [name, text] of Object.entries(files)) await folder.write(name, bytes(text));
  const counts = await folder.finish();
  await folder.close();
  return counts;
}

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test('counts written, unchanged and removed files', async () => {
  expect(await exportFiles({ a: '1', 'b/c': '2' })).toEqual({
    written: 2,
    unchanged: 0,
    removed: 0,
  });
  expect(await exportFiles({ a: '1', d: '3' })).toEqual({ written: 1, unchanged: 1, removed: 1 });
  expect((await readdir(join(base, 'copy'))).toSorted()).toEqual([MARKER, 'a', 'd']);
});

test('the next export removes what an interrupted one left', async () => {
  await exportFiles({ a: '1' });
  const cut = await ExportFolder.open(join(base, 'copy'));
  await cut.write('b', bytes('2'));
  await cut.close();
  expect(await exportFiles({ a: '1' })).toMatchObject({ removed: 1 });
  expect(existsSync(join(base, 'copy/b'))).toBe(false);
});

test('a full disk leaves the previous file unchanged, and is named', async () => {
  await exportFiles({ a: 'former' });
  const folder = await ExportFolder.open(join(base, 'copy'), failing('ENOSPC'));
  await expect(folder.write('a', bytes('next'))).rejects.toThrow(/the disk is full/);
  await folder.close();
  expect(await readFile(join(base, 'copy/a'), 'utf8')).toBe('former');
  expect((await readdir(join(base, 'copy'))).toSorted()).toEqual([MARKER, 'a']);
});

test.each(['EACCES', 'EROFS', 'EPERM'])('%s is reported as an InputError', async (code) => {
  const folder = await ExportFolder.open(join(base, 'copy'), failing(code));
  await expect(folder.write('a', bytes('1'))).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringContaining(
      `expected a directory that can be written, got one that fails with ${code}`,
    ),
  });
  await folder.close();
});

test('a file instead of the directory is reported as an InputError', async () => {
  await writeFile(join(base, 'file'), 'mine');
  for (const path of ['file', 'file/below', 'file/far/below']) {
    await expect(ExportFolder.open(join(base, path))).rejects.toMatchObject({ name: 'InputError' });
  }
  expect(await readFile(join(base, 'file'), 'utf8')).toBe('mine');
});

test('other errors are thrown unchanged', async () => {
  const folder = await ExportFolder.open(join(base, 'copy'), failing('EIO'));
  await expect(folder.write('a', bytes('1'))).rejects.toThrow('EIO');
  await folder.close();
});

test('no name leaves the directory, not even one in an edited marker', async () => {
  await writeFile(join(base, 'outside'), 'mine');
  await exportFiles({ a: '1' });
  await writeFile(join(base, 'copy', MARKER), '#\n../outside\n/etc/hostname\na\n');
  await exportFiles({});
  expect(existsSync(join(base, 'outside'))).toBe(true);
  const folder = await ExportFolder.open(join(base, 'copy'));
  for (const name of ['../outside', 'a/../../outside', '/outside', 'a//b', '.', 'a\nb', '']) {
    await expect(folder.write(name, bytes('x'))).rejects.toThrow(
      'cannot be the name of an exported file',
    );
  }
  await folder.close();
});

test('a link instead of a file is replaced, not followed', async () => {
  await exportFiles({ a: '1' });
  await writeFile(join(base, 'outside'), 'mine');
  await rm(join(base, 'copy/a'));
  await symlink(join(base, 'outside'), join(base, 'copy/a'));
  await exportFiles({ a: '2' });
  expect(await readFile(join(base, 'outside'), 'utf8')).toBe('mine');
  expect(await readFile(join(base, 'copy/a'), 'utf8')).toBe('2');
});
