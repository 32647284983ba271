// Each way to cheat is caught by who checks the log, and an honest log is not accused.

import { describe, expect, test } from 'vitest';
import type { Publication } from '../../src/log/entries.ts';
import { FetchError } from '../../src/log/fetch.ts';
import { cosignNote, newSeed, parseNote, signingKey } from '../../src/log/notes.ts';
import { type SeenLog, type VerifiedLog, verifyLog } from '../../src/log/verify.ts';
import { renderVerified } from '../../src/commands/log/verify.ts';
import { readerOf, Shop } from '../support/log-files.ts';

const shop = new Shop().add('A', 5).add('B', 1, 'Awful.').add('C', 3).publish();
const NOW_MS = Date.parse('2026-01-02T00:00:00Z');
const check = (files: Map<string, Buffer>, seen: SeenLog | null = null) =>
  verifyLog(readerOf(files), { seen, nowMs: NOW_MS });
const seenOf = async (honest: Shop) => (await check(honest.files())).seen;
const later = () =>
  shop.copy().edit('C', 'Good after all.').remove('B', 'court_or_law').add('D', 4).publish();

test('an unchanged log passes, and changes are reported in plain words', async () => {
  const samples = { searches: 9, reviews: 3, pages: 4, feeds: 2 };
  const render = (verified: VerifiedLog, wasSeen: boolean) =>
    renderVerified('https://reviews.example', { ...verified, samples }, { wasSeen, nowMs: NOW_MS });
  const first = await check(shop.files());
  expect(render(first, false)).toBe(
    `https://reviews.example: the log holds
4 entries, signed by reviews.example/log
no witness has cosigned it
published: 3, each as the log says, and no other; mean, counts and totals are theirs
compared with them: 9 searches, 3 single reviews, 4 pages, 2 feeds
since it began (it was not checked here before):
added    3 (1 star: 1, 3 stars: 1, 5 stars: 1)
edited   0
removed  0
withheld 0, as the business says
`,
  );
  const second = await check(later().files(), first.seen);
  expect(render(second, true)).toBe(
    `https://reviews.example: the log holds
8 entries, signed by reviews.example/log
no witness has cosigned it
published: 3, each as the log says, and no other; mean, counts and totals are theirs
compared with them: 9 searches, 3 single reviews, 4 pages, 2 feeds
since it was checked last, at entry 4:
added    1 (4 stars: 1)
edited   1 (3 stars: 1)
removed  1 (1 star: 1)
  entry 5: 1 star, 2026-01-01, google: court or law, 2026-01-01T00:00:00Z
withheld 0, as the business says
`,
  );
});

test('a log that was signed by a clock that ran ahead holds, and that is said with the time that it takes', async () => {
  const ahead = later();
  for (const [index, entry] of ahead.entries.entries())
    if (index > 5) ahead.entries[index] = { ...entry, at: '2026-01-05T01:00:00Z' };
  const samples = { searches: 0, reviews: 0, pages: 0, feeds: 0 };
  const verified = { ...(await check(ahead.files())), samples };
  const at = (nowMs: number) =>
    renderVerified('https://reviews.example', verified, { wasSeen: false, nowMs });
  expect(at(NOW_MS)).toMatch(
    /the log holds\n.*\n.*\nentry 6 and those after it are dated in the FUTURE, up to 2026-01-05T01:00:00Z.+ passes in 3 days\n/,
  );
  expect(at(Date.parse('2026-01-05T01:00:00Z'))).not.toContain('FUTURE');
});

test('a log of more than one tile holds', async () => {
  const large = new Shop();
  for (let number = 0; number < 700; number++) large.add(`R${number}`, 1 + (number % 5));
  const { replay } = await check(large.publish().files());
  expect(replay.reviews.size).toBe(700);
});

describe('is caught:', () => {
  const cheat = (
    what: string,
    message: string | RegExp,
    files: () => Map<string, Buffer> | Promise<Map<string, Buffer>>,
    seen?: Shop,
  ) =>
    test(what, async () => {
      const saved = seen ? await seenOf(seen) : null;
      await expect(check(await files(), saved)).rejects.toThrow(message);
    });

  cheat(
    'a review removed without an entry',
    'entry 1 says that a review with 1 star of 2026-01-01 from google is published, and it is not: it was removed without an entry',
    () => shop.copy().hide('B').files(),
  );
  cheat('a review edited without an entry', 'review B is not as entry 1 says', () => {
    const files = shop.files();
    return files.set(
      '/reviews.json',
      Buffer.from(files.get('/reviews.json')!.toString().replace('Awful.', 'Great.')),
    );
  });
  cheat(
    'a review published without an entry',
    'review X is published, and the log does not',
    () => {
      const files = shop.files();
      const more = '"reviews":[{"id":"X","rating":5,"date":"2026-01-01","source":"google"},';
      const json = files.get('/reviews.json')!.toString();
      return files.set('/reviews.json', Buffer.from(json.replace('"reviews":[', more)));
    },
  );
  cheat('two published reviews of one entry', /review . is published, and the log does not/, () => {
    const files = shop.files();
    const json = files.get('/reviews.json')!.toString();
    const [, first] = /\[(\{.*?\})/.exec(json)!;
    return files.set('/reviews.json', Buffer.from(json.replace('[', `[${first},`)));
  });
  cheat(
    'an entry rewritten',
    'the log is another one: its first 4 entries are not those that were seen before',
    () => {
      const forged = new Shop();
      forged.seeds = shop.seeds;
      return forged.add('A', 5).add('B', 4, 'Awful.').add('C', 3).publish().files();
    },
    shop,
  );
  cheat(
    'a tree that is forked between two readers',
    'its first 8 entries are not those that were seen before',
    () => shop.copy().add('E', 5).add('F', 5).add('G', 5).publish().publish().files(),
    later(),
  );
  cheat(
    'a log that was rolled back',
    'the log was rolled back: it has 4 entries, and 8 were seen before',
    () => shop.files(),
    later(),
  );
  cheat('a checkpoint signed with another key', 'is not signed with the key of /log/key', () => {
    const other = shop.copy();
    other.seeds = [newSeed()];
    return shop.files().set('/log/checkpoint', other.files().get('/log/checkpoint')!);
  });
  cheat(
    'a key that was exchanged',
    'signed with another key than the one that was seen before',
    () => {
      const other = shop.copy();
      other.seeds = [newSeed()];
      return other.files();
    },
    shop,
  );
  for (const path of ['0/000.p/4', 'entries/000.p/4']) {
    cheat(
      `one flipped bit in tile ${path}`,
      /hashes of its entries|root of the checkpoint|bundle/,
      () => {
        const files = shop.files();
        const tile = Buffer.from(files.get(`/log/tile/${path}`)!);
        tile[40]! ^= 1;
        return files.set(`/log/tile/${path}`, tile);
      },
    );
  }
  cheat(
    'an edit of the stars that the totals leave out',
    'the totals of changed stars are not',
    () => {
      const cheater = shop.copy().edit('B', 'Awful. No: good.', 5).publish();
      const publication = cheater.entries.at(-1)! as Publication;
      cheater.entries[cheater.entries.length - 1] = { ...publication, edited: [] };
      return cheater.files();
    },
  );
  for (const [year, message] of [
    ['2024', 'entry 3: it is dated 2024-01-01T00:00:00Z, before the entry above it'],
    ['2099', 'before the entry above it (2099-01-01T00:00:00Z)'],
  ] as const) {
    cheat(`a removal that is dated ${year}`, message, () => {
      const cheater = new Shop().add('A', 5).add('B', 1).add('C', 3).remove('B');
      cheater.entries[3] = { ...cheater.entries[3]!, at: `${year}-01-01T00:00:00Z` };
      return cheater.publish().files();
    });
  }
  cheat('a digest that does not fit', 'review B is not as entry 1 says', () => {
    const forged = shop.copy();
    const entry = forged.entries[1] as { digest: string };
    forged.entries[1] = { ...entry, digest: Buffer.alloc(32).toString('base64') } as never;
    return forged.files();
  });
  cheat('stars in the log that are not those of the review', 'totals of published reviews', () => {
    const forged = shop.copy();
    forged.entries[1] = { ...forged.entries[1], rating: 5 } as never;
    return forged.files();
  });
  cheat(
    'totals that are not those of the entries',
    'entry 3: the totals of removed reviews',
    () => {
      const forged = shop.copy();
      forged.entries[3] = { ...forged.entries[3], removed: { google: [1, 0, 0, 0, 0] } } as never;
      return forged.files();
    },
  );
  cheat('reviews that changed after the last totals', 'totals after the newest entries', () => {
    const forged = shop.copy().add('D', 1);
    return forged.files();
  });
  cheat('an entry that is not of this program', 'entry 0 is none that this program knows', () => {
    const forged = shop.copy();
    forged.entries[0] = { ...forged.entries[0], extra: 1 } as never;
    return forged.files();
  });
  cheat('a removal of what is not published', 'removed a review that is not published', () => {
    const forged = shop.copy().remove('B');
    forged.entries.push(forged.entries.at(-1)!);
    return forged.publish().files();
  });
});

describe('a key', () => {
  test('is trusted after a rotation in which both signed', async () => {
    const seen = await seenOf(shop);
    const rotated = later();
    rotated.seeds = [...shop.seeds, newSeed()];
    const during = await check(rotated.files(), seen);
    rotated.seeds = rotated.seeds.slice(1);
    await check(rotated.files(), during.seen);
    await expect(check(rotated.files(), seen)).rejects.toThrow('another key');
  });
});

describe('a witness that must have signed', () => {
  const witness = signingKey('witness.example/w', 'witness', newSeed());

  const cosign = (at: string) => {
    const files = shop.files();
    const text = files.get('/log/checkpoint')!.toString();
    const line = cosignNote(parseNote(text)!.text, witness, Date.parse(at) / 1000);
    return files.set('/log/checkpoint', Buffer.from(text + line));
  };
  const checkWith = (files: Map<string, Buffer>, witnesses = [witness]) =>
    verifyLog(readerOf(files), { witnesses, nowMs: NOW_MS });
  const lines = async (files: Map<string, Buffer>, witnesses = [witness]) =>
    renderVerified(
      'https://reviews.example',
      {
        ...(await checkWith(files, witnesses)),
        samples: { searches: 0, reviews: 0, pages: 0, feeds: 0 },
      },
      { wasSeen: false, nowMs: NOW_MS },
    );

  test('is named with the age of its cosignature, and missed if it has not signed', async () => {
    await expect(checkWith(shop.files())).rejects.toThrow(
      'the checkpoint lacks the cosignature of witness.example/w',
    );
    expect(await lines(cosign('2026-01-01T21:00:00Z'))).toContain(
      'cosigned by witness.example/w, last 3 hours ago\npublished',
    );
    expect(await lines(cosign('2025-12-01T00:00:00Z'))).toContain(
      'last 32 days ago\nthat is long ago: a copy of the log that was frozen then looks the same',
    );
    expect(await lines(cosign('2026-01-01T00:00:00Z'), [])).toContain(
      'cosigned 24 hours ago by witness.example/w, not checked: name the key',
    );
  });

  test('does not sign in the future', async () => {
    await expect(checkWith(cosign('2026-01-02T01:00:00Z'))).rejects.toThrow(
      'the cosignature of witness.example/w is dated in the future',
    );
  });
});

describe('what was seen before', () => {
  const checkpointOf = (of: Shop) => of.files().get('/log/checkpoint')!.toString();
  const spoilt = (text: string) =>
    text.replace(/\n4\n./, (root) => `${root.slice(0, -1)}${root.endsWith('A') ? 'B' : 'A'}`);
  const other = shop.copy();
  other.seeds = [newSeed()];

  test('may be a checkpoint as it was served', async () => {
    const saved = { keys: [], checkpoint: checkpointOf(shop) };
    expect((await check(later().files(), saved)).known).toBe(4);
    const forged = new Shop();
    forged.seeds = shop.seeds;
    const files = forged.add('A', 5).add('B', 4, 'Awful.').add('C', 3).publish().files();
    await expect(check(files, saved)).rejects.toThrow('the log is another one');
  });

  test.each<[string, string, () => Promise<SeenLog>]>([
    [
      'a spoilt file of verify',
      'is damaged',
      async () => {
        const seen = await seenOf(shop);
        return { ...seen, checkpoint: spoilt(seen.checkpoint) };
      },
    ],
    [
      'a spoilt checkpoint',
      'is damaged',
      () => Promise.resolve({ keys: [], checkpoint: spoilt(checkpointOf(shop)) }),
    ],
    [
      'a file without a checkpoint',
      'is damaged',
      async () => ({ ...(await seenOf(shop)), checkpoint: '' }),
    ],
    [
      'a checkpoint of another key',
      'of another log',
      () => Promise.resolve({ keys: [], checkpoint: checkpointOf(other) }),
    ],
  ])('does not accuse if it is %s', async (_, message, seen) => {
    const failed = check(later().files(), await seen());
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toBeInstanceOf(FetchError);
  });
});
