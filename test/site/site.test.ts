// The content of the pages, and that links and counts lead to the evidence.

import fc from 'fast-check';
import { wcagContrast } from 'culori';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Episode } from '../../src/model/insights.ts';
import { deriveInsights } from '../support/derive.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { safeLink, searchLink, SUBJECT_PATHS, withParameters } from '../../src/site/parts/links.ts';
import { html, renderMarkup } from '../../src/site/parts/markup.ts';
import { chartName } from '../../src/site/pictures/charts.ts';
import { drawPictures } from '../../src/site/pictures/pictures.ts';
import { Site } from '../../src/site/site.ts';
import { readableTint } from '../../src/site/parts/theme.ts';
import { truncate, formatShortList } from '../../src/site/parts/format.ts';
import { MENTION_KINDS } from '../../src/search/mentions.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { languageOf } from '../../src/strings/language.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const { urls } = buildAssets('#1f5c4d');
const GERMAN = ulidOf(901, '2020-01-01');
const TEXTS = [
  'Mike fixed the boiler. Great price!',
  'Zoë left a mess, and the price was far too high.',
  'Mike was rude. They never called back about the drain in Bath.',
  'The boiler works again, Mike and Zoë were friendly and on time.',
  null,
];
const REVIEWS = [
  ...Array.from({ length: 90 }, (_, index) =>
    review({
      id: ulidOf(index + 1),
      date: `202${index % 5}-0${1 + (index % 9)}-15`,
      rating: 1 + (index % 5),
      text: TEXTS[index % TEXTS.length] ?? null,
      sourceUrl: index % 2 === 0 ? 'https://example.com/r' : 'javascript:alert(1)',
    }),
  ),
  review({
    id: GERMAN,
    date: '2020-01-01',
    text: 'Sehr gute Arbeit, der Techniker war pünktlich.',
  }),
];

let snapshot: Snapshot;
let site: Site;
const fail = (_chart: string, error: unknown): never => {
  throw error;
};
const show = (route: string, id = '', parameters: Record<string, string> = {}) =>
  site.render(route, { id, parameters });

beforeAll(async () => {
  const insights = deriveInsights(REVIEWS, BUSINESS);
  snapshot = await snapshotOf(REVIEWS, {
    insights,
    languages: new Map([[GERMAN, 'de']]),
    pictures: drawPictures(insights, fail),
  });
  site = new Site(snapshot, urls);
});

/** The route and id of a path. */
function parts(path: string): [route: string, id: string] {
  if (path.startsWith('/developers')) return [path, ''];
  const [, folder = '', id] = path.split('/');
  return id === undefined ? [`/${folder}`, ''] : [`/${folder}/:id`, decodeURIComponent(id)];
}

describe('the pages of a snapshot', () => {
  test('all render, and to the same bytes for the same snapshot', async () => {
    const other = new Site(
      await snapshotOf(REVIEWS, { languages: new Map([[GERMAN, 'de']]) }),
      urls,
    );
    const paths = [...site.paths()];
    expect(paths.length).toBeGreaterThan(REVIEWS.length + 10);
    for (const path of paths) {
      const [route, id] = parts(path);
      const page = show(route, id);
      expect([path, page.status]).toEqual([path, 200]);
      const canonical = `<link rel="canonical" href="https://reviews.example${path}"/>`;
      // Nobody asked the people to be found by search engines.
      expect(page.content).toContain(
        route.startsWith('/technicians') ? 'content="noindex"' : canonical,
      );
      // The other snapshot has no charts, which only this page shows.
      const again = other.render(route, { id, parameters: {} });
      if (path !== '/') expect(again.content).toBe(page.content);
    }
  });

  test('have no dead links', () => {
    const known = new Set(site.paths());
    const dead = new Set<string>();
    for (const path of known) {
      const { content: text } = show(...parts(path));
      for (const [, href = ''] of text.matchAll(/ href="(\/[^"]*)"/g)) {
        const [target = ''] = href.replaceAll('&amp;', '&').split(/[?#]/);
        // Not a page: developers.test.ts requests each of these.
        const isFile =
          /^\/(?:assets\/|api\/|(?:reviews|insights|verification|openapi)\.json|feed\.xml|embed\.js|badge\.svg|log\/(?:checkpoint|key)|llms(?:-full)?\.txt|developers\/reference$)/.test(
            target,
          );
        if (!known.has(target) && !isFile) dead.add(`${path} leads to ${href}`);
      }
    }
    expect([...dead]).toEqual([]);
  });

  test('keep the space at line breaks of templates', () => {
    const { content: text } = show('/technicians/:id', 'mike-alvarez');
    expect(text.replaceAll(/<[^>]+>/g, '')).toMatch(/54 reviews\s+\d+ positive, \d+ negative\./);
  });
});

const KINDS_WITH_SENTIMENT = MENTION_KINDS.filter((kind) => kind !== 'topics');

const insightsOf = (kind: (typeof KINDS_WITH_SENTIMENT)[number]) =>
  kind === 'aspects' ? snapshot.insights.part('aspects') : snapshot.insights.part('entities')[kind];

describe('a count', () => {
  test.each(['positive', 'neutral', 'negative'] as const)(
    'of %s mentions leads to exactly that many reviews, each with such a mention',
    (sentiment) => {
      for (const list of KINDS_WITH_SENTIMENT) {
        for (const record of insightsOf(list)) {
          const positions = snapshot.mentioning(list, record.id, sentiment);
          expect(positions).toHaveLength(record[`${sentiment}_count`]);
          for (const position of positions) {
            const found = snapshot.insights.entry(position)?.[list];
            expect(found?.find(({ id }) => id === record.id)?.sentiment).toBe(sentiment);
          }
        }
      }
    },
  );

  test('of all mentions is paged through, each review once', () => {
    const seen: string[] = [];
    for (const page of ['1', '2', '3']) {
      const { content: text } = show('/technicians/:id', 'mike-alvarez', { page });
      const ids = text.matchAll(/<article class="review" id="review-(\w+)"/g);
      seen.push(...[...ids].map(([, id = '']) => id));
      expect(text.includes('<p class="aside">21 to 40 of 54</p>')).toBe(page === '2');
      expect(text.includes('rel="prev"')).toBe(page !== '1');
      expect(text.includes('rel="next"')).toBe(page !== '3');
    }
    expect(show('/technicians/:id', 'mike-alvarez', { page: '4' }).status).toBe(404);
    expect(seen).toHaveLength(54);
    expect(new Set(seen).size).toBe(54);
    expect(seen).toEqual(
      [...snapshot.mentioning('technicians', 'mike-alvarez')].map((at) => snapshot.idAt(at)),
    );
  });

  test('of topics equals the reviews, and an invalid sentiment is ignored', () => {
    const [topic] = snapshot.insights
      .part('topics')
      .filter(({ mention_count: count }) => count > 0);
    expect(topic && snapshot.mentioning('topics', topic.id)).toHaveLength(
      topic?.mention_count ?? 0,
    );
    const plain = show('/aspects/:id', 'pricing').content;
    const main = (text: string) => text.slice(text.indexOf('<main'));
    expect(main(show('/aspects/:id', 'pricing', { sentiment: 'y' }).content)).toBe(main(plain));
  });
});

describe('quotes', () => {
  test.each(['positive', 'neutral', 'negative'] as const)(
    'on a page of one sentiment are %s mentions of its subject, each once, and their stars agree',
    (sentiment) => {
      const expected = { positive: [4, 5], neutral: [1, 2, 3, 4, 5], negative: [1, 2, 3] }[
        sentiment
      ];
      let count = 0;
      for (const list of KINDS_WITH_SENTIMENT) {
        for (const { id } of insightsOf(list)) {
          const mentioned = Array.from(
            snapshot.mentioning(list, id, sentiment),
            (position) =>
              snapshot.insights.entry(position)?.[list].find((one) => one.id === id)?.phrase,
          );
          const { content: page } = show(`${SUBJECT_PATHS[list]}/:id`, id, { sentiment });
          const [, quotes = ''] = /<ul class="phrases">(.*?)<\/ul>/s.exec(page) ?? [];
          const quoted = [...quotes.matchAll(/<q [^>]*>(.*?)<\/q>.*?aria-label="(\d)/gs)];
          expect(new Set(quoted.map(([, phrase]) => phrase)).size).toBe(quoted.length);
          for (const [, phrase, stars] of quoted) {
            expect(mentioned).toContain(phrase);
            expect(expected).toContain(Number(stars));
          }
          count += quoted.length;
        }
      }
      expect(count > 0).toBe(sentiment !== 'neutral');
    },
  );

  test('does not count its subject as a filter that the reader set', () => {
    const [{ id } = { id: '' }] = insightsOf('aspects');
    const titles = (page: string) =>
      [...page.matchAll(/<summary>(Filters.*?)<\/summary>/g)].map(([, title]) => title);
    expect(titles(show('/aspects/:id', id, { sentiment: 'positive' }).content)).toEqual([]);
    expect(titles(show('/reviews', '', { aspect: id, sentiment: 'positive' }).content)).toEqual([
      'Filters (2 set)',
    ]);
  });
});

describe('evidence', () => {
  test('of answers says how many of the reviews are shown', () => {
    const { content: text } = show('/faq');
    expect(text).toMatch(/<summary>20 of the \d\d reviews behind this answer<\/summary>/);
    const listed = [...text.matchAll(/<a href="#([\w-]+)" dir="auto">(.*?)<\/a>/g)];
    expect(listed.length).toBe(text.match(/<section class="answer"/g)?.length);
    for (const [, id, question] of listed) {
      expect(text).toMatch(
        new RegExp(`id="${id}">\\s*<h2 dir="auto">${RegExp.escape(question ?? '')}<`),
      );
    }
    const prose = text.match(/class="prose".*?<\/p>/gs)?.join('') ?? '';
    const quotes = [...prose.matchAll(/(?:<a href="\/reviews\/(\w+)">)?“([^”]*)”/g)];
    expect(quotes.length).toBeGreaterThan(0);
    for (const [, id = '', quote = ''] of quotes) {
      const shown = show('/reviews/:id', id).content;
      for (const word of quote.match(/\p{L}{3,}/gu) ?? []) expect(shown).toContain(word);
    }
  });

  test('of the summary says how many of the reviews are shown', () => {
    const { content: text } = show('/summary');
    expect(text).toMatch(/<summary>5 of the \d+ reviews that mention it<\/summary>/);
  });
});

describe('a review', () => {
  test('has its language, and a note if only its stars count', async () => {
    const note = 'Written in another language: only its stars are counted.';
    const { content: german } = show('/reviews/:id', GERMAN);
    expect(german).toContain('dir="auto" lang="de"');
    expect(german).not.toContain(note);
    const text = 'Sono arrivati in orario e hanno riparato la caldaia con molta cura.';
    const languages = new Map([[ulidOf(1), 'it']]);
    const reviews = [review({ id: ulidOf(1), text })];
    const italian = new Site(await snapshotOf(reviews, { languages }), urls);
    const page = italian.render('/reviews/:id', { id: ulidOf(1), parameters: {} }).content;
    expect(page).toContain('lang="it"');
    expect(page).toContain(note);
  });

  test('highlights the matching phrase', () => {
    const { content: text } = show('/aspects/:id', 'pricing', { sentiment: 'negative' });
    expect(text).toMatch(/<mark>[^<]*the price was far too high[^<]*<\/mark>/);
  });

  test('links to its source only over http or https', () => {
    const all = [...site.paths()].filter((path) => path.startsWith('/reviews/'));
    const pages = all.map((path) => show(...parts(path)).content);
    expect(pages.filter((text) => text.includes('href="https://example.com/r"'))).toHaveLength(45);
    expect(pages.join('')).not.toContain('javascript:');
  });

  test('with a long text is folded after a sentence, open at a hit; its page has all', async () => {
    const text = `The title\n\n${'Some words of it. '.repeat(40)}The needle is here.`;
    const folded = new Site(
      await snapshotOf([review({ id: ulidOf(1), text, title: 'The title' })]),
      urls,
    );
    const list = folded.render('/reviews', { id: '', parameters: {} }).content;
    expect(list).toContain('<h4 class="title">The title</h4>');
    expect(list).toMatch(
      /words of it\.<\/p> <details class="fold"> <summary>Read on<\/summary> <p>Some words/,
    );
    const search = (words: string) =>
      folded.render('/reviews', { id: '', parameters: { words } }).content;
    expect(search('needle')).toMatch(/<details class="fold" open>.*<mark>needle<\/mark>/);
    // What is shown has a hit already, but not of the needle.
    const found = search('words');
    expect(found).toContain('<details class="fold">');
    expect(found.split('<mark>words</mark>')).toHaveLength(41);
    expect(search('needle words')).toContain('<details class="fold" open>');
    const own = folded.render('/reviews/:id', { id: ulidOf(1), parameters: {} }).content;
    expect(own).not.toContain('class="fold"');
    expect(own).toContain('<h2 class="title">The title</h2>');
  });

  test('with a very long text is cut in lists and whole on its page', async () => {
    const long = `${'word '.repeat(1000)}END`;
    const one = new Site(await snapshotOf([review({ id: ulidOf(1), text: long })]), urls);
    expect(one.render('/reviews', { id: '', parameters: {} }).content).not.toContain('END');
    expect(one.render('/reviews/:id', { id: ulidOf(1), parameters: {} }).content).toContain(
      'word END',
    );
  });
});

test('all pages render for a business without reviews', async () => {
  const empty = new Site(await snapshotOf([]), urls);
  const paths = [...empty.paths()];
  for (const path of paths) {
    const [route, id] = parts(path);
    expect([path, empty.render(route, { id, parameters: {} }).status]).toEqual([path, 200]);
  }
  expect(empty.render('/', { id: '', parameters: {} }).content).toContain('No reviews yet.');
});

test('the first page rates the values of attributes that are no verdicts, with links but in an export', async () => {
  const cabins = ['First "Class"', 'Economy'];
  const reviews = Array.from({ length: 15 }, (_, at) => {
    const isFirst = at < 5;
    const attributes = { cabin: cabins[Number(!isFirst)]!, recommended: isFirst ? 'yes' : 'no' };
    return { ...review({ id: ulidOf(at), rating: isFirst ? 5 : 2 }), attributes };
  });
  const rated = await snapshotOf(reviews);
  const homeOf = (isStatic: boolean) =>
    new Site(rated, urls, { isStatic })
      .render('/', { id: '', parameters: {} })
      .content.replaceAll(/\s+/g, ' ');
  const [shown, exported] = [homeOf(false), homeOf(true)];
  expect(shown).toMatch(
    /<h3>Cabin<\/h3> <ul[^>]*> <li> <a href="\/reviews\?attribute\.cabin=Economy"><bdi>Economy<\/bdi><\/a> <span class="aside"><strong>2\.0<\/strong> · 10 reviews/,
  );
  expect(shown).toContain(
    '<bdi>First &quot;Class&quot;</bdi></a> <span class="aside"><strong>5.0</strong>',
  );
  expect(shown).not.toContain('<h3>Recommended</h3>');
  expect(exported).toMatch(/<h3>Cabin<\/h3> <ul[^>]*> <li> <bdi>Economy<\/bdi>/);
});

describe('a chart', () => {
  test('has no inline style and is deterministic', () => {
    const insights = deriveInsights(REVIEWS, BUSINESS);
    const [first, second] = [drawPictures(insights, fail), drawPictures(insights, fail)];
    expect(first).toEqual(second);
    expect(Object.keys(first).toSorted()).toEqual(['ratings narrow', 'ratings wide']);
    for (const picture of Object.values(first)) {
      expect(Buffer.from(picture).toString()).toMatch(/^<svg [^>]*aria-hidden="true"/);
      expect(Buffer.from(picture).toString()).not.toMatch(/<style|style=|aria-label/);
    }
  });

  test('names the cause of bad months, in the language of the pages', () => {
    const insights = deriveInsights(REVIEWS, BUSINESS);
    const dip: Episode = {
      kind: 'dip',
      from: '2022-01',
      to: '2022-02',
      review_count: 9,
      average_rating: 2,
      average_before: 4,
      average_after: 4,
      is_over: true,
      aspects: ['pricing'],
      problems: [],
      causes: ['Pricing'],
      example_review_ids: [],
    };
    const temporal = { ...insights.temporal, episodes: [dip] };
    const drawn = drawPictures({ ...insights, temporal }, fail, languageOf('de'));
    const text = (picture?: Uint8Array) => Buffer.from(picture ?? []).toString();
    expect(text(drawn['ratings wide'])).toContain('>Preise</text>');
    const plain = drawPictures(insights, fail, languageOf('de'));
    expect(text(plain['ratings wide'])).not.toContain('>Preise</text>');
  });

  test('is not drawn for too few months', () => {
    const pictures = drawPictures(deriveInsights([review({ text: null })], BUSINESS), fail);
    expect(pictures).not.toHaveProperty([chartName('ratings', 'wide')]);
  });
});

describe('markup', () => {
  test('escapes every value and turns a line break into a space', () => {
    const page = html`<p title=${'"><b>'}>
      ${'<script>'}
      <b>one</b>
      two
    </p>`;
    expect(renderMarkup(page)).toBe(
      '<!doctype html>\n<p title="&quot;>&lt;b>"> &lt;script> <b>one</b> two </p>\n',
    );
  });
});

describe('the colour of the business', () => {
  test('is readable on light and dark backgrounds, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
        const color = `#${number.toString(16).padStart(6, '0')}`;
        for (const [scheme, backgrounds] of [
          ['light', ['#fbfaf7', '#ffffff']],
          ['dark', ['#161513', '#201e1b']],
        ] as const) {
          const { accent, inverse } = readableTint(color, scheme);
          for (const background of [...backgrounds, inverse]) {
            expect(wcagContrast(accent, background)).toBeGreaterThanOrEqual(4.5);
          }
        }
      }),
    );
  });

  test('is unchanged if it is readable', () => {
    expect(readableTint('#1f5c4d', 'light').accent).toBe('#1f5c4d');
  });
});

describe('links', () => {
  test.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['HTTP://example.com', 'HTTP://example.com'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    [' https://example.com', null],
    ['https://', null],
    [null, null],
  ])('to other sites (%s) become %s', (url, safe) => {
    expect(safeLink(url)).toBe(safe);
  });

  test('to a search contain only the given filters', () => {
    expect(searchLink({ query: 'a&b=c', rating: 5, limit: 20 })).toBe(
      '/reviews?query=a%26b%3Dc&rating=5',
    );
    expect(searchLink({ limit: 20 })).toBe('/reviews');
    expect(withParameters('/x', { a: undefined })).toBe('/x');
  });
});

describe('formatting', () => {
  test('writes numbers, dates and lists in English', () => {
    const british = languageOf('en-GB');
    const { reviews } = british.strings;
    expect([reviews(1), reviews(1204)]).toEqual(['1 review', '1,204 reviews']);
    expect(british.format.date('2026-03-05')).toBe('5 March 2026');
    expect(languageOf(null, 'USA').format.date('2026-03-05')).toBe('March 5, 2026');
    expect(formatShortList(british, ['a', 'b', 'c'], 3)).toBe('a, b and c');
    expect(formatShortList(british, ['a', 'b', 'c', 'd'], 3)).toBe('a, b and 2 others');
  });

  test.each(['constructor', '__proto__', 'toString'])(
    'shows a source named %s as is',
    async (source) => {
      const named = new Site(await snapshotOf([review({ id: ulidOf(1), source })]), urls);
      for (const route of ['/', '/reviews']) {
        const page = named.render(route, { id: '', parameters: {} });
        expect(page.status).toBe(200);
        expect(page.content).toContain(route === '/' ? `<bdi>${source}</bdi>` : `>${source}</bdi>`);
      }
    },
  );

  test('truncates between words and never within a character', () => {
    expect(truncate('short', 10)).toBeNull();
    expect(truncate('one two three', 9)).toBe('one two…');
    expect(truncate('😀'.repeat(6), 5)).toBe('😀😀…');
  });
});

describe('a very long list', () => {
  test('is paged', async () => {
    const technicians = Array.from({ length: 450 }, (_, index) => ({
      id: `t-${index}`,
      name: `Name${index} Surname${index}`,
      aliases: [],
      active: true,
    }));
    const reviews = technicians.map(({ name }, index) =>
      review({ id: ulidOf(index + 1), text: `${name} fixed the boiler.` }),
    );
    const business = { ...BUSINESS, technicians };
    const many = new Site(await snapshotOf(reviews, { business }), urls);
    const countOf = (parameters: Record<string, string>) =>
      many
        .render('/technicians', { id: '', parameters })
        .content.split(/<th scope="row">(?:<input[^>]*>\s*)?<a href="\/technicians\//).length - 1;
    expect([countOf({}), countOf({ page: '2' }), countOf({ page: '3' })]).toEqual([200, 200, 50]);
    expect(many.render('/technicians', { id: '', parameters: { page: '4' } }).status).toBe(404);
    expect(many.render('/technicians', { id: '', parameters: { page: '2' } }).content).toContain(
      'href="/technicians?page=3" rel="next"',
    );
  });
});
