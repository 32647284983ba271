// The texts of all languages: complete, typed, and the only words of the pages.

import { readdirSync, readFileSync } from 'node:fs';
import { createDocument } from '@mixmark-io/domino';
import { beforeAll, describe, expect, test } from 'vitest';
import { TRAIT_LABELS } from '../../src/insights/aggregate/traits.ts';
import editorial from '../../src/insights/editorial/causes.json' with { type: 'json' };
import clinic from '../../examples/clinic.business.json' with { type: 'json' };
import example from '../../examples/business.json' with { type: 'json' };
import restaurant from '../../examples/restaurant.business.json' with { type: 'json' };
import causes from '../../src/insights/entities/problems/causes.json' with { type: 'json' };
import named from '../../src/insights/entities/problems/named.json' with { type: 'json' };
import { verticalOf } from '../../src/insights/verticals/verticals.ts';
import { VERTICAL_IDS } from '../../src/model/verticals.ts';
import { deriveInsights } from '../support/derive.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { drawPictures } from '../../src/site/pictures/pictures.ts';
import { MISSING, PAGES, Site } from '../../src/site/site.ts';
import { en } from '../../src/strings/en.ts';
import { Format } from '../../src/strings/format.ts';
import {
  acceptedLanguage,
  isSiteLanguage,
  type Language,
  languageOf,
} from '../../src/strings/language.ts';
import { LANGUAGE_CODES } from '../../src/strings/regions.ts';
import { mapStrings } from '../../src/strings/strings.ts';
import { BRANCHED, BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { textsOf } from '../support/texts.ts';

const { urls } = buildAssets('#1f5c4d');
const OTHER_CODES = LANGUAGE_CODES.filter((code) => code !== 'en');

const TEXTS = [
  'Mike fixed the boiler. Great price!',
  'Zoë left a mess, and the price was terrible. They came late.',
  'Mike was rude. They never called back about the drain in Bath.',
  null,
];

describe('the language of a site', () => {
  test.each([
    [null, 'Germany', 'de-DE'],
    [null, 'Österreich', 'de-AT'],
    [null, 'oesterreich', 'en-US'],
    [null, 'CH', 'de-CH'],
    [null, 'USA', 'en-US'],
    [null, 'United States', 'en-US'],
    [null, 'U.K.', 'en-GB'],
    [null, 'France', 'fr-FR'],
    [null, 'españa', 'es-ES'],
    [null, 'Espana', 'es-ES'],
    [null, 'México', 'es-MX'],
    [null, 'Italia', 'it-IT'],
    [null, 'Nederland', 'nl-NL'],
    [null, 'Brasil', 'pt-BR'],
    [null, 'Portugal', 'pt-PT'],
    [null, 'Japan', 'en-US'],
    [null, null, 'en-US'],
    ['de', null, 'de-DE'],
    ['de', 'AT', 'de-AT'],
    ['fr', 'Canada', 'fr-CA'],
    ['en-GB', 'Germany', 'en-GB'],
  ])('of the setting %j and the country %j is %s', (setting, country, tag) => {
    expect(languageOf(setting, country).tag).toBe(tag);
  });

  test('is loaded once: its formats take milliseconds to make, and every error page needs them', () => {
    expect(languageOf('de')).toBe(languageOf(null, 'Germany'));
    expect(languageOf('de-AT')).not.toBe(languageOf('de'));
    expect(acceptedLanguage('de-CH,de;q=0.9')).toBe(languageOf('de'));
  });

  test('is one that has texts, with or without a region', () => {
    expect(['de', 'pt-BR', 'ja', 'de_AT', 'german', 'de-at', ''].map(isSiteLanguage)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('of the starting page is the first that the browser accepts', () => {
    const codes = ['da, nl;q=0.8, en;q=0.5', 'de-CH', '', undefined, 'xx'].map(
      (header) => acceptedLanguage(header).code,
    );
    expect(codes).toEqual(['nl', 'de', 'en', 'en', 'en']);
  });
});

describe('formats', () => {
  test.each([
    ['en-US', '1,204 reviews', '4.6', '12.5%', 'March 5, 2026', 'a, b, and c'],
    ['en-GB', '1,204 reviews', '4.6', '12.5%', '5 March 2026', 'a, b and c'],
    ['de', '1.204 Bewertungen', '4,6', '12,5 %', '5. März 2026', 'a, b und c'],
    ['es', '1204 opiniones', '4,6', '12,5 %', '5 de marzo de 2026', 'a, b y c'],
    ['fr', '1 204 avis', '4,6', '12,5 %', '5 mars 2026', 'a, b et c'],
    ['it', '1204 recensioni', '4,6', '12,5%', '5 marzo 2026', 'a, b e c'],
    ['nl', '1.204 reviews', '4,6', '12,5%', '5 maart 2026', 'a, b en c'],
    ['pt', '1204 avaliações', '4,6', '12,5%', '5 de março de 2026', 'a, b e c'],
  ])('of %s', (setting, ...expected) => {
    const { strings, format } = languageOf(setting);
    const shown = [
      strings.reviews(1204),
      format.mean(4.6),
      format.percent(12.5),
      format.date('2026-03-05'),
      format.list(['a', 'b', 'c']),
    ];
    // Whatever spaces the Unicode data has.
    expect(shown.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(expected);
  });

  test('round a mean half up, also where it is a little less in binary', () => {
    expect([4.05, 4.04, 1.15, 5].map((mean) => languageOf('en').format.mean(mean))).toEqual([
      '4.1',
      '4.0',
      '1.2',
      '5.0',
    ]);
  });

  test('keep a number and its noun on one line, except in English', () => {
    expect(languageOf('de').strings.reviews(1)).toBe('1\u00a0Bewertung');
    expect(languageOf('fr').strings.facts.isSatisfied('X')).toBe(
      'Les clients sont-ils satisfaits de X\u202f?',
    );
    expect(languageOf('en').strings.reviews(1)).toBe('1 review');
  });

  test('agree with numbers and names in French', () => {
    const { strings, format } = languageOf('fr');
    const by = ['Emma J.', 'Hélène M.', 'Élodie', 'Yves', 'Ouassim', 'Hassan', 'Yann', 'Marie'].map(
      (author) => strings.filters.by(author),
    );
    expect(by.join(', ')).toBe(
      'd’Emma J., d’Hélène M., d’Élodie, d’Yves, de Ouassim, de Hassan, de Yann, de Marie',
    );
    const shown = [
      format.date('2023-04-01'),
      format.date('2023-04-11'),
      strings.summary.counts(12, 0, 2),
      strings.verification.leftOutByStars(1, 11, 2, 90),
      strings.facts.agreement('Oui', 5, 4),
      strings.subject.whereNamed(1, 4),
      `Service${strings.colon}Balayage`,
    ];
    expect(shown.map((text) => text.replaceAll(/\s/g, ' '))).toEqual([
      '1er avril 2023',
      '11 avril 2023',
      '12 pour, 0 neutre, 2 contre.',
      'Sur 11 avis à une ou deux étoiles, 1 n’est pas publié ; sur 90 avis à quatre ou cinq étoiles, 2.',
      'Oui : 5 des 9 clients qui en parlent sont satisfaits.',
      '1 avis en dit du bien, 4 du mal.',
      'Service : Balayage',
    ]);
  });

  test('name what no language has a name for by its code', () => {
    expect(languageOf('de').format.language('fr')).toBe('Französisch');
    expect(languageOf('de').format.language('x y')).toBe('x y');
    // What is in no language has no words.
    expect(languageOf('de').strings.filters.language('und')).toBe('Ohne Text');
    expect(languageOf('en').strings.filters.language('und')).toBe('No words');
  });
});

describe('labels', () => {
  const labels = new Set([
    ...VERTICAL_IDS.flatMap((id) => {
      const { aspects, topics } = verticalOf(id);
      return [...aspects, ...topics].map(({ label }) => label);
    }),
    ...named.problems.map(({ label }) => label),
    ...editorial.kinds.map(({ label }) => label),
    ...Object.values(TRAIT_LABELS),
    ...Object.values(causes.verticals).flatMap((rules) => Object.values(rules.labels)),
    ...[example, clinic, restaurant].flatMap(({ services }) => services.map(({ label }) => label)),
  ]);

  test.each(OTHER_CODES)(
    'of all aspects, traits, topics, complaints and common services are there in %s',
    (code) => {
      const known = languageOf(code).strings.labels;
      expect([...labels].filter((label) => !Object.hasOwn(known, label))).toEqual([]);
      expect(Object.keys(known).filter((label) => !labels.has(label))).toEqual([]);
    },
  );

  test('in American English differ in spelling only', () => {
    const known = languageOf('en-US').strings.labels;
    expect(Object.keys(known).filter((label) => !labels.has(label))).toEqual([]);
    expect(languageOf('en-GB').strings.labels).toEqual({});
  });
});

describe('texts', () => {
  const placesOf = (text: string) =>
    [...text.matchAll(/<(\w+)\/?>|\{(\w+)\}/g)].map(([, tag, value]) => tag ?? value).toSorted();

  test.each(OTHER_CODES)('in %s have the places of the English ones, and other words', (code) => {
    const english = textsOf(languageOf('en').strings);
    for (const [name, text] of textsOf(languageOf(code).strings)) {
      if (name.startsWith('.labels')) continue;
      expect([name, placesOf(text)]).toEqual([name, placesOf(english.get(name) ?? '')]);
      expect([name, text.includes('undefined') || text.includes('NaN')]).toEqual([name, false]);
      // One word may be the same, a sentence is not.
      if (/\p{L} \p{L}/u.test(text)) expect([name, text]).not.toEqual([name, english.get(name)]);
    }
  });
});

/** A language whose every text and format is between ⟦ and ⟧. */
function pseudo(): Language {
  const mark = (text: string) => (text === '' ? text : `⟦${text}⟧`);
  class MarkedFormat extends Format {
    override date(date: string): string {
      return mark(super.date(date));
    }
    override fullDate(date: string): string {
      return mark(super.fullDate(date));
    }
    override language(code: string): string {
      return mark(super.language(code));
    }
    override month(month: string): string {
      return mark(super.month(month));
    }
    override shortMonth(index: number): string {
      return mark(super.shortMonth(index));
    }
    override weekday(index: number): string {
      return mark(super.weekday(index));
    }
    override list(items: readonly string[]): string {
      return mark(super.list(items));
    }
  }
  const format = new MarkedFormat('de-DE');
  const language = languageOf('de');
  return { ...language, format, strings: mapStrings(language.strings, mark) };
}

/** Elements whose words are data: of reviewers, of the business, or of another language. */
const DATA =
  'script, style, .avatar, code, bdi, q, blockquote, .words, [lang=en], .brand, .contact dd, .lead, select[name^=mentions] option + option';

/** Letters that are shown or spoken and are not between ⟦ and ⟧. */
function unmarked(html: string): string[] {
  const document = createDocument(html);
  const { description } = BUSINESS;
  for (const element of Array.from(document.querySelectorAll(DATA))) element.remove();
  for (const attribute of ['aria-label', 'title', 'alt', 'placeholder', 'data-copied', 'content']) {
    for (const element of Array.from(document.querySelectorAll(`[${attribute}]`))) {
      if (attribute === 'content' && !/description|og:(?:title|image:alt)/.test(element.outerHTML))
        continue;
      const text = document.createTextNode(` ${element.getAttribute(attribute)} `);
      element.parentNode?.insertBefore(text, element);
    }
  }
  let depth = 0;
  let outside = '';
  for (const letter of document.documentElement.textContent ?? '') {
    if (letter === '⟧') depth -= 1;
    if (depth === 0) outside += letter;
    if (letter === '⟦') depth += 1;
  }
  return outside
    .replaceAll(BUSINESS.name, ' ')
    .replaceAll(description ?? ' ', ' ')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !KNOWN.has(word));
}

/** Words of the data in titles and descriptions, and of half-years, which are formats of dates. */
const KNOWN = new Set(
  `Jan Juni Juli Dez Google Karen W Mike Alvarez Zoë Lefèvre Bath Boiler repair Drain cleaning ${TEXTS.join(' ')}`.split(
    /[^\p{L}]+/u,
  ),
);

/** The names of the members of a tree, at all depths. */
function namesOf(tree: object): string[] {
  return Object.entries(tree).flatMap(([name, member]) =>
    typeof member === 'object' ? [name, ...namesOf(member as object)] : [name],
  );
}

test('every text is used', () => {
  const source = new URL('../../src/', import.meta.url);
  const users = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|js)$/.test(path) && !/^strings\/[a-z]{2}\.ts$/.test(path))
    .map((path) => readFileSync(new URL(path, source), 'utf8'))
    .join('\n');
  const isUsed = (name: string) =>
    new RegExp(`\\.${name}\\b|['"]${name}['"]|[{,]\\s*${name}\\s*[,:}]`).test(users);
  expect(namesOf(en(new Format('en-US'))).filter((name) => !isUsed(name))).toEqual([]);
});

describe('pages', () => {
  let site: Site;

  beforeAll(async () => {
    const language = pseudo();
    const reviews = Array.from({ length: 60 }, (_, index) =>
      review({
        id: ulidOf(index + 1),
        date: `202${index % 5}-0${1 + (index % 9)}-15`,
        rating: 1 + (index % 5),
        text: TEXTS[index % TEXTS.length] ?? null,
        ownerReply: index % 3 === 0 ? { text: 'Thanks.', date: '2025-01-01' } : null,
        location: index % 2 === 0 ? 'bath' : null,
        attributes: { boiler: 'Boiler' },
        ratings: { drain: 3.5 },
      }),
    );
    const business = {
      ...BUSINESS,
      locations: [{ ...BRANCHED.locations![0]!, name: 'Bath' }],
      attributes: { boiler: 'Boiler' },
      ratings: { drain: 'Drain' },
      telephone: '+1 207 555 0142',
      url: 'https://harbor.example/',
      hours: [{ days: ['Monday', 'Tuesday', 'Wednesday'], opens: '08:00', closes: '17:00' }],
    };
    const insights = deriveInsights(reviews, business);
    const pictures = drawPictures(insights, () => undefined, language);
    const snapshot = await snapshotOf(reviews, { business, insights, pictures });
    site = new Site(snapshot, urls, { language });
  });

  test.each([
    ...Object.keys(PAGES).map((route): [string, Record<string, string>] => [route, {}]),
    ['/reviews', { words: 'boiler', rating: '5', min_rating: '2', since: '2020-01-01' }],
    ['/reviews', { aspect: 'pricing', has_reply: 'true', sort: 'oldest' }],
    ['/reviews', { words: 'boilr' }],
    ['/reviews', { rating: '9' }],
    ['/aspects/:id', { sentiment: 'negative' }],
    [MISSING, {}],
  ] as [string, Record<string, string>][])(
    'at %s with %j have no words but those of the language',
    (route, parameters) => {
      const paths = route === MISSING ? ['/x'] : [...site.pathsOf(route)].slice(0, 6);
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) {
        const id = decodeURIComponent(path.split('/')[2] ?? '');
        const { content: html } = site.render(route, { id, parameters });
        expect([path, unmarked(html)]).toEqual([path, []]);
      }
    },
  );
});
