// The documentation names what exists: settings, commands, options, routes, paths and links.

import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { businessFileSchema } from '../../src/model/business-file.ts';
import { type Route, ROUTES, templateOf } from '../../src/model/routes.ts';
import { SEARCH_PARAMETERS } from '../../src/model/search.ts';
import { PAGES as READ_PAGES, typedLines } from '../support/typed-lines.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });

test('every setting of config.ts is in docs/operating.md, and no other', () => {
  const schema = read('src/config/environment.ts').split('z.object({')[1]!.split('\n});')[0]!;
  const settings = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
  const documented = [...read('docs/operating.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(settings).not.toEqual([]);
  expect(documented.toSorted()).toEqual(settings.toSorted());
});

test('every route for programs is in docs/http.md and in the README', () => {
  const routes: readonly Route[] = Object.values(ROUTES);
  const paths = routes
    .filter(({ group }) => group !== 'Pages' && group !== 'Files')
    .map(({ path }) => templateOf(path));
  for (const page of ['docs/http.md', 'README.md']) {
    expect(paths.filter((path) => !read(page).includes(path))).toEqual([]);
  }
});

test('every search parameter is in docs/http.md', () => {
  const parameters = [...SEARCH_PARAMETERS, 'attribute.NAME', 'min_rating.NAME'];
  expect(parameters.filter((name) => !read('docs/http.md').includes(`\`${name}\``))).toEqual([]);
});

test('every key of a mapping is in docs/import.md, and its example is a mapping', () => {
  const page = read('docs/import.md');
  const keys = Object.keys(mappingSchema.shape);
  expect(keys.filter((key) => !page.includes(`| \`${key}\` |`))).toEqual([]);
  const [, example] = /```json\n([\s\S]*?)```/.exec(page)!;
  expect(mappingSchema.safeParse(JSON.parse(example!)).success).toBe(true);
  expect(JSON.parse(read('examples/british-airways.mapping.json'))).toEqual(JSON.parse(example!));
});

test('every command and option is documented, and --help of each ends well', async () => {
  const help = async (...args: string[]) => {
    const main = join(ROOT, 'src/main.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args, '--help']);
    return stdout;
  };
  /** What a command is called with, or its subcommands, and the options of each. */
  const optionsOf = async (...command: string[]): Promise<[command: string, string[]][]> => {
    const page = await help(...command);
    const [options = '', commands = ''] = page.split('\nCommands:\n');
    const names = [...commands.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name]) => name!);
    if (names.length > 0) {
      return (await Promise.all(names.map((name) => optionsOf(...command, name)))).flat();
    }
    const found = [...options.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option!);
    return [[command.join(' '), found]];
  };
  const commands = await optionsOf();
  expect(commands.map(([command]) => command)).toEqual([
    'serve',
    'init',
    'import',
    'sync',
    'export',
    'backup',
    'restore',
    'remove',
    'forget',
    'hide',
    'show',
    'history',
    'business set',
    'verify',
    'witness',
    'log show',
    'log rotate',
    'log retire',
    'log continue',
    'log replace',
    'subscriptions list',
    'subscriptions remove',
    'doctor',
    'status',
    'imports list',
    'imports show',
    'sites add',
    'sites list',
    'sites move',
    'sites remove',
  ]);
  const documented = ['operating', 'import', 'commands', 'sites']
    .map((page) => read(`docs/${page}.md`))
    .join('\n');
  const options = commands.flatMap(([, ofCommand]) => ofCommand);
  expect(options).toContain('--prune');
  const names = commands.map(([command]) => `\`${command}\``);
  expect([...names, ...options].filter((name) => !documented.includes(name))).toEqual([]);

  const known = new Map(commands);
  const wrong = typedLines().flatMap(({ page, line }) => {
    const [, typed] =
      /^(?:\w+=\S+ )*(?:npx public-reviews|public-reviews|reviews) (.*)/.exec(line) ?? [];
    if (typed === undefined || typed.startsWith('--version')) return [];
    // Of the program, before or after the command.
    const own = typed.replaceAll(/--sites? \S+ ?/g, '').trim();
    const words = own.split(' ');
    const ofCommand = known.get(words.slice(0, 2).join(' ')) ?? known.get(words[0]!);
    const given = [...` ${own}`.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option]) => option!);
    const isKnown = ofCommand !== undefined && given.every((option) => ofCommand.includes(option));
    return isKnown ? [] : [`${page}: ${line}`];
  });
  expect(wrong).toEqual([]);
});

test('every other command is run by a test, is a script, or stands below a mark that says what it needs', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
  const program =
    /^(?:\w+=\S* )*(?:apt|apt-get|brew|cat|cd|certbot|chmod|claude|code|cp|createdb|curl|dnf|docker|echo|exec|fuser|gcloud|git|go|install|journalctl|mcp-publisher|mkdir|mv|node|npm|npx|openssl|pg_dump|pg_restore|pip|psql|rm|rsync|scp|sh|ss|ssh|sudo|systemctl|systemd-run|tar|wget) /;
  const unmarked = typedLines().filter(({ line, isMarked }) => {
    if (isMarked || !program.test(line) || /npx public-reviews /.test(line)) return false;
    // The requests of http-docs.test.ts.
    if (/^curl .*(?:reviews\.example\.com|localhost:8080)/.test(line)) return false;
    return !line
      .split(' && ')
      .every(
        (each) =>
          /^(?:\w+=\S* )?npm (?:ci|start|test|pack)\b/.test(each) || isScript(each, scripts),
      );
  });
  expect(unmarked.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
  // Commands in fences would be read by none of these tests.
  const fences = READ_PAGES.flatMap(
    (page) => read(page).match(/^```(?!(?:html|js|json)?$).*/gm) ?? [],
  );
  expect(fences).toEqual([]);
});

function isScript(command: string, scripts: readonly string[]): boolean {
  const [, script] = /^npm run (\S+)/.exec(command) ?? [];
  return script !== undefined && scripts.includes(script);
}

test('pages name the file of this version', () => {
  const { version } = JSON.parse(read('package.json'));
  const named = PAGES.flatMap((page) => read(page).match(/public-reviews-[\d.]+\.tgz/g) ?? []);
  expect([...new Set(named)]).toEqual([`public-reviews-${version}.tgz`]);
});

test('the documentation stays short', () => {
  const generated = /<!-- results of (\S+) -->[\s\S]*?<!-- end of \1 -->/g;
  const examples = /^```[\s\S]*?^```|^ {4}.*$/gm;
  const words = (text: string) =>
    text
      .replaceAll(generated, '')
      .replaceAll(examples, '')
      .split(/\s+/)
      .filter((word) => /\w/.test(word)).length;
  const pages = globSync('docs/*.md', { cwd: ROOT });
  expect(words(pages.map(read).join('\n'))).toBeLessThanOrEqual(20_000);
  expect(words(read('docs/glossary.md'))).toBeLessThanOrEqual(300);
  const [, newest] = read('CHANGELOG.md').split(/^## /m);
  expect(words(newest!)).toBeLessThanOrEqual(1_500);
});

test('the schema of a business file in the project is the one that is served', () => {
  expect(JSON.parse(read('examples/business.schema.json'))).toEqual(businessFileSchema());
  expect(JSON.parse(read('examples/business.json'))).toHaveProperty(
    '$schema',
    './business.schema.json',
  );
});

test('every link inside the project leads to a file and a heading', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  const broken = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path, anchor]) => {
        const target = path === '' ? page : join(dirname(page), path!);
        if (!existsSync(join(ROOT, target))) return true;
        if (anchor === undefined) return false;
        const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, text]) => slug(text!));
        return !headings.includes(anchor);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every path of the project that a page names in code type exists', () => {
  const missing = PAGES.flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|bench|docs|deploy|examples)\/[\w./-]*)`/g)]
      .map(([, path]) => path!)
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
