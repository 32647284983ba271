// Pictures for links to a review, a person or another subject: each its own, drawn on request, and limited.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { SharePictures } from '../../src/serving/share-pictures.ts';
import { buildAssets } from '../../src/site/assets.ts';
import type { ShareContent } from '../../src/site/pictures/share-picture.ts';
import { SharePictureDrawer } from '../../src/site/pictures/share-picture-drawer.ts';
import { Site } from '../../src/site/site.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { exampleSnapshot } from '../support/example.ts';
import { TestServer } from '../support/http.ts';
import { ORIGIN } from '../support/snapshot.ts';

let server: TestServer;
let ids: string[];
let snapshot: Snapshot;
beforeAll(async () => {
  snapshot = await exampleSnapshot(ORIGIN);
  server = await TestServer.open(snapshot);
  const { reviews } = await server.json('/api/reviews/search?has_text=true&limit=2');
  ids = reviews.map(({ id }: { id: string }) => id);
});
afterAll(() => server.close());

async function shareTags(path: string): Promise<{ image: string; alt: string }> {
  const { text } = await server.ask(path, { headers: { Accept: 'text/html' } });
  const tag = (name: string) =>
    new RegExp(`property="${name}" content="([^"]*)"`).exec(text)?.[1] ?? '';
  return { image: tag('og:image').replace(ORIGIN, ''), alt: tag('og:image:alt') };
}

test('the picture of a review is its own, and says in its alternative text what it shows', async () => {
  const [first, second] = await Promise.all(ids.map((id) => shareTags(`/reviews/${id}`)));
  expect(first!.image).toMatch(new RegExp(`^/og/reviews/${ids[0]}\\.png\\?v=\\w{12}$`));
  expect(first!.alt).toMatch(/^“.+” · \d out of 5 stars · Review by .+, \d{4}$/);
  const [one, again, other] = await Promise.all(
    [first!, first!, second!].map(({ image }) => server.ask(image)),
  );
  expect(one!.status).toBe(200);
  expect(one!.headers).toMatchObject({
    'content-type': 'image/png',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=60, stale-while-revalidate=600',
  });
  expect([one!.body.readUInt32BE(16), one!.body.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(again!.body.equals(one!.body)).toBe(true);
  expect(other!.body.equals(one!.body)).toBe(false);
  const known = { headers: { 'If-None-Match': one!.headers.etag as string } };
  expect((await server.ask(first!.image, known)).status).toBe(304);
});

test.each([
  ['/technicians/mike-alvarez', /^\/og\/technicians\/mike-alvarez\.png/, /^Mike Alvarez · .+ of 5/],
  ['/services/drain-cleaning', /^\/og\/services\/drain-cleaning\.png/, /^Drain cleaning/i],
  ['/aspects/pricing', /^\/og\/aspects\/pricing\.png/, /verified reviews$/],
])('%s has a picture', async (path, image, alt) => {
  const tags = await shareTags(path);
  expect(tags.image).toMatch(image);
  expect(tags.alt).toMatch(alt);
  expect((await server.ask(tags.image)).headers['content-type']).toBe('image/png');
});

test.each([
  '/og/reviews/nothing.png',
  '/og/nothing/mike-alvarez.png',
  '/og/technicians/mike-alvarez',
  '/og/technicians/mike-alvarez.jpg',
])('%s is not found', async (path) => {
  expect((await server.ask(path)).status).toBe(404);
});

test('that is one too many is that of the business: crawlers remember a missing one', async () => {
  const find = vi.spyOn(SharePictures.prototype, 'find').mockResolvedValue(null);
  const { status, headers } = await server.ask('/og/aspects/pricing.png');
  find.mockRestore();
  expect([status, headers.location, headers['cache-control']]).toEqual([
    302,
    '/og.png',
    'no-store',
  ]);
  expect((await server.ask('/og.png')).headers['content-type']).toBe('image/png');
});

test('other pages, and all pages of an export, have the picture of the business', async () => {
  expect((await shareTags('/reviews')).image).not.toContain('/og/');
  const site = new Site(snapshot, buildAssets('#1f5c4d').urls, { isStatic: true });
  const { content: html } = site.render('/reviews/:id', { id: ids[0]!, parameters: {} });
  expect(html).toContain(`property="og:image" content="${ORIGIN}/og.png?v=`);
});

describe('drawing', () => {
  const content = (text: string): ShareContent => ({
    text,
    rating: 5,
    note: '',
    business: 'Harbor Heating',
    background: '#1f5c4d',
    foreground: '#ffffff',
  });
  const { picturesPerMinute } = HTTP_LIMITS;
  const open = () => {
    const drawn: string[] = [];
    let ms = 0;
    const draw = ({ text }: ShareContent) => {
      drawn.push(text);
      return Promise.resolve(Buffer.from(text));
    };
    const pictures = new SharePictures({ draw }, { cacheControl: 'no-store' }, () => ms);
    const pass = (passedMs: number) => {
      ms += passedMs;
    };
    return { drawn, pictures, pass };
  };

  test('happens once for a content, also when several clients wait for it', async () => {
    const { drawn, pictures } = open();
    const bodies = await Promise.all(['a', 'b'].map((who) => pictures.find(content('x'), who)));
    await pictures.find(content('x'), 'c');
    expect(drawn).toEqual(['x']);
    expect(bodies[0]).toBe(bodies[1]);
  });

  test('is limited for a client and for all, until a minute has passed', async () => {
    const { drawn, pictures, pass } = open();
    const ask = (client: string, index: number) =>
      pictures.find(content(`${client} ${index}`), client);
    for (let index = 0; index < 30; index++) await ask('a', index);
    expect(await ask('a', -1)).toBeNull();
    // What was drawn is answered all the same.
    await ask('a', 0);
    for (let number = 30; number < picturesPerMinute; number++) await ask(`${number}`, 0);
    expect(await ask('d', 0)).toBeNull();
    expect(drawn).toHaveLength(picturesPerMinute);
    pass(60_000);
    await ask('a', -1);
    await ask('d', 0);
    expect(drawn).toHaveLength(picturesPerMinute + 2);
  });

  test('for a few clients that ask without end leaves pictures for others', async () => {
    const { drawn, pictures } = open();
    const attackers = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    for (const client of attackers) {
      let isDrawn = true;
      for (let index = 0; isDrawn; index++) {
        isDrawn = (await pictures.find(content(`${client} ${index}`), client)) !== null;
      }
    }
    expect(drawn.length).toBeLessThan(picturesPerMinute);
    await pictures.find(content('somebody else'), 'z');
    expect(drawn).toContain('somebody else');
  });

  test('that fails is a fault, and the next picture is drawn by another thread', async () => {
    const drawer = new SharePictureDrawer();
    const broken = { ...content('x'), background: null } as unknown as ShareContent;
    await expect(drawer.draw(broken)).rejects.toThrow(/was not drawn/);
    const png = await drawer.draw(content('x'));
    expect(Buffer.from(png).toString('latin1', 1, 4)).toBe('PNG');
    await drawer.close();
  });
});
