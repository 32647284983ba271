// Folders, ZIP files and workbooks: the right file is found, what is left out is named, hostile ones are bounded.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withInputs } from '../../src/intake/input-files.ts';
import { WORKBOOK } from '../../src/intake/formats/workbook.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import type { Row } from '../../src/intake/record.ts';
import { XML } from '../../src/intake/formats/xml.ts';
import { openSource } from '../../src/intake/text/text.ts';
import { fixture } from '../support/formats.ts';
import { type Cell, workbook, zip } from '../support/zip.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, content: string | Buffer) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

interface Read {
  readonly rows: readonly (Row & { readonly file: string })[];
  readonly leftOut: readonly string[];
  readonly failed: readonly string[];
}

const COLUMNS = { author: 'Name', rating: 'Stars', date: 'Date', text: 'Words' };

async function read(path: string, columns: object | null = null, prune = false): Promise<Read> {
  const mapping = mappingSchema.parse({ columns: columns ?? {} });
  const choice =
    columns === null ? ({ kind: 'auto' } as const) : ({ kind: 'mapping', mapping } as const);
  return withInputs(
    [path],
    { choiceFor: () => choice, prune },
    async ({ files, leftOut, failed }) => {
      const rows: Read['rows'][number][] = [];
      const ignore = () => undefined;
      for (const input of files) {
        const file = input.name.replace(`${folder}/`, '');
        let bytes = 0;
        const source = input.open((count) => (bytes += count));
        for await (const row of input.chosen.read(source, ignore)) rows.push({ ...row, file });
        // Progress ends at the size of the file, also if it is packed.
        expect([file, Math.round(bytes)]).toEqual([file, input.bytes]);
      }
      const named = (texts: readonly string[]) =>
        texts.map((text) => text.replaceAll(`${folder}/`, ''));
      return { rows, leftOut: named(leftOut), failed: named(failed) };
    },
  );
}

const refusal = (path: string, columns: object | null = null, prune = false) =>
  read(path, columns, prune).then(
    ({ rows }) => `${rows.length} rows`,
    (error: Error) => error.message.replaceAll(`${folder}/`, ''),
  );

const OWN = 'author,rating,date\nAda,5,2024-01-02\n';

describe('a ZIP file', () => {
  test('of Takeout: its reviews are found, and what is no review is left out and named', async () => {
    const location = 'Takeout/Google Business Profile/account-1/location-2';
    const path = await write(
      'takeout.zip',
      zip([
        { name: 'Takeout/archive_browser.html', content: '<html><p>Your data' },
        { name: `${location}/data.json`, content: '{"title":"Harbor"}' },
        { name: `${location}/reviews.json`, content: fixture('google-takeout.json') },
        { name: `${location}/photo.jpg`, content: 'x' },
        { name: 'inner.zip', content: 'x' },
      ]),
    );
    const { rows, leftOut, failed } = await read(path);
    expect(rows[0]).toMatchObject({
      file: `takeout.zip/${location}/reviews.json`,
      record: { source: 'google' },
    });
    expect(failed).toEqual([
      'takeout.zip/Takeout/archive_browser.html',
      `takeout.zip/${location}/data.json`,
    ]);
    expect(leftOut.at(-1)).toBe(
      'no files of reviews, so not read: takeout.zip/…/photo.jpg, takeout.zip/inner.zip, takeout.zip/…/archive_browser.html, takeout.zip/…/data.json',
    );
  });

  test.each([
    ['(Übersetzt von Google) Sehr gut.\n\n(Original)\nGreat haircut.', 'Great haircut.'],
    ['(Traduit par Google) Très bien.\n\n(Avis d’origine)\nGreat haircut.', 'Great haircut.'],
    ['Great haircut.\n\n(Tradotto da Google)\nOttimo taglio.', 'Great haircut.'],
    ['(Found on Google) Great haircut.', '(Found on Google) Great haircut.'],
  ])('of Takeout keeps the words of the reviewer: %j', async (comment, text) => {
    const one = { starRating: 'FIVE', reviewer: { displayName: 'Pia' }, comment };
    const reviews = [{ ...one, name: 'a/1', createTime: '2024-05-01T10:00:00Z' }];
    const path = await write(
      'one.zip',
      zip([{ name: 'Takeout/a/reviews.json', content: JSON.stringify({ reviews }) }]),
    );
    const { rows } = await read(path);
    expect(rows[0]).toMatchObject({ record: { text } });
  });

  test('of Takeout with several places names them, and one without reviews asks for the account', async () => {
    const account = 'Takeout/Google Business Profile/account-1';
    const about = { name: `${account}/data.json`, content: '{"accountName":"Ada"}' };
    const places = [2, 3].flatMap((number) => [
      { name: `${account}/location-${number}/data.json`, content: `{"title": "Shop ${number}"}` },
      {
        name: `${account}/location-${number}/reviews.json`,
        content: fixture('google-takeout.json'),
      },
    ]);
    const { leftOut } = await read(await write('two.zip', zip([about, ...places])));
    expect(leftOut.at(-1)).toBe(
      'reviews of 2 places: "Shop 2" in location-2, "Shop 3" in location-3; for one only, start over: ' +
        'unpack the ZIP file, and import the folder of that place: npx public-reviews import ' +
        '"Takeout/Google Business Profile/account-1/location-2"',
    );
    const none = { name: 'Takeout/archive_browser.html', content: '<html><p>Your data' };
    expect(await refusal(await write('none.zip', zip([about, none])))).toContain(
      'a profile without reviews: is this the account that manages the business?',
    );
  });

  test('that is missing is not the one beside it, which is named', async () => {
    await write('takeout.zip.zip', zip([{ name: 'a.csv', content: OWN }]));
    expect(await refusal(join(folder, 'takeout.zip'))).toMatch(
      /takeout\.zip: .* does not exist; here are: takeout\.zip\.zip$/,
    );
  });

  test('of Takeout can be imported with prune: what is no review does not count as unread', async () => {
    const path = await write(
      'takeout.zip',
      zip([
        { name: 'Takeout/archive_browser.html', content: '<html><p>Your data' },
        { name: 'Takeout/a/reviews.json', content: fixture('google-takeout.json') },
      ]),
    );
    expect(await refusal(path, null, true)).toMatch(/^[1-9]\d* rows$/);
  });

  test.each([
    [
      'a bomb',
      [{ name: 'reviews.csv', content: OWN, claimed: 40 * 1024 * 1024 }],
      'unpacked it would be too large',
    ],
    [
      'a name that leads out of it',
      [{ name: '../reviews.csv', content: OWN }],
      'invalid relative path',
    ],
    ['a name with a root', [{ name: '/etc/reviews.csv', content: OWN }], 'absolute path'],
    [
      'a name with backslashes',
      [{ name: 'a\\reviews.csv', content: OWN }],
      'invalid characters in fileName',
    ],
    [
      'an entry that is longer than it says',
      [{ name: 'reviews.csv', content: OWN, claimed: 3 }],
      'too many bytes in the stream',
    ],
    [
      'nothing to read',
      [{ name: 'a.jpg', content: 'x' }],
      'got none\nno files of reviews, so not read: hostile.zip/a.jpg',
    ],
  ])('with %s is refused', async (_, entries, message) => {
    expect(await refusal(await write('hostile.zip', zip(entries)))).toContain(message);
  });

  test('has links that are not followed, and a damaged one is refused', async () => {
    const link = { name: 'link.csv', content: '/etc/passwd', mode: 0o120777 };
    const path = await write('links.zip', zip([link, { name: 'a.csv', content: OWN }]));
    const { rows, leftOut } = await read(path);
    expect([rows.length, leftOut]).toEqual([
      1,
      ['no files of reviews, so not read: links.zip/link.csv'],
    ]);
    const cut = await write('cut.zip', zip([{ name: 'a.csv', content: OWN }]).subarray(0, 60));
    expect(await refusal(cut)).toMatch(
      /cut\.zip: expected a ZIP file that can be unpacked, .* Download it again;/,
    );
  });
});

describe('a workbook', () => {
  const ROWS: readonly (readonly Cell[])[] = [
    ['Guest reviews'],
    [null],
    ['Name', 'Stars', 'Date', 'Words'],
    ['Ada & Co', 5, { date: 45_376 }, 'Quick,\nand "kind"'],
    [null],
    ['Bo Zed', 4.5, '2024-03-26', 'Good', 'beyond the header'],
    ['Cy', 3, { date: 45_378.75 }, null],
  ];

  test('is read below its title, with dates, and rows are named by their numbers', async () => {
    const { rows } = await read(await write('stays.xlsx', workbook(ROWS)), COLUMNS);
    expect(rows).toMatchObject([
      {
        line: 4,
        record: { author: 'Ada & Co', rating: 5, date: '2024-03-25', text: 'Quick,\nand "kind"' },
      },
      {
        line: 6,
        refusal: expect.stringContaining('expected 5 values, got 6; give each value its column'),
      },
      {
        line: 7,
        refusal: expect.stringContaining('written yyyy-MM-dd, got "2024-03-27 18:00:00"; write it'),
      },
    ]);
  });

  test('has the rows of sheets with the same headings in any order, and names other sheets', async () => {
    const sheetOf = (...names: string[]) => {
      const cells = (values: string[]) =>
        `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
      const values = names.map(
        (name) => ({ Stars: '2', Date: '2023-01-02', Name: 'Di' })[name] ?? name,
      );
      return `<worksheet><sheetData>${cells(names)}${cells(values)}</sheetData></worksheet>`;
    };
    const second = sheetOf('Date', 'Name', 'Stars');
    const { rows } = await read(await write('two.xlsx', workbook(ROWS, { second })), COLUMNS);
    expect(rows.at(-1)).toMatchObject({ record: { author: 'Di', rating: 2, date: '2023-01-02' } });
    // The sheets may be those of branches.
    const again = await write('again.xlsx', workbook(ROWS, { second }));
    const { rows: placed } = await read(again, { ...COLUMNS, location: 'Sheet' });
    expect(placed.at(-1)).toMatchObject({ record: { location: 'Older' } });
    const groups = [
      ['Guest', null, 'Review', null, 'Internal'],
      ['Name', 'Phone', 'Stars', 'Date', 'Who', 'Note'],
    ];
    const below = ['Ada', '0-1', 5, { date: 45_376 }, 'Mia', null] as const;
    const grouped = await write('groups.xlsx', workbook([...groups, below], { second }));
    const { rows: united } = await read(grouped, {
      author: 'Name',
      rating: 'Stars',
      date: 'Date',
      location: 'Sheet',
    });
    expect(united).toMatchObject([
      { record: { author: 'Ada', rating: 5 } },
      { record: { author: 'Di', rating: 2, location: 'Older' } },
    ]);
    const other = workbook(ROWS, { second: sheetOf('Item', 'Name', 'Price') });
    const path = await write('other.xlsx', other);
    const source = openSource(path, () => undefined, { sheet: WORKBOOK });
    await Array.fromAsync(source.chunks);
    expect(source.unread).toEqual(['Older']);
  });

  const sheet = (inner: string) =>
    workbook([], { sheet: `<worksheet><sheetData>${inner}</sheetData></worksheet>` });
  const header =
    '<row r="1"><c t="str"><v>Name</v></c><c t="str"><v>Stars</v></c><c t="str"><v>Date</v></c><c t="str"><v>Words</v></c></row>';

  test('loads and expands no entity, and bounds cells, rows and nesting', async () => {
    const entities =
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]><worksheet><sheetData>' +
      `${header}<row><c t="str"><v>&a;&b;</v></c><c><v>5</v></c><c t="str"><v>2024-01-02</v></c><c t="str"><v>x</v></c></row></sheetData></worksheet>`;
    const { rows } = await read(
      await write('xxe.xlsx', workbook([], { sheet: entities })),
      COLUMNS,
    );
    expect(rows).toMatchObject([{ record: { author: '&a;&b;' } }]);
    const far = `${header}<row r="99999999"><c r="XFD2" t="str"><v>far</v></c></row>`;
    expect(await refusal(await write('far.xlsx', sheet(far)), COLUMNS)).toBe('0 rows');
    const deep = await write('deep.xlsx', sheet('<a>'.repeat(100_000)));
    expect(await refusal(deep, COLUMNS)).toContain('nested more than 64 deep; save the sheet');
    const long = `<row><c t="str"><v>${'x'.repeat(1_100_000)}`;
    expect(await refusal(await write('long.xlsx', sheet(long)), COLUMNS)).toContain(
      'a cell is longer than 1 MiB',
    );
  });
});

describe('a folder', () => {
  test('may have several ZIP files with equal names inside', async () => {
    for (const name of ['a', 'b']) {
      const content = OWN.replace('Ada', `Ada ${name}`);
      await write(`${name}.zip`, zip([{ name: 'reviews.csv', content }]));
    }
    const { rows } = await read(folder);
    expect(rows.map(({ file }) => file)).toEqual(['a.zip/reviews.csv', 'b.zip/reviews.csv']);
  });

  test('with a damaged ZIP file is refused with prune, since its reviews would be removed', async () => {
    await write('good.csv', OWN);
    await write('bad.zip', Buffer.from('504b030400000000', 'hex'));
    expect((await read(folder)).failed).toEqual(['bad.zip']);
    expect(await refusal(folder, null, true)).toContain('nothing was imported: with "prune"');
  });

  test('is its files: a damaged one fails alone, links and other files are named', async () => {
    await mkdir(join(folder, 'inbox', 'deep'), { recursive: true });
    await write('inbox/deep/good.csv', OWN);
    await write('inbox/bad.csv', 'author,rating,date\nAda,5,"2024-01-02\n');
    await write('inbox/late.json', `[{"author":"A","rating":5,"date":"2024-01-02"},`);
    await write('inbox/note.pdf', '%PDF-1.7');
    await symlink(await write('secret.csv', OWN), join(folder, 'inbox', 'link.csv'));
    const path = join(folder, 'inbox');
    const { rows, leftOut, failed } = await read(path);
    expect(rows.map(({ file }) => file)).toEqual(['inbox/deep/good.csv']);
    expect(failed).toEqual(['inbox/bad.csv', 'inbox/late.json']);
    expect(leftOut.join('\n')).toMatch(
      /left out: inbox\/bad\.csv:2: expected CSV: a closing quote.*\nleft out: inbox\/late\.json:1: .* cut off.*\nno files of reviews, so not read: inbox\/link\.csv, inbox\/note\.pdf/,
    );
    expect(await refusal(path, null, true)).toContain('nothing was imported: with "prune"');
  });
});

test.each([
  [
    'old.xls',
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'got an old Excel or Word file; open it, and save it as .xlsx',
  ],
  ['a.pdf', '%PDF-1.7', 'got a PDF; export the reviews as CSV'],
  ['a.png', Buffer.from('89504e470d0a1a0a', 'hex'), 'got a picture; export'],
  ['a.mhtml', 'From: <Saved by Blink>\nSubject: Maps', 'as "Webpage, HTML only"'],
  [
    'saved.html',
    '<html><link href="https://www.google.com/maps/place/x">',
    'tick only "Google Business Profile"',
  ],
  [
    'Reviews.json',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        { geometry: {}, properties: { google_maps_url: 'x', five_star_rating_published: 5 } },
      ],
    }),
    'places and reviews that the owner of a Google account wrote ("Maps"). At takeout.google.com',
  ],
])('%s is refused with the next step', async (name, content, message) => {
  expect(await refusal(await write(name, content))).toContain(message);
});

describe('XML', () => {
  const feed = (inside: string, start = '<?xml version="1.0"?>') => `${start}
<!DOCTYPE feed [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
<feed xmlns:r="urn:r"><reviews>
${inside}
</reviews></feed>`;
  const review = '<r:review id="1"><who by="x">Ada</who><stars>5</stars><on>2024-03-25</on>';
  const mapping = { author: 'who', rating: 'stars', date: 'on', text: 'words' };
  const XML_LIST = { list: 'reviews' };

  test('is read by the paths of its elements, and entities load nothing', async () => {
    const path = await write(
      'a.xml',
      feed(`${review}<words><![CDATA[a < b]]> &amp; &secret;</words></r:review>
<r:review id="2"><who>Bo</who><stars>x</stars><on>2024-03-26</on></r:review>`),
    );
    const choice = {
      kind: 'mapping',
      mapping: mappingSchema.parse({ columns: mapping, ...XML_LIST }),
    } as const;
    const options = { choiceFor: () => choice, prune: false };
    const rows = await withInputs([path], options, async ({ files: [input] }) => {
      const found: Row[] = [];
      const source = input!.open(() => undefined);
      for await (const row of input!.chosen.read(source, () => undefined)) found.push(row);
      return found;
    });
    expect(rows).toMatchObject([
      { line: 4, record: { author: 'Ada', rating: 5, text: 'a < b & &secret;' } },
      {
        line: 5,
        refusal: expect.stringMatching(/^rating: expected a number from 1 to 5, got "x"; add/),
      },
    ]);
  });

  test('has words with elements in them, rows of attributes, and a list where one stands alone', async () => {
    const path = await write(
      'a.xml',
      `<book on="2024"><entries>
<review who="Ada" stars="5" on="2024-03-25">A <b>great</b> view.<br/>Twice!</review></entries>
<more><review who="Bo" stars="2" on="2024-03-26"/></more></book>`,
    );
    const memberOf = async (list: string) => {
      const source = openSource(path, () => undefined, { sheet: XML });
      let text = '';
      for await (const chunk of source.chunks) text += chunk.toString();
      return (JSON.parse(text) as Record<string, unknown>)[list];
    };
    const ada = { who: 'Ada', stars: '5', on: '2024-03-25', text: 'A great view.\nTwice!' };
    expect(await memberOf('entries')).toEqual({ review: [ada] });
    const bo = { who: 'Bo', stars: '2', on: '2024-03-26' };
    expect(await memberOf('more')).toEqual({ review: [bo] });
  });

  test('of WordPress has reviews in the comments on products, and their replies', async () => {
    const comment = (
      id: number,
      author: string,
      words: string,
      { rating = '', verified = '', ...rest }: Record<string, string | number>,
    ) => {
      const usual = { comment_approved: '1', comment_parent: 0, comment_user_id: 0 };
      const all = { comment_id: id, comment_author: author, ...usual, ...rest };
      const texts = Object.entries(all).map(([key, value]) => `<wp:${key}>${value}</wp:${key}>`);
      const meta = Object.entries({ rating, verified }).map(([key, value]) =>
        value === ''
          ? ''
          : `<wp:commentmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:commentmeta>`,
      );
      const date = `<wp:comment_date_gmt>2022-02-0${id} 10:00:00</wp:comment_date_gmt>`;
      return `<wp:comment>${texts.join('')}${date}<wp:comment_content><![CDATA[${words}]]></wp:comment_content>${meta.join('')}</wp:comment>`;
    };
    const item = (title: string, inside: string) => `<item><title>${title}</title>${inside}</item>`;
    const path = await write(
      'shop.xml',
      `<rss xmlns:wp="w"><channel><title>Shop</title>${[
        item(
          'Honey',
          comment(1, 'Ada', 'Like <em>summer</em> &amp; hills', { rating: 5, verified: 1 }) +
            comment(2, 'shop', '<p>Thank you</p>', { comment_parent: 1, comment_user_id: 1 }) +
            comment(3, 'bot', 'pills', { rating: 5, comment_approved: 'spam' }),
        ),
        item('Candle', comment(4, 'Bo', 'bent', { rating: 2 })),
        item('News', comment(5, 'Cy', 'How many bees?', {})),
      ].join('')}</channel></rss>`,
    );
    expect((await read(path)).rows).toMatchObject([
      {
        record: {
          source: 'woocommerce',
          source_id: '1',
          rating: 5,
          date: '2022-02-01',
          text: 'Like summer & hills',
          owner_reply: { text: 'Thank you', date: '2022-02-02' },
          verified_by: 'WooCommerce: bought in the shop',
          attributes: { product: 'Honey' },
        },
      },
      { leftOut: 'comment_approved is "spam"' },
      { record: { author: 'Bo', rating: 2, owner_reply: null, attributes: { product: 'Candle' } } },
      { leftOut: expect.stringContaining('Cy (2022-02-05'), isNamed: true },
    ]);
  });

  test('of the App Store has the reviews of its JSON', async () => {
    const path = await write(
      'customerreviews.xml',
      `<?xml version="1.0"?><feed xmlns:im="http://itunes.apple.com/rss"><id>https://itunes.apple.com/us</id>
<entry><updated>2024-03-09T05:00:00-07:00</updated><id>11022</id><title>Slow</title>
<content type="text">Takes ages &amp; stops</content><im:voteSum>0</im:voteSum><im:rating>2</im:rating>
<im:version>1.4</im:version><author><name>Miro</name></author><content type="html">&lt;b&gt;Slow</content></entry></feed>`,
    );
    expect((await read(path)).rows).toMatchObject([
      {
        record: {
          source: 'app-store',
          source_id: '11022',
          author: 'Miro',
          rating: 2,
          date: '2024-03-09',
          title: 'Slow',
          text: 'Takes ages & stops',
          attributes: { version: '1.4' },
        },
      },
    ]);
  });

  test.each([
    ['cut off', feed(review).slice(0, 200), 'expected complete XML, got a part of it'],
    ['too deep', feed('<a>'.repeat(100) + '</a>'.repeat(100)), 'nested at most 64 levels deep'],
    [
      'of another encoding',
      Buffer.from(feed('ä', '<?xml version="1.0" encoding="utf-8"?>'), 'latin1'),
      'expected XML in utf-8, got other bytes',
    ],
  ])('that is %s is refused', async (_, content, message) => {
    expect(await refusal(await write('a.xml', content), mapping)).toContain(message);
  });
});
