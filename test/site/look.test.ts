// The operator's look: colour, fonts, colour scheme, sections, call to action and links of the footer.

import { expect, test } from 'vitest';
import { formatPath, parseBusinessFile } from '../../src/model/business-file.ts';
import { type SiteLook, siteLookSchema } from '../../src/model/site-look.ts';
import { lookOf } from '../../src/site/parts/theme.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const REVIEWS = Array.from({ length: 6 }, () => review());

async function serve(site: Partial<SiteLook>) {
  const business = { ...BUSINESS, site: siteLookSchema.parse(site) };
  const server = await TestServer.open(await snapshotOf(REVIEWS, { business }));
  const { text } = await server.ask('/');
  const [, path = ''] = /href="(\/assets\/site\.[^"]+\.css)"/.exec(text) ?? [];
  const style = (await server.ask(path)).text;
  await server.close();
  return { text, style };
}

test('the business file sets colour and fonts, also after another publish', async () => {
  const { text, style } = await serve({ color: '#8822aa', font: 'serif' });
  expect(style).toContain('--accent:#8822aa');
  expect(style).toContain(':root{--sans:ui-serif');
  expect(text).toContain('content="light dark"');
  const server = await TestServer.open(await snapshotOf(REVIEWS));
  const site = siteLookSchema.parse({ color: '#8822aa' });
  server.http.show(await snapshotOf(REVIEWS, { business: { ...BUSINESS, site } }));
  expect((await server.ask('/badge.svg')).text).toContain('#8822aa');
  await server.close();
});

test('a colour scheme can be fixed', async () => {
  const dark = await serve({ color_scheme: 'dark' });
  expect(dark.text).toContain('<meta name="color-scheme" content="dark"/>');
  expect(dark.style).not.toContain('prefers-color-scheme');
  expect(dark.style).toContain('@media all');
  const light = await serve({ color_scheme: 'light' });
  expect(light.style).toContain('@media not all');
});

test('the first page has the sections in the order of the file', async () => {
  const { text } = await serve({ sections: ['summary', 'newest'] });
  const [newest, summary] = [text.lastIndexOf('Reviews</h2>'), text.indexOf('In short')];
  expect(summary).toBeGreaterThan(0);
  expect(newest).toBeGreaterThan(summary);
  expect(text).not.toContain('What customers say</h2>');
});

test('the call to action is the first button, and links stand in the footer', async () => {
  const { text } = await serve({
    call_to_action: { label: 'Book & go', url: 'https://book.example/?a=1&b=2' },
    footer_links: [{ label: 'Imprint', url: 'https://harbor.example/imprint' }],
  });
  expect(text).toContain('href="https://book.example/?a=1&amp;b=2">Book &amp; go</a>');
  const footer = text.slice(text.indexOf('<footer'));
  expect(footer).toContain('<a href="https://harbor.example/imprint">Imprint</a>');
});

test('without a look, the colour of the settings applies', () => {
  expect(lookOf(BUSINESS, '#123456')).toEqual({ color: '#123456', font: 'system', scheme: 'auto' });
});

test('every bad value of a look gets a message', () => {
  const link = { label: 'Book', url: 'javascript:alert(1)' };
  const site = {
    colour: 'red',
    color: 'red',
    font: 'comic',
    sections: ['x'],
    call_to_action: link,
  };
  const parsed = parseBusinessFile({ name: 'Harbor', site });
  const lines = parsed.ok
    ? []
    : parsed.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).toSorted();
  expect(lines).toEqual([
    'site.call_to_action.url: expected an address that begins with https://, http://, tel: or mailto:, got "javascript:alert(1)"',
    'site.color: expected a colour as "#" and six digits such as "#1f5c4d" (green), "#1d4ed8" (blue) or "#b91c1c" (red), got "red"',
    'site.font: expected one of system, serif, rounded, classic, got "comic"',
    'site.sections[0]: expected one of summary, newest, aspects, subjects, questions, years, got "x"',
    'site: expected "color", got the unknown key "colour"',
  ]);
});
