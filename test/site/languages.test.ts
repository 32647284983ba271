// The pages of a business with every kind of content have no English words in another language.

import { createDocument } from '@mixmark-io/domino';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawPictures } from '../../src/site/pictures/pictures.ts';
import { renderEmbedData } from '../../src/site/embed.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { ROUTES } from '../../src/model/routes.ts';
import { MISSING, PAGES, Site } from '../../src/site/site.ts';
import { quotesOf } from '../../src/site/insights/quotes.ts';
import { View } from '../../src/site/view.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { languageOf, type Language } from '../../src/strings/language.ts';
import { LANGUAGE_CODES } from '../../src/strings/regions.ts';
import type { Strings } from '../../src/strings/strings.ts';
import { exampleSnapshot } from '../support/example.ts';
import { jsonLdOf } from '../support/site.ts';
import { ORIGIN } from '../support/snapshot.ts';
import { textsOf } from '../support/texts.ts';

const OTHER_CODES = LANGUAGE_CODES.filter((code) => code !== 'en');
const { urls } = buildAssets('#1f5c4d');

/**
 * Elements whose words are of reviewers, English ones that are marked as English (documentation and errors), and
 * charts, which are drawn in the language of the publication.
 */
const DATA =
  'script, style, code, q, blockquote, .words, [hreflang], main[lang=en], ul[lang=en], .aside[lang=en], figure svg';
const SPOKEN = ['aria-label', 'title', 'alt', 'placeholder', 'data-copied', 'content'];

/** Searches, and pages of one sentiment, which have texts that no other page has. */
const QUERIES: Readonly<Record<string, readonly Record<string, string>[]>> = {
  '/reviews': [
    { words: 'furnace billing', rating: '5', since: '2020-01-01', has_reply: 'true' },
    { words: 'rude boiler financing punctuality' },
    { aspect: 'pricing', problem: 'surprise-fee', topic: 'heating', strict: 'true' },
    { rating: '9' },
  ],
  '/aspects/:id': [{ sentiment: 'negative' }],
};

/** Pages of a route, which are all alike. The lists of subjects have all labels. */
const MAX_PATHS = 2;

/** Words of the example that no language changes. */
interface OwnWords {
  /** Names of the business, its services and its reviewers. */
  readonly names: RegExp;
  readonly reviews: string;
}

function ownWordsOf(snapshot: Snapshot): OwnWords {
  const view = new View(snapshot);
  const { name, description, services } = view.business;
  const reviews = Array.from({ length: snapshot.reviewCount }, (_, at) => view.reviewAt(at).review);
  const names = [
    name,
    ...(description ? [description] : []),
    ...services.map(({ label }) => label),
    ...reviews.map(({ author }) => author),
  ];
  return {
    names: anyOf(names, 'g'),
    reviews: reviews.map(({ text }) => text?.replaceAll(/\s+/g, ' ')).join('\n'),
  };
}

/** What is read or heard on a page and is not somebody's own words, a line for each text. */
function linesOf(page: string, own: OwnWords): string {
  const document = createDocument(page);
  for (const element of Array.from(document.querySelectorAll(DATA))) element.remove();
  const spoken = SPOKEN.flatMap((attribute) =>
    Array.from(
      document.querySelectorAll(`[${attribute}]`),
      (element) =>
        element
          .getAttribute(attribute)
          ?.replaceAll(/\S+:\/\/\S+|[„\p{Pi}].+…\s?[“\p{Pf}]|…$/gu, '') ?? '',
    ),
  ).filter((text) => !own.reviews.includes(text));
  const shown: string[] = [];
  const walk = document.createTreeWalker(document.documentElement, 4);
  while (walk.nextNode()) shown.push(walk.currentNode.textContent ?? '');
  const trail = jsonLdOf(page)
    .filter(({ '@type': type }) => type === 'BreadcrumbList')
    .flatMap(({ itemListElement: items }) => items.map(({ name }: { name: string }) => name));
  const lines = [...shown, ...spoken, ...trail].join('\n');
  return lines.replaceAll(own.names, '');
}

/** English labels, and parts of English sentences, that the language has other words for. */
function englishOnly({ strings }: Language): RegExp {
  const english = languageOf('en-GB').strings;
  const own = [...textsOf(strings).values()].join('\n');
  const labels = Object.entries(strings.labels).flatMap(([label, text]) =>
    label === text ? [] : [label],
  );
  const texts = [...textsOf(withoutLabels(english)).values()].flatMap((text) =>
    text.split(/[\d<>{}“”…·]|\bword\b|\bMarch\b|[.,:;?]\s/).map((part) => part.trim()),
  );
  // "of the" alone is not telling: authors and sources may have such words.
  const phrases = [
    ...labels,
    ...texts.filter((text) => /^\p{Lu}\p{L}{3}|\p{L}{4}.* .*\p{L}{3}/u.test(text)),
  ];
  return anyOf([...new Set(phrases)].filter((phrase) => !anyOf([phrase]).test(own)));
}

/** Matches whole words, the longest first. */
function anyOf(phrases: readonly string[], flags = ''): RegExp {
  const longestFirst = phrases.toSorted((one, other) => other.length - one.length);
  const choices = longestFirst.map((phrase) => RegExp.escape(phrase)).join('|');
  return new RegExp(`(?<!\\p{L})(?:${choices})(?!\\p{L})`, `u${flags}`);
}

function withoutLabels({ labels: _labels, ...texts }: Strings): object {
  return texts;
}

describe('in another language', () => {
  let snapshot: Snapshot;
  let ownWords: OwnWords;

  beforeAll(async () => {
    snapshot = await exampleSnapshot(ORIGIN);
    ownWords = ownWordsOf(snapshot);
  });

  test.each(OTHER_CODES)('no page has an English text that %s has words for', (code) => {
    const language = languageOf(code);
    const english = englishOnly(language);
    const site = new Site(snapshot, urls, { language });
    const found = [...Object.keys(PAGES), MISSING].flatMap((route) =>
      (QUERIES[route] ?? []).concat({}).flatMap((parameters) => {
        const paths = route === MISSING ? ['/x'] : [...site.pathsOf(route)].slice(0, MAX_PATHS);
        // The example has no branches.
        if (route !== ROUTES.showLocation.path)
          expect([route, paths.length]).not.toEqual([route, 0]);
        return paths.flatMap((path) => {
          const id = decodeURIComponent(path.split('/')[2] ?? '');
          const { content: html } = site.render(route, { id, parameters });
          const [match] = english.exec(linesOf(html, ownWords)) ?? [];
          return match === undefined ? [] : [`${path} ${JSON.stringify(parameters)}: ${match}`];
        });
      }),
    );
    expect(found).toEqual([]);
  });

  test.each(OTHER_CODES)(
    'no chart and no embed has an English text that %s has words for',
    (code) => {
      const language = languageOf(code);
      const english = englishOnly(language);
      const view = new View(snapshot, { language });
      const insights = { temporal: view.insights('temporal'), aspects: view.insights('aspects') };
      const charts = drawPictures(
        insights as Parameters<typeof drawPictures>[0],
        () => undefined,
        language,
      );
      for (const [name, svg] of Object.entries(charts)) {
        expect([name, english.exec(linesOf(Buffer.from(svg).toString(), ownWords))?.[0]]).toEqual([
          name,
          undefined,
        ]);
      }
      expect(renderEmbedData(view, '#1f5c4d')).not.toMatch(
        /verified reviews|out of 5|How we verify/,
      );
    },
  );
});

test('quotes in the language of a page come before others', () => {
  const reviewsOf = (ids: readonly string[]) =>
    ids.map((id) => ({ review: { id }, language: id.slice(0, 2) }));
  const view = { language: { tag: 'fr-FR' }, reviewsOf } as never;
  const quotes = ['en 1', 'fr 1', 'de 1', 'fr 2'].map((id) => ({
    review_id: id,
    sentiment: 'positive' as const,
    text: id,
  }));
  const found = quotesOf(view, { quotes } as never, 'positive').map(({ text }) => text);
  expect(found).toEqual(['fr 1', 'fr 2', 'en 1', 'de 1']);
});
