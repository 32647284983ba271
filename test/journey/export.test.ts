// `export`: files for any web host, equal to the answers of the server.

import { existsSync, globSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runExport } from '../../src/commands/export.ts';
import { parseConfig } from '../../src/config.ts';
import { InputError } from '../../src/errors.ts';
import { Workplace } from '../support/process.ts';
import { capture, type Written } from '../support/run-command.ts';
import type { RunningServer } from '../support/running-server.ts';
import { record } from '../support/store.ts';
import { StaticHost } from '../support/static-host.ts';

const HEADERS = [
  'content-type',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'access-control-allow-origin',
  'cross-origin-resource-policy',
];

let workplace: Workplace;
let folder: string;
let server: RunningServer;
let host: StaticHost;

beforeAll(async () => {
  workplace = await Workplace.open();
  folder = join(workplace.folder, 'copy');
  server = await workplace.serveHere({}, { example: true });
  const { code, stdout, stderr } = await workplace.run('export', folder);
  expect(code).toBe(0);
  expect(stderr).toContain(`warning: links name ${server.url}, which leads to this machine alone`);
  expect(stdout).toMatch(
    /^files written {4}\d{3,}\nfiles unchanged {2}0\nfiles removed {4}0\nnow upload what is in \S+\n$/,
  );
  host = await StaticHost.open(folder);
});
afterAll(async () => {
  await host.close();
  await workplace.close();
});

/** Runs the command in the process of the test. */
function exportHere(
  place: Workplace,
  to: string,
  settings: Record<string, string> = {},
): Promise<Written> {
  const config = parseConfig({ ...place.environment, ...settings });
  return capture(() => runExport(config, to));
}

/** The URLs of a page on its own origin. */
function addressesIn(html: string): string[] {
  const found = [...html.matchAll(/(?:href|src|content)="([^"]*)"/g)].map(([, address]) =>
    address!.replaceAll('&amp;', '&'),
  );
  return found.flatMap((address) => {
    if (address.startsWith(server.url)) return [address.slice(server.url.length)];
    return /^\/(?!\/)/.test(address) ? [address] : [];
  });
}

test.each([
  ['that leaves out ".html"', false],
  ['that knows files and folders only', true],
])(
  'on a host %s every page is reached from the home page, and nothing is missing',
  async (_, plain) => {
    const site = await StaticHost.open(folder, { plain });
    const seen = new Set(['/']);
    const missing: string[] = [];
    for (const path of seen) {
      const answer = await fetch(site.url + path);
      if (!answer.ok) missing.push(path);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      for (const address of addressesIn(await answer.text())) {
        const [clean = ''] = address.split('#');
        if (clean !== '') seen.add(clean);
      }
    }
    await site.close();
    expect(missing).toEqual([]);
    const { reviews } = await server.json('/reviews.json');
    const reached = reviews.filter(({ id }: { id: string }) => seen.has(`/reviews/${id}`));
    expect(reached).toHaveLength(reviews.length);
    expect([...seen].filter((path) => path.includes('?') && !path.startsWith('/og.png'))).toEqual(
      [],
    );
  },
);

test('exported pages have no forms', async () => {
  for (const name of globSync('**/*.html', { cwd: folder })) {
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('<form');
  }
});

test('paths without search, orders and numbered lists equal the answers of the server, headers included', async () => {
  const paths = [
    '/reviews.json',
    '/insights.json',
    '/api/feed.json',
    '/feed.xml',
    '/og.png',
    '/favicon.ico',
    '/.well-known/security.txt',
    '/badge.svg',
    '/embed.js',
    '/embed-data.js',
    '/faq',
    '/summary',
    '/aspects',
    '/aspects.md',
    '/summary.md',
    '/log/checkpoint',
    ...globSync('assets/*.{css,js,svg,png,woff2}', { cwd: folder }).map((name) => `/${name}`),
  ];
  for (const path of paths) {
    const [file, answer] = await Promise.all([fetch(host.url + path), server.get(path)]);
    expect([path, Buffer.from(await file.arrayBuffer())]).toEqual([
      path,
      Buffer.from(await answer.arrayBuffer()),
    ]);
    for (const name of HEADERS) {
      expect([path, name, file.headers.get(name)]).toEqual([path, name, answer.headers.get(name)]);
    }
  }
});

test('pages below a prefix have the type of their ending', async () => {
  const { reviews } = await server.json('/reviews.json');
  for (const [ending, type] of [
    ['', 'text/html; charset=utf-8'],
    ['.md', 'text/markdown; charset=utf-8'],
  ]) {
    const { headers } = await fetch(`${host.url}/reviews/${reviews[0].id}${ending}`);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=60/);
  }
});

test('a topic links to itself, but not to a hub', async () => {
  const answer = await fetch(`${host.url}/feed.xml`);
  expect(answer.headers.get('link')).toBe(`<${server.url}/feed.xml>; rel="self"`);
});

test('live endpoints are not exported, and missing paths get the 404 page', async () => {
  for (const path of ['/healthz', '/metrics', '/mcp', '/server.json', '/api/reviews/search']) {
    expect((await fetch(host.url + path)).status).toBe(404);
  }
  const answer = await fetch(`${host.url}/nothing`);
  expect(await answer.text()).toContain('There is no page at this address');
});

test('all hosts get the same rules', async () => {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const rules = (await read('_headers')).match(/^\//gm)!.length;
  expect((await read('.htaccess')).match(/^<If /gm)).toHaveLength(rules);
  expect((await read('hosting/nginx.conf')).match(/^ {4}types /gm)).toHaveLength(rules);
  expect((await read('hosting/Caddyfile')).match(/^@rule\d+ path /gm)).toHaveLength(rules);
  expect(rules).toBeLessThan(100);
  expect(await read('hosting/nginx.conf')).toContain(String.raw`rel=\"self\"" always;`);
});

describe('a second export', () => {
  test('writes nothing if nothing changed, removes obsolete files, and keeps files that it did not write', async () => {
    const other = await Workplace.open();
    const copy = join(other.folder, 'copy');
    const rows = ['a', 'b'].map((name) => ({
      source_id: name,
      source: 'google',
      author: name,
      rating: 5,
      date: '2024-05-17',
      text: 'Mike came on time and fixed the boiler.',
      verified: true,
    }));
    const business = await other.write('business.json', { name: 'Harbor' });
    const both = await other.write('both.json', rows);
    await other.importHere(both, { business });
    await exportHere(other, copy);
    const page = join(copy, 'index.html');
    const { mtimeMs, ino } = await stat(page);
    expect((await exportHere(other, copy)).stdout).toMatch(
      /^files written {4}0\nfiles unchanged {2}\d{2,}\nfiles removed {4}0\nnow upload what is in \S+\n$/,
    );
    expect(await stat(page)).toMatchObject({ mtimeMs, ino });
    // The list and each review in a folder, and each review as a page.
    expect(await readdir(join(copy, 'reviews'))).toHaveLength(7);
    await writeFile(join(copy, 'CNAME'), 'reviews.example');
    await writeFile(join(copy, 'reviews/mine.html'), 'mine');
    const one = await other.write('one.json', rows.slice(0, 1));
    await other.importHere(one, { prune: true });
    expect((await exportHere(other, copy)).stdout).toMatch(
      /^files removed {4}[1-9]\d*\nnow empty the folder on the web space, and upload/m,
    );
    const after = await readdir(join(copy, 'reviews'));
    expect(after).toHaveLength(5);
    expect(after).toContain('mine.html');
    expect(existsSync(join(copy, 'CNAME'))).toBe(true);
    await other.close();
  });
});

test('BASE_URL is in all files after a trial on this machine; one that contradicts a recorded one is refused', async () => {
  const other = await Workplace.open();
  try {
    await other.importHere(await other.write('a.json', [record()]));
    const trial = await other.serveHere();
    await trial.close();
    const to = join(other.folder, 'copy');
    const settings = { BASE_URL: 'https://reviews.example' };
    expect((await exportHere(other, to, settings)).stderr).toBe('');
    for (const name of globSync('**/*.{html,xml,json,txt}', { cwd: to })) {
      expect([name, await readFile(join(to, name), 'utf8')]).toEqual([
        name,
        expect.not.stringContaining(trial.url),
      ]);
    }
    expect(await readFile(join(to, 'log/key'), 'utf8')).toMatch(/^reviews\.example\/log\+/);
    const refusal = exportHere(other, to, { BASE_URL: 'https://new.example' });
    await expect(refusal).rejects.toThrow(InputError);
    await expect(refusal).rejects.toThrow(
      /BASE_URL is https:\/\/new\.example, and a server recorded https:\/\/reviews\.example/,
    );
  } finally {
    await other.close();
  }
});

describe('exits with 2 and a message', () => {
  test('if the directory has other files', async () => {
    const taken = join(workplace.folder, 'taken');
    await mkdir(taken);
    await writeFile(join(taken, 'thesis.txt'), 'mine');
    // The program ends with 2 after an InputError.
    await expect(exportHere(workplace, taken)).rejects.toThrow(
      new InputError(
        `${taken}: expected a directory that is empty or was made by "export", got one that has "thesis.txt"`,
      ),
    );
    expect(await readdir(taken)).toEqual(['thesis.txt']);
  });

  test('if nothing was ever imported', async () => {
    const other = await Workplace.open();
    await other.look(() => Promise.resolve());
    const { code, stderr } = await other.run('export', join(other.folder, 'copy'));
    expect([code, stderr]).toEqual([
      2,
      'nothing to export: no reviews were imported into this store\n',
    ]);
    await other.close();
  });
});

test('hosts hide their configuration, list no directories, and send the policy with 404s', async () => {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const htaccess = await read('.htaccess');
  expect(htaccess).toContain('<IfModule mod_autoindex.c>\n  IndexIgnore *\n</IfModule>\n');
  expect(htaccess).toContain('RewriteCond %{REQUEST_FILENAME} -d\nRewriteRule . - [R=404,END]\n');
  expect(htaccess).toContain(
    'RewriteRule ^(?:hosting|\\.public-reviews-export|\\.htaccess|_headers|\\.nojekyll)(?:$|/) - [R=404,END]\n',
  );
  expect(htaccess).toContain('AddOutputFilterByType DEFLATE text/html text/css ');
  const nginx = await read('hosting/nginx.conf');
  expect(nginx).toContain('gzip on;\ngzip_vary on;\ngzip_types text/css ');
  expect(nginx).toContain('location = /.public-reviews-export {\n    return 404;\n}');
  expect(nginx).toContain('location ^~ /hosting/ {\n    return 404;\n}');
  expect(nginx).toMatch(
    /location = \/404\.html \{[^}]*\}[^}]*try_files \$uri =404;[^}]*content-security-policy/,
  );
  const caddy = await read('hosting/Caddyfile');
  expect(caddy).toContain('error @hidden 404\n');
  expect(caddy).toContain('\nencode zstd gzip\n');
  expect(caddy).toMatch(/handle_errors \{[^}]*header content-security-policy/);
});
