// Sources that are kept in step: by the command, and by a server on schedule.

import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkSources } from '../../src/commands/doctor/sources.ts';
import { showStatus } from '../../src/commands/store/status.ts';
import { runForget } from '../../src/commands/reviews/remove.ts';
import { runSync } from '../../src/commands/import/sync.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { ReportedError } from '../../src/errors.ts';
import { download } from '../../src/intake/sync/fetch-source.ts';
import { syncSource } from '../../src/intake/sync/sync.ts';
import { syncInProcess } from '../../src/serving/sources.ts';
import { listImports } from '../../src/store/merge/imports.ts';
import { loadBusiness } from '../../src/store/reviews/reviews.ts';
import { claimSource, loadSources, recordSource } from '../../src/store/merge/sources.ts';
import { LocalServer } from '../support/local-server.ts';
import { until } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { BUSINESS } from '../support/reviews.ts';
import { merge, record, storedReviews } from '../support/store.ts';

let place: Workplace;
let web: FakeSite;
beforeEach(async () => {
  place = await Workplace.open();
  web = await FakeSite.open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await place.close();
  await web.close();
});

/** A web server whose answer a test chooses. */
class FakeSite {
  readonly requests: IncomingMessage['headers'][] = [];
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => {
    response.writeHead(404).end();
  };
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request.headers);
      this.answer(response, request);
    });
  }

  static async open(): Promise<FakeSite> {
    const site = new FakeSite();
    await new Promise<void>((resolve) => void site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Serves records as a feed of another instance, with an ETag. */
  serve(records: object, etag: string): void {
    this.answer = (response, { headers }) => {
      if (headers['if-none-match'] === etag) response.writeHead(304).end();
      else {
        const type = 'application/json; charset=utf-8';
        response.writeHead(200, { 'content-type': type, etag }).end(JSON.stringify(records));
      }
    };
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}

const NO_GOOGLE = { placesKey: null, credentialsFile: null };

/** Writes a file as if it had been there for a while. */
async function settle(name: string, content: unknown): Promise<string> {
  const path = await place.write(name, content);
  await utimes(path, 1_700_000_000, 1_700_000_000 + JSON.stringify(content).length);
  return path;
}

/** Variables of an operator who asks Google. */
let access: Record<string, string> = {};

async function configOf(...sources: object[]): Promise<Config> {
  const file = await place.write('settings.json', { sources });
  return loadConfig({ ...place.environment, ...access, PUBLIC_REVIEWS_CONFIG: file });
}

/** Leaves the publish pending: a publish takes many times longer than an import of one review. */
const sync = async (config: Config, ...names: string[]) =>
  (await capture(() => runSync(config, names, () => Promise.resolve(true)))).stdout;
const authors = async () =>
  (await place.look(storedReviews)).map(({ author }) => author).toSorted();
const imports = () => place.look(({ read }) => listImports(read, 10));
const rowOf = async (name: string) =>
  (await place.look(({ read }) => loadSources(read))).find((row) => row.name === name)!;

describe('a business in a source', () => {
  const evil = { name: 'Evil', telephone: '+1 900 555 0100', url: 'https://evil.example/' };
  const business = () => place.look(({ read }) => loadBusiness(read));
  beforeEach(async () => {
    await place.look((database) => merge(database, [record()], { business: BUSINESS }));
    web.serve(
      { business: evil, reviews: [record({ source_id: 'b', author: 'Bo', text: 'Fine.' })] },
      '"1"',
    );
  });

  test('does not replace ours, and is reported', async () => {
    const before = await business();
    const config = await configOf({ name: 'sister', url: web.url });
    const told = await sync(config);
    expect(told).toMatch(/^added +1$/m);
    expect(told).toContain('business: the one in this source was left out; to take it, set');
    expect(await business()).toEqual(before);
    expect((await imports())[0]!.report.remarks).toContainEqual(
      expect.stringContaining('was left out'),
    );
  });

  test('replaces ours if the source says so, and each change is told', async () => {
    const config = await configOf({ name: 'sister', url: web.url, business: true });
    const told = await sync(config);
    expect((await business()).name).toBe('Evil');
    expect(told).toContain(`business: name was ${JSON.stringify(BUSINESS.name)}, is now "Evil"`);
    expect(told).toContain('business: telephone was ');
    expect((await imports())[0]!.report.remarks).toContainEqual(
      expect.stringContaining('is now "Evil"'),
    );
  });
});

test('a source hides new reviews of patients, until an import chose to show them; forget names its file', async () => {
  const business = { ...BUSINESS, vertical: 'clinics' };
  await place.look((database) => merge(database, [record()], { business }));
  const path = await settle('a.json', [record({ source_id: 'a', author: 'Ada' })]);
  const config = await configOf({ name: 'shop', file: path });
  const told = await sync(config);
  expect(told).toContain(
    '0 of 1 reviews are published; hidden: 1\n"npx public-reviews show" lists',
  );
  const empty = await place.write('b.json', [record({ source_id: 'b' })]);
  await place.importHere(empty, { hidden: false });
  await settle('a.json', [record({ source_id: 'c', author: 'Bo', text: 'Fine.' })]);
  expect(await sync(config)).not.toContain('hidden');
  const forget = { author: 'Bo', yes: true };
  const { stdout } = await capture(() => runForget(config, forget, publishHere));
  expect(stdout).toContain(`what was removed, now or before, is still in: ${path}, other backups`);
});

test('of a directory, what is no file, leads out of it or has another format is left out and named', async () => {
  const inbox = join(place.folder, 'inbox');
  await mkdir(join(inbox, 'folder.json'), { recursive: true });
  const secret = await settle('secret.csv', 'top secret line');
  await symlink(secret, join(inbox, 'link.csv'));
  await symlink(join(inbox, 'gone.json'), join(inbox, 'dangling.json'));
  await writeFile(join(inbox, 'reviews.pdf'), 'x');
  await settle('inbox/damaged.csv', 'author,rating,date\nA,5,"2024-01-02\n');
  await settle('inbox/good.json', [record({ source_id: 'a' })]);
  const told = await sync(await configOf({ name: 'inbox', directory: inbox }));
  expect(told).toMatch(/^added +1$/m);
  expect(told).not.toContain('top secret');
  for (const line of [
    'folder.json: left out: it is no file',
    'link.csv: left out: it leads out of the directory',
    'reviews.pdf: left out: it is no CSV, JSON, Excel or ZIP file',
  ]) {
    expect(told).toContain(`${inbox}/${line}`);
  }
  expect(told).toMatch(/dangling\.json: left out: it /);
  // Where nothing else is new, the damaged file fails the source.
  await expect(sync(await configOf({ name: 'inbox', directory: inbox }))).rejects.toThrow(
    ReportedError,
  );
});

test('of a directory with prune, a name that cannot be read fails the source, and removes nothing', async () => {
  const inbox = join(place.folder, 'inbox');
  await mkdir(inbox);
  await settle('inbox/a.json', [record({ source_id: 'a' })]);
  await settle('inbox/b.json', [record({ source_id: 'b', author: 'Bo', text: 'Fine.' })]);
  const config = await configOf({ name: 'inbox', directory: inbox, prune: true });
  await sync(config);
  await rm(join(inbox, 'a.json'));
  await mkdir(join(inbox, 'a.json'));
  const { stdout } = await capture(() =>
    runSync(config, [], () => Promise.resolve(true)).catch((error: unknown) => {
      expect(error).toBeInstanceOf(ReportedError);
    }),
  );
  expect(stdout).toMatch(/failed\nnothing was imported: with "prune"/);
  expect(stdout).toContain(`${inbox}/a.json: left out: it is no file`);
  expect(await authors()).toEqual(['Bo', 'Karen W.']);
});

describe('a file', () => {
  test('is imported when it changed, and recorded under its own name', async () => {
    const path = await settle('a.json', [record({ source_id: 'a' }), record({ rating: 9 })]);
    const config = await configOf({ name: 'shop', file: path });
    const { stdout } = await capture(() => runSync(config, [], publishHere));
    expect(stdout).toMatch(/^shop \(.*a\.json\): imported\nrows +2\nadded +1$/m);
    expect(await sync(config)).toBe(`shop (${path}): unchanged\n`);
    const [first, ...others] = await imports();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      command: 'sync shop',
      outcome: 'published',
      report: { files: [{ name: path }], refusedLines: [{ file: path, line: 1 }] },
    });
    await settle('a.json', [record({ source_id: 'a', author: 'Lee' })]);
    expect(await sync(config)).toContain('updated    1');
    expect(await authors()).toEqual(['Lee']);
  });

  test('is left for later while it is being written', async () => {
    const path = await place.write('a.json', [record()]);
    const config = await configOf({ name: 'shop', file: path });
    // Time stands still, however long the command takes.
    const nowMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(nowMs);
    await utimes(path, nowMs / 1000 - 1, nowMs / 1000 - 1);
    expect(await sync(config)).toMatch(/^shop .*: not imported: a file is being written/);
    expect(await rowOf('shop')).toMatchObject({ failures: 0, succeeded_at: null });
    await utimes(path, 1_700_000_000, 1_700_000_000);
    expect(await sync(config)).toContain('added      1');
  });

  test('is read again with other settings', async () => {
    const path = await settle('a.json', [record({ verified: undefined })]);
    await sync(await configOf({ name: 'shop', file: path }));
    const verified = await configOf({ name: 'shop', file: path, verified_by: 'purchase' });
    expect(await sync(verified)).toContain('updated    1');
  });
});

test('of a directory only new files are read, whole ones, in the order of their changes', async () => {
  await settle('1.json', [record({ source_id: 'a', author: 'Old and longer' })]);
  await settle('2.ndjson', JSON.stringify(record({ source_id: 'a', author: 'New' })));
  await utimes(join(place.folder, '2.ndjson'), 1_800_000_000, 1_800_000_000);
  await settle('.hidden.json', 'no JSON');
  await settle('half.json.part', 'no JSON');
  const config = await configOf({ name: 'spool', directory: join(place.folder) });
  await rm(join(place.folder, 'settings.json'));
  await sync(config);
  expect(await authors()).toEqual(['New']);
  await settle('3.json', [record({ source_id: 'b', author: 'Next', text: 'Quick.' })]);
  await sync(config);
  expect((await imports())[0]!.report.files).toHaveLength(1);
  expect(await authors()).toEqual(['New', 'Next']);
});

describe('a URL', () => {
  test('is asked with its validators, and equal content is not imported again', async () => {
    web.serve([record({ source_id: 'a' })], '"1"');
    const config = await configOf({ name: 'sister', url: `${web.url}/reviews.json` });
    expect(await sync(config)).toContain('added      1');
    expect(await sync(config)).toContain('unchanged');
    expect(web.requests.map((headers) => headers['if-none-match'])).toEqual([undefined, '"1"']);
    web.serve([record({ source_id: 'a' })], '"2"');
    expect(await sync(config)).toBe(`sister (${web.url}/reviews.json): unchanged\n`);
    web.serve([record({ source_id: 'a', rating: 1 })], '"3"');
    expect(await sync(config)).toContain('updated    1');
    const [newest] = await imports();
    expect(newest).toMatchObject({ report: { files: [{ name: `${web.url}/reviews.json` }] } });
    expect(await imports()).toHaveLength(2);
  });

  test('with an ETag too long to send back is asked without it', async () => {
    web.serve([record({ source_id: 'a' })], `"${'e'.repeat(12_000)}"`);
    const config = await configOf({ name: 'sister', url: `${web.url}/reviews.json` });
    expect(await sync(config)).toContain('added      1');
    expect(await sync(config)).toContain('unchanged');
    expect(web.requests.map((headers) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  test('may redirect within its origin only', async () => {
    const config = await configOf({ name: 'sister', url: `${web.url}/old` });
    web.answer = (response, { url }) => {
      if (url === '/old') response.writeHead(302, { location: '/new.json' }).end();
      else response.end(JSON.stringify([record()]));
    };
    expect(await sync(config)).toContain('added      1');
    web.answer = (response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    };
    await expect(sync(config)).rejects.toThrow();
    expect((await rowOf('sister')).error).toContain('expected no redirect to another origin');
  });

  test('whose answer is cut off removes no more than half of what is stored', async () => {
    const many = Array.from({ length: 30 }, (_, number) => record({ source_id: `${number}` }));
    const config = await configOf({ name: 'sister', url: `${web.url}/a.json`, prune: true });
    web.serve(many, '"1"');
    expect(await sync(config)).toContain('added      30');
    web.serve(many.slice(0, 20), '"2"');
    expect(await sync(config)).toContain('removed    10');
    for (const [etag, rest] of [many.slice(0, 5), []].entries()) {
      web.serve(rest, `"half ${etag}"`);
      await sync(config).catch(() => undefined);
      expect(await authors()).toHaveLength(20);
    }
    web.serve(many.slice(0, 5), '"half"');
    await expect(sync(config)).rejects.toMatchObject({ exitCode: 2 });
    expect((await rowOf('sister')).error).toContain(
      'expected most of the 20 stored reviews of "google", got 5, so "prune" would remove 15',
    );
    web.serve(many, '"3"');
    expect(await sync(config)).toContain('added      10');
  });

  test('is refused if it is too large or too slow', async () => {
    const path = join(place.folder, 'download');
    web.answer = (response) => void response.end('x'.repeat(2_000));
    await expect(download(web.url, path, null, { maxBytes: 1_000 })).rejects.toThrow(
      'expected at most 1000 bytes, got more',
    );
    web.answer = (response) => void response.write('never ends');
    await expect(download(web.url, path, null, { timeoutMs: 200 })).rejects.toThrow(
      'no complete answer within 0.2 s',
    );
  });

  test.each([
    ['its headers', (response: ServerResponse) => response.writeProcessing()],
    ['its body', (response: ServerResponse) => void response.write('x'.repeat(1_000))],
  ])('is refused if it drips %s', async (_, drip) => {
    let dripping: NodeJS.Timeout | undefined;
    web.answer = (response) => {
      dripping = setInterval(() => drip(response), 5);
    };
    const path = join(place.folder, 'download');
    await expect(download(web.url, path, null, { paceMs: 100 })).rejects.toThrow(
      /expected the rest of the answer or 262144 bytes of it in 0.1 s, got \d+$/,
    );
    clearInterval(dripping);
  });
});

describe('a failure', () => {
  test('is of its source alone, is recorded once, and is tried again later and later', async () => {
    const path = await settle('a.json', [record()]);
    const config = await configOf(
      { name: 'sister', url: web.url, every_minutes: 5 },
      { name: 'shop', file: path },
    );
    await expect(sync(config)).rejects.toMatchObject({ exitCode: 2 });
    expect(await authors()).toEqual(['Karen W.']);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const { checked_at, next_at, failures } = await rowOf('sister');
      expect(failures).toBe(attempt + 1);
      waits.push(Math.floor((next_at - checked_at!) / 60_000 + 0.01));
      await expect(sync(config, 'sister')).rejects.toThrow();
    }
    for (const [index, least] of [1, 2, 4, 5, 5].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least);
      expect(waits[index]).toBeLessThanOrEqual(least * 1.2);
    }
    const failed = (await imports()).filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ error }) => error)).toEqual([`${web.url}: expected status 200, got 404`]);
    const { stdout } = await capture(() => showStatus(config, {}));
    expect(stdout).toMatch(/^source +sister \(http.*\): last read never, 6 failures: .*404$/m);
    const rows = await place.look(({ read }) => loadSources(read));
    expect(checkSources(config.sources, rows, Date.now())).toMatchObject([
      { check: 'source sister', status: 'wrong' },
      { check: 'source shop', status: 'ok' },
    ]);
    web.serve([], '"1"');
    await sync(config, 'sister');
    expect(await rowOf('sister')).toMatchObject({ failures: 0, error: null });
  });

  test('to import is recorded once too', async () => {
    const config = await configOf({ name: 'sister', url: web.url });
    web.serve([record({ rating: 9 })], '"1"');
    for (const _ of [1, 2, 3]) await expect(sync(config)).rejects.toThrow();
    expect((await imports()).map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  test('of a file names it, and not the copy that was read', async () => {
    const path = await settle('a.json', 'no JSON');
    await expect(sync(await configOf({ name: 'shop', file: path }))).rejects.toThrow();
    expect((await rowOf('shop')).error).toMatch(new RegExp(`^${path}:1: expected`));
  });
});

describe('Google', () => {
  const place1 = 'ChIJN1t_tDeuEmsRUsoyG83frY4';
  const asked: { url: string; headers: Headers; body: string }[] = [];
  let answers: Record<string, () => Response> = {};
  beforeEach(() => {
    asked.length = 0;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
    vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
      asked.push({ url, headers: new Headers(headers), body: String(body as URLSearchParams) });
      const answer = answers[url];
      if (!answer) throw new Error(`nothing recorded of ${url}`);
      return Promise.resolve(answer());
    });
  });
  afterEach(() => {
    access = {};
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('Places: its reviews, with the key in a header, and nothing at the next look without a change', async () => {
    access = { GOOGLE_PLACES_KEY: 'a-key' };
    const review = {
      name: `places/${place1}/reviews/r1`,
      relativePublishTimeDescription: 'a month ago',
      rating: 4,
      text: { text: 'Kind and quick.', languageCode: 'en' },
      originalText: { text: 'Nett und schnell.', languageCode: 'de' },
      authorAttribution: { displayName: 'Ada', uri: 'https://www.google.com/maps/contrib/1' },
      publishTime: '2026-01-05T10:00:00Z',
      googleMapsUri: 'https://www.google.com/maps/reviews/data=1',
    };
    const url = `https://places.googleapis.com/v1/places/${place1}`;
    answers = { [url]: () => Response.json({ reviews: [review] }, { headers: { etag: '"1"' } }) };
    const config = await configOf({ name: 'maps', google: place1 });
    expect(await sync(config)).toContain(
      `maps (Google ${place1}): imported\nrows       1\nadded      1\n`,
    );
    expect(asked[0]!.headers.get('x-goog-api-key')).toBe('a-key');
    expect(asked[0]!.headers.get('x-goog-fieldmask')).toBe('reviews');
    expect(await sync(config)).toContain('unchanged');
    expect(asked[1]!.headers.get('if-none-match')).toBe('"1"');
    expect((await place.look(storedReviews))[0]).toMatchObject({
      text: 'Nett und schnell.',
      source: 'google',
      source_url: review.googleMapsUri,
    });
  });

  test('Business Profile: all pages with a token, one request at the next look, and what Google says of a refusal', async () => {
    const file = await place.write('login.json', {
      client_id: 'c',
      client_secret: 's',
      refresh_token: 'r',
      type: 'authorized_user',
    });
    access = { GOOGLE_APPLICATION_CREDENTIALS: file };
    const location = 'accounts/1/locations/2';
    const pages = `https://mybusiness.googleapis.com/v4/${location}/reviews?pageSize=50&orderBy=updateTime%20desc`;
    const token = 'https://oauth2.googleapis.com/token';
    const review = (id: string, reply?: object) => ({
      name: `${location}/reviews/${id}`,
      reviewId: id,
      reviewer: { displayName: `Guest ${id}` },
      starRating: 'FIVE',
      comment: `Comment ${id}`,
      createTime: '2026-01-05T10:00:00Z',
      updateTime: '2026-01-05T10:00:00Z',
      ...(reply && { reviewReply: reply }),
    });
    answers = {
      [token]: () => Response.json({ access_token: 't', expires_in: 3599 }),
      [pages]: () =>
        Response.json({ reviews: [review('a')], totalReviewCount: 2, nextPageToken: 'n=' }),
      [`${pages}&pageToken=n%3D`]: () =>
        Response.json({ reviews: [review('b', { comment: 'Thanks' })], totalReviewCount: 2 }),
    };
    const config = await configOf({ name: 'profile', google: location });
    expect(await sync(config)).toMatch(/^added +2$/m);
    expect(asked[0]!.body).toContain('grant_type=refresh_token');
    expect(asked.slice(1).map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer t',
      'Bearer t',
    ]);
    expect(await sync(config)).toContain('unchanged');
    expect(asked.slice(3).map(({ url }) => url)).toEqual([token, pages]);
    vi.setSystemTime(Date.UTC(2026, 10, 27, 12));
    answers[`${pages}&pageToken=n%3D`] = () =>
      Response.json({ reviews: [review('b', { comment: 'Thanks again' })], totalReviewCount: 2 });
    expect(await sync(config)).toContain('of the updated, changed: reply 1');
    const error = { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' };
    answers[pages] = () =>
      Response.json({ error }, { status: 429, headers: { 'retry-after': '7200' } });
    await expect(sync(config)).rejects.toThrow();
    const row = await rowOf('profile');
    expect(row.error).toBe(`${pages}: expected status 200, got 429: Quota exceeded`);
    expect(row.next_at - Date.now()).toBeGreaterThan(7_100_000);
    answers = { [token]: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) };
    await expect(sync(config)).rejects.toThrow();
    expect((await rowOf('profile')).error).toBe(
      `${token}: expected status 200, got 400: invalid_grant`,
    );
  });

  test('a missing key is named', async () => {
    await expect(sync(await configOf({ name: 'maps', google: place1 }))).rejects.toThrow();
    expect((await rowOf('maps')).error).toMatch(/^expected GOOGLE_PLACES_KEY/);
    expect(asked).toEqual([]);
  });
});

test('a source that another process looks at is not claimed', async () => {
  const path = await settle('a.json', [record()]);
  const [source] = (await configOf({ name: 'shop', file: path })).sources;
  const options = {
    owner: 'me',
    operator: 'me',
    reviewDateEarliest: '1995-01-01',
    google: NO_GOOGLE,
  };
  await place.look(async (database) => {
    await claimSource(database, 'shop', 'one', { nowMs: Date.now(), mustBeDue: true });
    const early = await syncSource(database, source!, { ...options, mustBeDue: true });
    expect(early).toEqual({ outcome: 'not claimed' });
  });
});

test('a server imports what is new on schedule, publishes it, and shows when', async () => {
  const good = await settle('a.json', [record()]);
  const file = await place.write('settings.json', {
    sources: [
      { name: 'gone', file: join(place.folder, 'gone.json') },
      { name: 'shop', file: good },
    ],
  });
  // A clock that ran a year ahead, and was set back, does not stop the schedule.
  await place.look(async (database) => {
    const nowMs = Date.now() + 365 * 86_400_000;
    await claimSource(database, 'shop', 'one', { nowMs, mustBeDue: false });
    await recordSource(database, 'shop', 'one', { nowMs, nextAtMs: nowMs + 60_000 });
  });
  const server = await LocalServer.start(
    place.environment,
    {},
    loadConfig({
      ...place.environment,
      PUBLIC_REVIEWS_CONFIG: file,
    }),
  );
  try {
    await server.until('/reviews.json', ({ reviews }) => reviews.length === 1);
    await until(() => server.log.includes('gone.json'));
    const text = await (await server.get('/metrics')).text();
    expect(text).toMatch(
      /^public_reviews_source_last_success_timestamp_seconds\{source="shop"\} \d{10}$/m,
    );
    expect(text).toMatch(/^public_reviews_source_failures\{source="gone"\} 1$/m);
    expect((await imports()).map(({ command }) => command).toSorted()).toEqual([
      'sync gone',
      'sync shop',
    ]);
  } finally {
    await server.close();
  }
});

test('a look in a process of its own returns the result, and a fault', async () => {
  const path = await settle('a.json', [record()]);
  const [source] = (await configOf({ name: 'shop', file: path })).sources;
  const look = (databaseUrl: string) => {
    const options = {
      owner: randomUUID(),
      operator: 'me',
      reviewDateEarliest: '1995-01-01',
      google: NO_GOOGLE,
      mustBeDue: true,
    };
    const job = { databaseUrl, source: source!, options };
    return syncInProcess(job, new AbortController().signal);
  };
  const [result, fault] = await Promise.allSettled([
    look(place.databaseUrl),
    look(`sqlite:${path}`),
  ]);
  expect(result).toMatchObject({ value: { outcome: 'imported', report: { added: 1 } } });
  expect(fault).toMatchObject({ reason: { message: expect.stringContaining(path) } });
});

test('a look that is killed while it downloads leaves no copies behind', async () => {
  vi.stubEnv('TMPDIR', place.folder);
  const begun = Promise.withResolvers<void>();
  web.answer = (response) => {
    response.write('x'.repeat(100_000));
    begun.resolve();
  };
  const [source] = (await configOf({ name: 'sister', url: web.url })).sources;
  const owner = randomUUID();
  const options = {
    owner,
    operator: 'me',
    reviewDateEarliest: '1995-01-01',
    google: NO_GOOGLE,
    mustBeDue: true,
  };
  const stop = new AbortController();
  const job = { databaseUrl: place.databaseUrl, source: source!, options };
  const look = syncInProcess(job, stop.signal);
  await Promise.race([begun.promise, look]);
  const left = async () =>
    (await readdir(place.folder)).filter((name) => name.startsWith('public-reviews-sync-'));
  await until(async () => (await left()).length === 1);
  stop.abort();
  await expect(look).rejects.toThrow('the import ended with SIGKILL');
  expect(await left()).toEqual([]);
});

test('a look whose process is stopped ends with a fault', async () => {
  const path = await settle('a.json', [record()]);
  const [source] = (await configOf({ name: 'shop', file: path })).sources;
  const options = {
    owner: 'me',
    operator: 'me',
    reviewDateEarliest: '1995-01-01',
    google: NO_GOOGLE,
    mustBeDue: true,
  };
  const stop = (message: unknown) => {
    (message as { process: ChildProcess }).process.once('spawn', function (this: ChildProcess) {
      this.kill('SIGSTOP');
    });
  };
  subscribe('child_process', stop);
  const look = syncInProcess(
    { databaseUrl: place.databaseUrl, source: source!, options },
    new AbortController().signal,
    { maxIntervals: 3, intervalMs: 20 },
  );
  await expect(look).rejects.toThrow('the import did not respond and was killed');
  unsubscribe('child_process', stop);
});

test('bad sources are named with their keys', async () => {
  const file = await place.write('settings.json', {
    sources: [
      { name: 'a b', file: 'x', url: 'https://a.example' },
      { name: 'c', url: 'ftp://a' },
    ],
  });
  expect(() => loadConfig({ ...place.environment, PUBLIC_REVIEWS_CONFIG: file })).toThrow(
    /sources\.0\.name: expected a name of letters.*sources\.1\.url: expected an http or https URL/s,
  );
  await expect(sync(loadConfig(place.environment))).rejects.toThrow('expected "sources"');
  await writeFile(file, '{}');
});
