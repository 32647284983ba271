// What commands print of strangers: their texts and the names of their files never control the terminal.

import { createServer } from 'node:http';
import { rename } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setBusiness } from '../../src/commands/business.ts';
import { runImport } from '../../src/commands/import/import.ts';
import { listRecorded, showRecorded } from '../../src/commands/import/imports.ts';
import { runForget } from '../../src/commands/reviews/remove.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { renderTable } from '../../src/commands/terminal/table.ts';
import { runVerify } from '../../src/commands/log/verify.ts';
import { parseConfig } from '../../src/config.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import { Shop } from '../support/log-files.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

/** Sets the title, clears the screen with a C1 control, and reverses the rest of the line. */
const HOSTILE = '\u001b]0;owned\u0007\u009b2J\u202e';
const ESCAPED = String.raw`\u{001b}]0;owned\u{0007}\u{009b}2J\u{202e}`;
const CONTROLS = /[^\P{Cc}\n]|\p{Cf}/u;

let place: Workplace;
beforeEach(async () => {
  place = await Workplace.open(createSqliteDatabase);
});
afterEach(() => place.close());

const config = () => parseConfig(place.environment);

/** What a command prints: escaped, with nothing left that a terminal obeys. */
async function expectEscaped(command: () => Promise<unknown>, shown = ESCAPED): Promise<void> {
  const { stdout, stderr } = await capture(command);
  expect(stdout).toContain(shown);
  expect(stdout + stderr).not.toMatch(CONTROLS);
}

test('a table escapes control characters, and aligns what it shows', () => {
  expect(
    renderTable([
      { A: '\u009b', B: 'x' },
      { A: 'y', B: 'z' },
    ]),
  ).toBe('A         B\n\\u{009b}  x\ny         z\n');
});

test('names of files are escaped by import, imports list, imports show and status', async () => {
  const file = join(place.folder, `${HOSTILE}.ndjson`);
  const rows = [record(), record({ rating: 9 })].map((row) => JSON.stringify(row)).join('\n');
  await rename(await place.write('a.ndjson', rows), file);
  const run = () => runImport(config(), [file], { source: 'google' }, publishHere);
  await expectEscaped(run);
  await expectEscaped(() => runImport(config(), [file], { dryRun: true }, publishHere));
  await expectEscaped(() => listRecorded(config(), { limit: 20 }));
  await expectEscaped(() => showRecorded(config(), '1', {}));
  await expectEscaped(() => showStatus(config(), {}));
});

test('names of authors and businesses are escaped by forget, business set and status', async () => {
  const author = 'Ann \u202eeel';
  const file = await place.write('reviews.json', [record({ author, text: 'Fine \u202e.' })]);
  await place.importHere(file);
  const no = () => Promise.resolve(false);
  const forget = () => runForget(config(), { author }, publishHere, no);
  await expectEscaped(forget, String.raw`Ann \u{202e}eel`);
  const business = await place.write('business.json', { name: 'Harbor \u202egnitaeH' });
  await expectEscaped(() => setBusiness(config(), business), String.raw`Harbor \u{202e}gnitaeH`);
  await expectEscaped(() => showStatus(config(), {}), String.raw`Harbor \u{202e}gnitaeH`);
});

test('the texts of an audited server are escaped by verify', async () => {
  const files = new Shop().add('A', 5).publish().files();
  const review = { id: HOSTILE, rating: 5, date: '2026-01-01', source: 'google' };
  files.set('/reviews.json', Buffer.from(JSON.stringify({ reviews: [review] })));
  const server = createServer(({ url }, response) => void response.end(files.get(url!)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await expectEscaped(() =>
      runVerify(`http://127.0.0.1:${port}`, {
        seen: join(place.folder, 'seen.json'),
      }),
    );
    expect(process.exitCode).toBe(1);
  } finally {
    process.exitCode = undefined;
    server.closeAllConnections();
    server.close();
  }
});
