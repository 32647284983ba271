// What several workers share: the port and the limits of a client; and starts and ends that fail.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/patience.ts';
import { finish, type Server, Workplace } from '../support/process.ts';
import { askOften, isAlive, LOGGED, TWO, workersOf } from '../support/workers.ts';

const SUPERVISE = fileURLToPath(new URL('../support/supervise.ts', import.meta.url));

const ORIGIN = 'https://reviews.example';
const SETTINGS = { ...LOGGED, BASE_URL: ORIGIN };

// All servers load the published snapshot of one store, so none has to publish.
let place: Workplace;
/** Two workers. The last of the tests that share it kills it. */
let server: Server;
beforeAll(async () => {
  place = await Workplace.open();
  await place.publishFor(ORIGIN);
  const limits = { RATE_LIMIT_PER_MINUTE: '20', HUB_REQUESTS_PER_MINUTE: '10' };
  server = await place.serve({ ...SETTINGS, ...limits }, ...TWO);
});
afterAll(() => place.close());

test('rate limits count the requests of all workers together', async () => {
  const statuses = async (...ask: Parameters<typeof askOften> extends [any, ...infer R] ? R : []) =>
    (await askOften(server, ...ask)).map(({ status }) => status);
  const times = (status: number, count: number) => Array.from({ length: count }, () => status);
  expect(await statuses('/feed.xml')).toEqual([...times(200, 20), ...times(429, 10)]);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = { method: 'POST', headers, body: 'hub.mode=subscribe' };
  expect(await statuses('/api/websub/hub', post)).toEqual([...times(400, 10), ...times(429, 20)]);
});

test('a port of another program exits with 2 and says what to do, even if that program shares it', async () => {
  const { port } = new URL(server.url);
  const ended = await finish(place.start(['serve', ...TWO], { PORT: port }));
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `PORT: expected a port that is free, got ${port}, which another program has; ` +
      'is this one running already, in another window or as a service? Else choose another: PORT=8081, or "port": 8081 in public-reviews.config.json; 0 is any\n',
  });
});

test('readers are answered while the process that started the workers is stopped', async () => {
  await Promise.all(Array.from({ length: 30 }, () => askOften(server, '/feed.xml', {}, 1)));
  server.child.kill('SIGSTOP');
  try {
    // Each worker counts by itself now: 20 requests of this client pass in any case.
    const answers = await askOften(server, '/feed.xml', {}, 20);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    server.child.kill('SIGCONT');
  }
  await until(() => server.log.includes('the supervisor answers again'));
  // One line of each worker, whatever the number of requests.
  const silent = server.log.match(/"msg":"the supervisor does not answer/g)?.length;
  expect([1, 2]).toContain(silent);
});

test('workers end when the process that started them is killed', async () => {
  const workers = workersOf(server);
  expect(workers).toHaveLength(2);
  await server.kill();
  await until(() => !workers.some(isAlive));
});

test('without --workers there is one process', async () => {
  const alone = await place.serve(SETTINGS);
  expect(workersOf(alone)).toEqual([alone.child.pid]);
});

test('a lead that is killed while the others start ends the server with 1', async () => {
  const child = place.start(['serve', ...TWO], SETTINGS);
  const ended = finish(child);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ready = () => /"pid":(\d+),.*"msg":"Server listening at/.exec(log);
  await until(() => ready() !== null);
  process.kill(Number(ready()![1]), 'SIGKILL');
  expect(await ended).toMatchObject({ code: 1, stdout: '' });
});

test('a worker that hangs is killed and replaced', async () => {
  const child = spawn(process.execPath, [SUPERVISE], {
    env: { ...place.environment, ...SETTINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const supervised = await place.watch(child);
  const [, hung] = workersOf(supervised);
  process.kill(hung!, 'SIGSTOP');
  await until(() => !isAlive(hung!));
  await until(() => workersOf(supervised).length === 2);
  expect(supervised.log).toContain('a worker hangs and is killed');
  expect((await askOften(supervised, '/feed.xml')).every(({ status }) => status === 200)).toBe(
    true,
  );
});

test.each(['0', '65', '1.5'])('--workers %j exits with 2 and one message', async (given) => {
  const ended = await finish(place.start(['serve', '--workers', given]));
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `error: option '--workers <number>' argument '${given}' is invalid. ` +
      'expected an integer from 1 to 64\n',
  });
});

test('a worker that cannot start ends the server with its exit code, and reports the reason once', async () => {
  const path = await place.write('notes.txt', 'These are my notes.\n'.repeat(100));
  const ended = await finish(place.start(['serve', ...TWO], { DATABASE_URL: `sqlite:${path}` }));
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr.match(/If it was one: stop the server, move .*\n/g)).toHaveLength(1);
});
