// `verify` against servers that do not want to be verified: it reads no more than it needs, and only from the origin that
// it was given; and behind a proxy that has the key of the store, whatever it changes is found.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runVerify, type VerifyFlags } from '../../src/commands/log/verify.ts';
import { runHide } from '../../src/commands/reviews/hide.ts';
import { parseConfig } from '../../src/config.ts';
import { signCheckpoint } from '../support/sign-checkpoint.ts';
import { formatVerifierKey, newSeed, signingKey } from '../../src/log/notes.ts';
import type { ReviewJson } from '../../src/model/review.ts';
import { createSqliteDatabase } from '../support/databases.ts';
import type { LocalServer } from '../support/local-server.ts';
import { Shop } from '../support/log-files.ts';
import { Workplace } from '../support/process.ts';
import { publishHere } from '../support/publish.ts';
import { capture } from '../support/run-command.ts';
import { record } from '../support/store.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server and returns its URL. */
async function serve(
  answer: (...exchange: Parameters<RequestListener>) => void | Promise<void>,
): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns what is printed. */
async function verify(url: string, flags: Partial<VerifyFlags> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
  const seen = join(folder, 'seen.json');
  try {
    return (await capture(() => runVerify(url, { seen, ...flags }))).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const files = new Shop().add('A', 5).publish().files();
const answerFile: RequestListener = ({ url }, response) => void response.end(files.get(url!));

test('a checkpoint that is too long is not read to its end', async () => {
  let requests = 0;
  const url = await serve(({ url: path }, response) => {
    requests += 1;
    response.end(path === '/log/checkpoint' ? Buffer.alloc(100_000) : undefined);
  });
  await expect(verify(url)).rejects.toThrow('the answer is larger than 65536 bytes');
  // One that is read without a limit is followed by others.
  expect(requests).toBe(1);
});

test('a redirect to another origin, and one without an end, are not followed', async () => {
  let requests = 0;
  const inside = await serve((request, response) => {
    requests += 1;
    answerFile(request, response);
  });
  const outside = await serve(({ url }, response) => {
    response.writeHead(302, { Location: inside + url }).end();
  });
  await expect(verify(outside)).rejects.toThrow(
    `expected no redirect to another origin, got one to ${inside}`,
  );
  expect(requests).toBe(0);
  const endless = await serve(({ url }, response) => {
    response.writeHead(302, { Location: url }).end();
  });
  await expect(verify(endless)).rejects.toThrow('more than 5 redirects');
});

describe('behind a proxy that changes', () => {
  let place: Workplace;
  let server: LocalServer;
  let newest: ReviewJson;
  let worst: ReviewJson;
  beforeAll(async () => {
    place = await Workplace.open(createSqliteDatabase);
    const rows = Array.from({ length: 12 }, (_, id) => ({
      source_id: `${id}`,
      rating: 1 + (id % 5),
      date: `2025-03-${10 + id}`,
      // The first two have the same words but one, and marks that other programs escape.
      text: `Visit <${id}> & “caf\u00e9” no. ${id}: the crew of team${id} mended our boiler "well", said Zoë's aunt.`,
    }));
    await place.importHere(await place.write('a.json', rows.map(record)));
    const edited = { ...rows[5], rating: 5, text: `${rows[5]!.text} Update: they came back.` };
    const withheld = { source_id: 'unverified', rating: 1, verified: false };
    await place.importHere(await place.write('b.json', [edited, withheld].map(record)));
    const { id } = await place.look(({ read }) =>
      read
        .selectFrom('reviews')
        .select('id')
        .where('date', '=', '2025-03-16')
        .executeTakeFirstOrThrow(),
    );
    const config = parseConfig(place.environment);
    await capture(() => runHide(config, [id], { reason: 'court_or_law' }, publishHere));
    server = await place.serveHere();
    const { reviews } = await server.json('/reviews.json');
    newest = reviews[0];
    worst = reviews.findLast(({ rating }: ReviewJson) => rating === 1);
  });
  afterAll(() => place.close());

  type Change = (path: string, body: string) => string | null;

  /** A proxy; null answers 404. */
  const proxy = (change: Change, asked: (userAgent: string) => void = () => undefined) =>
    serve(async ({ url, headers }, response) => {
      asked(headers['user-agent'] ?? '');
      const answer = await fetch(server.url + url);
      const type = answer.headers.get('content-type') ?? '';
      const bytes = Buffer.from(await answer.arrayBuffer());
      const body = type.startsWith('application/octet') ? bytes : change(url!, bytes.toString());
      response.writeHead(body === null ? 404 : answer.status, { 'content-type': type });
      response.end(body ?? 'gone');
    });

  const cheats = (path: string, change: (body: any) => unknown): Change => {
    return (asked, body) =>
      asked.split('?')[0] === path ? JSON.stringify(change(JSON.parse(body))) : body;
  };
  const inDataset = (change: (review: any) => object) =>
    cheats('/reviews.json', ({ reviews, ...rest }) => ({
      ...rest,
      reviews: reviews.map((review: ReviewJson) =>
        review.id === worst.id ? change(review) : review,
      ),
    }));
  const without = (reviews: ReviewJson[], id: string) => reviews.filter((each) => each.id !== id);
  /** Cuts a review out of a feed or page. */
  const cut =
    (path: string, id: () => string, start: string, end: string): Change =>
    (asked, body) =>
      asked === path
        ? body
            .split(start)
            .map((part, index) =>
              index > 0 && part.includes(id())
                ? part.slice(part.indexOf(end) + end.length)
                : (index > 0 ? start : '') + part,
            )
            .join('')
        : body;

  test('nothing, verify says what it compared, and is named as what it is or as a browser', async () => {
    const names = new Set<string>();
    const url = await proxy(
      (_, body) => body,
      (name) => names.add(name),
    );
    const told = await verify(url);
    expect(told).toContain('the log holds');
    expect(told).toMatch(/compared with them: \d+ searches, 6 single reviews, 7 pages, 2 feeds/);
    expect(told).toContain('became 5');
    expect([...names]).toEqual([expect.stringMatching(/^public-reviews\/\S+ \(verify\)$/)]);
    names.clear();
    expect(await verify(url, { asBrowser: true })).toContain('the log holds');
    expect([...names]).toEqual([expect.stringMatching(/^Mozilla\/5\.0 .* Safari/)]);
  });

  test('nothing, a checkpoint that curl saved is what was seen before, and stays as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
    const seen = join(folder, 'checkpoint.txt');
    const text = await (await fetch(`${server.url}/log/checkpoint`)).text();
    await writeFile(seen, text);
    const { stdout, stderr } = await capture(() => runVerify(server.url, { seen }));
    expect(stdout).toMatch(/checked last, at entry \d+:\nadded {4}0/);
    expect(stderr).toContain(`not kept, ${seen} is a checkpoint`);
    expect(await readFile(seen, 'utf8')).toBe(text);
    await rm(folder, { recursive: true });
  });

  test('only the place, redirects within the origin are followed', async () => {
    const inside = await proxy((_, body) => body);
    const url = await serve(async ({ url: path }, response) => {
      if (!path!.startsWith('/moved')) {
        response.writeHead(308, { Location: `/moved${path}` }).end();
        return;
      }
      const answer = await fetch(inside + path!.slice('/moved'.length));
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    });
    expect(await verify(url)).toContain('the log holds');
  });

  test.each<[what: string, message: string, change: Change]>([
    [
      'a review dropped from the dataset',
      'it was removed without an entry',
      cheats('/reviews.json', ({ reviews, ...rest }) => ({
        ...rest,
        reviews: without(reviews, worst.id),
      })),
    ],
    [
      'a review dropped from the dataset and the salts',
      'it was removed without an entry',
      (path, body) => {
        const dropped = cheats('/reviews.json', ({ reviews, ...rest }) => ({
          ...rest,
          reviews: without(reviews, worst.id),
        }))(path, body)!;
        return cheats('/log/salts.json', ({ size, reviews }) => ({
          size,
          reviews: { ...reviews, [worst.id]: undefined },
        }))(path, dropped);
      },
    ],
    ['stars', 'it was changed without an entry', inDataset((review) => ({ ...review, rating: 5 }))],
    [
      'a text',
      'it was changed without an entry',
      inDataset((review) => ({ ...review, text: 'Great.' })),
    ],
    [
      'a text to another normal form',
      'it was changed without an entry',
      inDataset((review) => ({ ...review, text: review.text.normalize('NFD') })),
    ],
    [
      'an author',
      'it was changed without an entry',
      inDataset((review) => ({ ...review, author: 'Ann' })),
    ],
    [
      'a reply',
      'it was changed without an entry',
      inDataset((review) => ({
        ...review,
        owner_reply: { text: 'Not ours.', date: '2025-04-01' },
      })),
    ],
    [
      'a member',
      'it was changed without an entry',
      inDataset((review) => ({ ...review, extra: 1 })),
    ],
    [
      'the mean',
      'the aggregate_rating of /reviews.json is not that of its reviews: expected',
      cheats('/reviews.json', (dataset) => ({
        ...dataset,
        aggregate_rating: { ...dataset.aggregate_rating, rating_value: 4.9, review_count: 500 },
      })),
    ],
    [
      'the counts by stars',
      'the aggregate_rating of /reviews.json',
      cheats('/reviews.json', (dataset) => ({
        ...dataset,
        aggregate_rating: {
          ...dataset.aggregate_rating,
          distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 11 },
        },
      })),
    ],
    [
      'the number of published reviews',
      '/verification.json says published: 500, and the log 11',
      cheats('/verification.json', (counts) => ({ ...counts, published: 500 })),
    ],
    [
      'the numbers by method',
      '/verification.json says published by method: 12, and the log 11',
      cheats('/verification.json', (counts) => ({
        ...counts,
        methods: [...counts.methods, { method: 'invoice', count: 1 }],
      })),
    ],
    [
      'the number of withheld reviews',
      '/verification.json says withheld: 0, and the log 2',
      cheats('/verification.json', (counts) => ({
        ...counts,
        withheld: { total: 0, by_reason: {} },
      })),
    ],
    [
      'the number of removed reviews',
      '/verification.json says removed: 0, and the log 1',
      cheats('/verification.json', (counts) => ({
        ...counts,
        removed: { ...counts.removed, total: 0 },
      })),
    ],
    [
      'the reasons of removals',
      '/verification.json says removed by reason',
      cheats('/verification.json', (counts) => ({
        ...counts,
        removed: { ...counts.removed, by_reason: { customer_request: 1 } },
      })),
    ],
    [
      'the stars of removals',
      '/verification.json says removed by stars',
      cheats('/verification.json', (counts) => ({
        ...counts,
        removed: { ...counts.removed, by_rating: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 1 } },
      })),
    ],
    [
      'the number of edits',
      '/verification.json says edited',
      cheats('/verification.json', (counts) => ({ ...counts, edited: { total: 0, stars: [] } })),
    ],
    [
      'searches, which hide less than four stars',
      'finds 5 reviews, and 11 that match are published',
      cheats('/api/reviews/search', (answer) => {
        const reviews = answer.reviews.filter(({ rating }: ReviewJson) => rating > 3);
        return { ...answer, reviews, matched: Math.min(answer.matched, 5) };
      }),
    ],
    [
      'searches, but not their number',
      'leaves out the review',
      cheats('/api/reviews/search', (answer) => ({
        ...answer,
        reviews: without(answer.reviews, worst.id),
      })),
    ],
    [
      'searches by words, which hide one star',
      ', which has these words',
      (path, body) =>
        path.includes('query=')
          ? cheats('/api/reviews/search', (answer) => ({
              ...answer,
              reviews: answer.reviews.filter(({ rating }: ReviewJson) => rating > 1),
            }))(path, body)
          : body,
    ],
    [
      'a review in searches',
      'has a review that is not as /reviews.json has it',
      cheats('/api/reviews/search', (answer) => ({
        ...answer,
        reviews: answer.reviews.map((review: ReviewJson) => ({ ...review, rating: 5 })),
      })),
    ],
    [
      'single reviews, which are gone',
      'is missing, and the review is published',
      (path, body) => (path.startsWith('/api/reviews/0') ? null : body),
    ],
    [
      'single reviews',
      'has a review that is not as /reviews.json has it',
      (path, body) => (path.startsWith('/api/reviews/0') ? body.replace('mended', 'saved') : body),
    ],
    [
      'pages of reviews, which are gone',
      'is missing, and the review is published',
      (path, body) => (path.startsWith('/reviews/0') ? null : body),
    ],
    [
      'words on pages of reviews',
      'does not show the review',
      (path, body) => (path.startsWith('/reviews/0') ? body.replaceAll('boiler', 'heater') : body),
    ],
    [
      'stars for search engines',
      'does not show the review',
      (path, body) =>
        path.startsWith('/reviews/0') ? body.replace(/"ratingValue":\d/, '"ratingValue":6') : body,
    ],
    [
      'the first page of reviews',
      '/reviews does not show the review',
      (path, body) =>
        path === '/reviews' ? body.replaceAll(`/reviews/${newest.id}`, '/reviews/other') : body,
    ],
    [
      'the JSON feed',
      '/api/feed.json lacks the review',
      cheats('/api/feed.json', (feed) => ({ ...feed, items: feed.items.slice(1) })),
    ],
    [
      'words of the JSON feed',
      '/api/feed.json lacks the review',
      cheats('/api/feed.json', (feed) => ({
        ...feed,
        items: feed.items.map((item: object) => ({ ...item, content_text: 'Lovely.' })),
      })),
    ],
    [
      'the Atom feed',
      '/feed.xml lacks the review',
      cut('/feed.xml', () => newest.id, '<entry>', '</entry>'),
    ],
    [
      'a page that is no JSON',
      '/verification.json is no JSON',
      (path, body) => (path === '/verification.json' ? `${body}x` : body),
    ],
  ])('%s, the log does not hold', async (_, message, change) => {
    const told = await verify(await proxy(change));
    expect(told).toContain('the log does NOT hold');
    expect(told).toContain(message);
    expect(process.exitCode).toBe(1);
    process.exitCode = 0;
  });
});

describe('a hostile server', () => {
  const key = signingKey('reviews.example/log', 'log', newSeed());
  const signed = (size: number) =>
    signCheckpoint({ origin: key.name, size, root: new Uint8Array(32) }, [key]);
  const deep = `{"reviews":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const dataset = files.get('/reviews.json')!.toString();

  test.each([2 ** 53 - 1, 10 ** 9])('that signs %i entries is not asked for one', async (size) => {
    const asked: string[] = [];
    const url = await serve(({ url: path }, response) => {
      asked.push(path!);
      response.end(path === '/log/key' ? `${formatVerifierKey(key)}\n` : signed(size));
    });
    await expect(verify(url)).rejects.toThrow(
      `the log has ${size} entries, and this program verifies`,
    );
    expect(new Set(asked)).toEqual(new Set(['/log/checkpoint', '/log/key']));
  });

  test.each<[path: string, body: string, message: string]>([
    ['/reviews.json', '{}', 'is not as this program writes it'],
    ['/reviews.json', 'null', 'is not as this program writes it'],
    ['/reviews.json', '[null]', 'is not as this program writes it'],
    ['/reviews.json', '{"reviews":[null]}', 'is not as this program writes it'],
    ['/reviews.json', deep, 'is not as this program writes it'],
    [
      '/reviews.json',
      dataset.replace('"id":"A"', '"id":"__proto__"'),
      'and the log does not have it',
    ],
    [
      '/reviews.json',
      dataset.replace('"id":"A"', `"id":"A","x":${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      'it was changed without an entry',
    ],
    ['/log/salts.json', 'null', 'belongs to a log of null entries'],
    ['/log/salts.json', '{"size":2,"reviews":null}', 'and the log does not have it'],
    [
      '/log/salts.json',
      '{"size":2,"reviews":{"A":null}}',
      'has no entry and salt for the review A',
    ],
    ['/verification.json', '[]', 'says published: null'],
    ['/verification.json', '{"published":1e999}', 'published: what this program never writes'],
    ['/verification.json', `{"published":${deep}}`, 'published: what this program never writes'],
    [
      '/verification.json',
      '{"published":1,"methods":[{"count":"x"}]}',
      'published by method: what this program never writes',
    ],
    [
      '/reviews.json',
      dataset.replace('"rating_value":', '"rating_value":1e999,"more":'),
      'got what this program never writes of 1',
    ],
    ['/log/salts.json', `{"size":${deep}}`, 'belongs to a log of what this program never writes'],
    ['/log/checkpoint', '\u0000', 'is no checkpoint'],
    ['/log/key', '\u2028', 'a line that is no key'],
  ])('that answers %s with %.30s is told so in a line', async (path, body, message) => {
    const url = await serve(({ url: asked }, response) => {
      response.end(asked === path ? body : files.get(asked!));
    });
    const [first, second, ...more] = (await verify(url)).trimEnd().split('\n');
    expect(first).toContain('the log does NOT hold');
    expect(second).toContain(message);
    expect(more).toEqual([]);
    process.exitCode = 0;
  });

  test('that sends more than any honest one is cut off', async () => {
    const megabytes = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const url = await serve(({ url: asked }, response) => {
      if (asked !== '/verification.json') response.end(files.get(asked!));
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(megabytes);
    });
    await expect(verify(url)).rejects.toThrow('the answer is larger than 1048576 bytes');
  });
});
