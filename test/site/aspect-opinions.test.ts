// What is praised and criticised most, as the numbers beside it say.

import { expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import type { Insights } from '../../src/model/insights.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import { languageOf } from '../../src/strings/language.ts';
import { INSIGHTS } from '../support/by-hand.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { pageOf } from '../support/site.ts';
import { snapshotOf } from '../support/snapshot.ts';

const aspect = (id: string, label: string, positive: number, negative: number) => ({
  ...INSIGHTS.aspects[0]!,
  id,
  label,
  positive_count: positive,
  negative_count: negative,
  mention_count: positive + negative,
});
const ASPECTS: Insights['aspects'] = [
  aspect('staff', 'Staff and service', 401, 363),
  aspect('punctuality', 'Punctuality', 20, 353),
  aspect('facilities', 'Facilities', 36, 2),
  // Two opinions are not those of customers.
  aspect('safety', 'Safety', 2, 0),
];

const chosen = (id: string, count: number, of: number) => ({
  id,
  count,
  of,
  review_ids: [ulidOf(1)],
});
const SELECTION: Insights['selection'] = {
  praised: [chosen('staff', 401, 764), chosen('facilities', 36, 38)],
  criticized: [chosen('staff', 363, 764), chosen('punctuality', 353, 373)],
  strengths: [{ ...chosen('facilities', 36, 38), claim: 'The facilities are good' }],
  weak_spots: [{ ...chosen('punctuality', 353, 373), claim: 'Nobody has worded this' }],
  complaints: [],
  low_topics: [],
  people: [chosen('zoe-lefevre', 3, 4)],
};

test('chips and prose of all languages name what the insights chose, with its numbers', async () => {
  const snapshot = await snapshotOf(
    Array.from({ length: 10 }, (_, at) => at + 1).map((number) => review({ id: ulidOf(number) })),
    {
      insights: { ...INSIGHTS, aspects: ASPECTS, selection: SELECTION },
    },
  );
  const home = pageOf(new Site(snapshot, buildAssets('#1f5c4d').urls), '/');
  const rows = [...home.matchAll(/class="opinions">([^]*?)<\/ul>/g)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(rows).toEqual([
    'Strengths Facilities 36 of 38 positive',
    'Weak spots Punctuality 353 of 373 negative',
  ]);
  const german = new Site(snapshot, buildAssets('#1f5c4d').urls, { language: languageOf('de') });
  const textOf = (path: string) => pageOf(german, path).replaceAll(/\s+/g, ' ');
  const summary = textOf('/summary');
  expect(summary).toContain('Gelobt wird vor allem: Ausstattung (36 von 38 positiv).');
  expect(summary).toContain('Der Schwachpunkt: Pünktlichkeit (353 von 373 negativ).');
  expect(summary).toContain('Namentlich gelobt: Zoë Lefèvre.');
  const opinions = textOf('/aspects');
  expect(opinions).toContain('Pünktlichkeit');
  expect(opinions).not.toContain('Sicherheit');
  const faq = textOf('/faq');
  expect(faq).toContain('Namentlich gelobt: Zoë Lefèvre (3 von 4 positiv).');
  // What is split is asked for by itself, and never named as the answer to both questions.
  expect(faq).toMatch(
    /Sind Personal und Service gut\?<.*?Das ist unterschiedlich: 401 von 764 Kunden, die sich dazu äußern, sind zufrieden\./,
  );
  expect(faq).toContain('Meist nicht: 353 von 373 Kunden, die sich dazu äußern, beschweren sich.');
});

test('the critical review beside the newest is the newest with few stars and no code of a page', async () => {
  const complaint = (id: number, text: string, reply: string | null) =>
    review({
      id: ulidOf(id),
      rating: 1,
      date: `2024-01-0${id}`,
      text: `${text} ${'They came three hours late and did not call. '.repeat(2)}`,
      ownerReply: reply === null ? null : { text: reply, date: '2024-02-01' },
    });
  const reviews = [
    ...Array.from({ length: 10 }, (_, at) => review({ id: ulidOf(20 + at), date: '2024-03-01' })),
    complaint(3, 'Newest.', null),
    complaint(2, '<script>alert(1)</script>', 'Hostile.'),
    complaint(1, 'Answered.', 'We are sorry.'),
  ];
  const snapshot = await snapshotOf(reviews, { insights: deriveInsights(reviews, BUSINESS) });
  const home = pageOf(new Site(snapshot, buildAssets('#1f5c4d').urls), '/');
  const [, critical = ''] = home.split('A critical review: ');
  expect(critical.slice(0, critical.indexOf('</section>'))).toContain('Newest.');
  expect(home).not.toContain('Hostile.');
});
