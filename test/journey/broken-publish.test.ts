// What operators and readers see while publishing fails.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { PublishSwitch } from '../support/break-publish.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { finish, Workplace } from '../support/process.ts';
import { merge, record } from '../support/store.ts';
import { askOften, TWO } from '../support/workers.ts';

const FAILING = {
  status: 'failing',
  detail: 'deriving the insights failed: TypeError: no sum',
};

let place: Workplace;
let publishSwitch: PublishSwitch;
beforeEach(async () => {
  place = await Workplace.open();
  publishSwitch = new PublishSwitch(place.folder);
});
afterEach(() => place.close());

const ORIGIN = 'https://reviews.example';

/** Writes a file with a review with this text. */
function writeReview(text: string): Promise<string> {
  return place.write('reviews.json', [record({ source_id: text, text })]);
}

/** Merges a review with this text, and leaves it to a server to publish it. */
function mergeReview(text: string): Promise<unknown> {
  return place.look((database) => merge(database, [record({ source_id: text, text })]));
}

const serve = (...flags: string[]) =>
  place.serve({ BASE_URL: ORIGIN, ...publishSwitch.environment }, ...flags);

test('import says that it imported and did not publish, and the next import publishes both', async () => {
  await publishSwitch.break('throw');
  const importing = ['import', await writeReview('First.')];
  const { code, stdout, stderr } = await finish(place.start(importing, publishSwitch.environment));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^added +1$/m);
  expect(stderr.replace(/^created a new store: .*\n/, '')).toBe(
    'Imported, not published: deriving the insights failed: TypeError: no sum\n' +
      'Readers get what was published before. A server or the next import publishes again. ' +
      'To undo this import, import the previous business file and the previous reviews with --prune.\n',
  );
  await publishSwitch.mend();
  expect(await place.importHere(await writeReview('Second.'))).toMatchObject({ stderr: '' });
  const server = await place.serveHere();
  expect((await server.json('/reviews.json')).reviews).toHaveLength(2);
});

test('a server keeps serving, /readyz says that publishing fails, and it recovers', async () => {
  await mergeReview('First.');
  await place.publishFor(ORIGIN);
  const server = await serve();
  const { snapshot } = await server.json('/readyz');
  await publishSwitch.break('throw');
  await mergeReview('Second.');
  await server.until('/readyz', ({ publishing }) => publishing.status === 'failing');
  const readiness = await server.get('/readyz');
  expect([readiness.status, await readiness.json()]).toEqual([
    200,
    { status: 'ready', snapshot, store: { status: 'ok' }, publishing: FAILING },
  ]);
  expect((await server.json('/reviews.json')).reviews).toHaveLength(1);
  await publishSwitch.mend();
  await server.until('/reviews.json', ({ reviews }) => reviews.length === 2);
  expect((await server.json('/readyz')).publishing).toEqual({ status: 'ok' });
  expect(await server.stop()).toBe(0);
});

test('all workers report that the first publish failed, answer 503, and then serve', async () => {
  await publishSwitch.break('throw');
  await mergeReview('First.');
  const server = await serve(...TWO);
  const bodies = await askOften(server, '/readyz');
  for (const { status, text } of bodies) {
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { status: 'starting', snapshot: null, store: { status: 'ok' }, publishing: FAILING },
    ]);
  }
  expect((await server.get('/reviews.json')).status).toBe(503);
  await publishSwitch.mend();
  await server.until('/readyz', ({ status }) => status === 'ready');
  await server.until('/reviews.json', ({ reviews }) => reviews?.length === 1);
  await expect
    .poll(
      async () => {
        const answers = await askOften(server, '/readyz');
        return new Set(answers.map(({ text }) => text)).size === 1 && answers[0]?.text;
      },
      { timeout: PATIENCE_MS },
    )
    .toContain('"publishing":{"status":"ok"}');
  expect(await server.stop()).toBe(0);
});
