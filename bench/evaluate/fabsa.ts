// Evaluates on FABSA's CSV of service reviews: which aspects are found, and the sentiment of a given category,
// positive or negative, without neutral labels.

import { parse } from 'csv-parse/sync';
import { questionsOf } from '../../src/insights/claims/classes.ts';
import { candidatesOf } from '../../src/insights/claims/claims.ts';
import { PUBLISHED_FROM } from '../../src/insights/claims/gate.ts';
import { MODEL, MODEL_FILE } from '../../src/insights/claims/model.ts';
import { scoreOfText } from '../../src/insights/sentiment/review-sentiment.ts';
import { annotateText } from '../../test/support/annotate-text.ts';
import { type Vertical, verticalOf } from '../../src/insights/verticals/verticals.ts';
import { type Row, Share } from './tally.ts';
import { featuresOfText } from './training/examples.ts';

/** The aspect of our vertical for each category of FABSA. */
const ASPECTS_OF_FABSA: Readonly<Record<string, string | null>> = {
  'account-management.account-access': 'account_access',
  'company-brand.competitor': 'competition',
  'company-brand.general-satisfaction': null,
  'company-brand.reviews': 'reputation',
  'logistics-rides.speed': 'speed',
  'online-experience.app-website': 'app_and_website',
  'purchase-booking-experience.ease-of-use': 'ease_of_use',
  'staff-support.attitude-of-staff': 'staff',
  'staff-support.email': 'email_support',
  'staff-support.phone': 'phone_support',
  'value.discounts-promotions': 'discounts',
  'value.price-value-for-money': 'pricing',
};

/** The rating of a review that supports nothing. */
const NO_STARS = 3;

interface Label {
  readonly category: string;
  readonly polarity: number;
}

interface Item {
  readonly text: string;
  readonly labels: readonly Label[];
}

export function parseFabsa(csv: string): Item[] {
  const rows = parse(csv, { columns: true, bom: true, relax_quotes: true }) as Record<
    string,
    string
  >[];
  return rows.map((row) => ({
    text: row['text'] ?? '',
    labels: [...(row['labels'] ?? '').matchAll(/'([^']+)\.(-?\d)'/g)].map(
      ([, category, polarity]) => ({
        category: category ?? '',
        polarity: Number(polarity),
      }),
    ),
  }));
}

/** By aspect of FABSA how probable praise and complaint are, without stars. */
function oddsOf(text: string, vertical: Vertical) {
  const sentences = featuresOfText(text, vertical);
  const review = {
    logits: sentences.map((features) => MODEL().logitsOfFeatures(features, vertical.id)),
    found: sentences.map((features) => new Set(features)),
    rating: NO_STARS,
  };
  const known = new Set(Object.values(ASPECTS_OF_FABSA));
  return new Map(
    questionsOf(vertical, MODEL().classes)
      .aspects.filter(({ aspect }) => known.has(aspect))
      .map((classes) => {
        const [praise, complaint] = candidatesOf(classes, review, MODEL_FILE().gate);
        return [classes.aspect, { praise: praise.confidence, complaint: complaint.confidence }];
      }),
  );
}

export function evaluateFabsa(
  data: string,
  csv: string,
  show: ((line: string) => void) | null,
): Row[] {
  const vertical = verticalOf('retail_and_apps');
  const all = new Share();
  const disagreeing = new Share();
  const [precision, recall] = [new Share(), new Share()];
  for (const { text, labels } of parseFabsa(csv)) {
    const odds = oddsOf(text, vertical);
    const found = new Set(
      [...odds]
        .filter(([, { praise, complaint }]) => Math.max(praise, complaint) >= PUBLISHED_FROM)
        .map(([aspect]) => aspect),
    );
    const expected = new Set(labels.flatMap(({ category }) => ASPECTS_OF_FABSA[category] ?? []));
    for (const aspect of found) {
      precision.add(expected.has(aspect));
      if (!expected.has(aspect)) show?.(`EXTRA ${aspect} :: ${text}`);
    }
    for (const aspect of expected) recall.add(found.has(aspect));
    const opinionated = labels.filter(({ polarity }) => polarity !== 0);
    const disagrees = new Set(opinionated.map(({ polarity }) => polarity)).size > 1;
    for (const { category, polarity } of opinionated) {
      const asked = odds.get(ASPECTS_OF_FABSA[category] ?? '');
      // General satisfaction is no aspect: the opinions of the whole text tell it.
      const score = asked ? asked.praise - asked.complaint : scoreOfText(annotateText(text));
      const isRight = score > 0 === polarity > 0;
      all.add(isRight);
      if (disagrees) disagreeing.add(isRight);
      if (!isRight)
        show?.(
          `${disagrees ? 'DIS ' : ''}${category} ${polarity} got ${score.toFixed(2)} :: ${text}`,
        );
    }
  }
  return [
    precision.row(data, 'aspects: precision', 0.8),
    recall.row(data, 'aspects: recall', 0.75),
    all.row(data, 'sentiment of a given category', 0.89),
    disagreeing.row(data, 'the same where aspects disagree', 0.78),
  ];
}
