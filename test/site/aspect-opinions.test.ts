// What is praised and criticised most, as the numbers beside it say.

import { expect, test } from 'vitest';
import type { Insights } from '../../src/model/insights.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import { languageOf } from '../../src/strings/language.ts';
import { INSIGHTS } from '../support/by-hand.ts';
import { review, ulidOf } from '../support/reviews.ts';
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
/** Customers praise the staff most, and complain about them most. */
const ASPECTS: Insights['aspects'] = [
  aspect('staff', 'Staff and service', 401, 363),
  aspect('punctuality', 'Punctuality', 20, 353),
  aspect('facilities', 'Facilities', 36, 2),
];

test('the most complaints and praises are the most, also where opinions differ', async () => {
  const snapshot = await snapshotOf([review({ id: ulidOf(1) })], {
    insights: { ...INSIGHTS, aspects: ASPECTS },
  });
  const home = pageOf(new Site(snapshot, buildAssets('#1f5c4d').urls), '/');
  const [praised = '', criticised = ''] = ['positive', 'negative'].map((opinion) =>
    [...home.matchAll(new RegExp(`choice-${opinion}"[^]*?</a`, 'g'))]
      .map(([chip]) =>
        chip
          .replaceAll(/<[^>]+>/g, ' ')
          .replaceAll(/^[^>]*>|\s+/g, ' ')
          .trim(),
      )
      .join(', '),
  );
  expect(praised).toMatch(/Staff and service 401.*Facilities 36.*Punctuality 20/);
  expect(criticised).toMatch(/Staff and service 363.*Punctuality 353/);
  // The prose of other languages names the same.
  const german = new Site(snapshot, buildAssets('#1f5c4d').urls, { language: languageOf('de') });
  expect(pageOf(german, '/summary').replaceAll(/\s+/g, ' ')).toMatch(
    /Am häufigsten kritisiert[^.]*Personal und Service \(363 von 764\)[^.]*Pünktlichkeit \(353 von 373\)/,
  );
});
