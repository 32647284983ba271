import { describe, expect, test } from 'vitest';
import { writeFaq } from '../../../src/insights/editorial/faq.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS } from '../../support/reviews.ts';
import { findingsOf, times, type IndexedMention } from './findings.ts';

const answerTo = (question: string, indexed: readonly IndexedMention[], business = BUSINESS) =>
  writeFaq(findingsOf(indexed, business)).find((one) => one.question === question)?.answer ?? null;

const ON_TIME = 'They came when they said they would.';
const LATE = 'They came a whole day after they said.';
const onTime: IndexedMention = { mentions: [['aspects', 'communication', 'positive', ON_TIME]] };
const late: IndexedMention = {
  rating: 1,
  mentions: [['aspects', 'communication', 'negative', LATE]],
};

test('no reviews and too few reviews give no answers', () => {
  expect(writeFaq(findingsOf([]))).toEqual([]);
  expect(writeFaq(findingsOf(times(4, onTime)))).toEqual([]);
});

describe('an aspect', () => {
  test('that all praise', () => {
    expect(answerTo('Do they keep customers informed?', times(12, onTime))).toBe(
      `Yes. All 12 reviews that speak about communication are positive. “${ON_TIME}” ` +
        '(five stars, May 2024).',
    );
  });

  test('on which opinions differ', () => {
    const indexed = [...times(3, onTime), ...times(3, late)];
    expect(answerTo('Do they keep customers informed?', indexed)).toBe(
      'It varies. Of six reviews that speak about communication, three are positive and three ' +
        `negative. “${ON_TIME}” (five stars, May 2024). Another view: “${LATE}” (one star, May 2024).`,
    );
  });

  test('that most criticise is quoted with a complaint first', () => {
    expect(
      answerTo('Do they keep customers informed?', [...times(1, onTime), ...times(9, late)]),
    ).toMatch(
      /^Often not\. Of 10 reviews .*, one is positive and nine negative\. “They came a whole day/,
    );
  });

  test('with fewer than five opinions is left out, however often it is mentioned', () => {
    const neutral: IndexedMention = { mentions: [['aspects', 'communication', 'neutral']] };
    expect(
      answerTo('Do they keep customers informed?', [...times(30, neutral), ...times(4, onTime)]),
    ).toBeNull();
  });

  test('is asked about with the name of the business', () => {
    const dear: IndexedMention = { rating: 2, mentions: [['aspects', 'pricing', 'negative']] };
    expect(answerTo('Is Harbor Heating expensive?', times(20, dear))).toMatch(
      /^Yes, most customers find the prices high\. Of 20 reviews that speak about prices, none is positive and 20 negative\./,
    );
  });
});

describe('who to ask for', () => {
  const praise = (id: string): IndexedMention => ({ mentions: [['technicians', id, 'positive']] });
  const ask = (indexed: IndexedMention[], business = BUSINESS) =>
    answerTo('Who should I ask for?', indexed, business);

  test('is the person with the most praise', () => {
    const indexed = [...times(4, praise('zoe-lefevre')), ...times(6, praise('mike-alvarez'))];
    expect(ask(indexed)).toMatch(
      /^Mike Alvarez is named with praise most often: in six of six reviews that mention the name\. Also praised: Zoë Lefèvre \(4 of 4\)\. “This is the phrase/,
    );
  });

  test('is nobody with only two positive reviews, or as many negative ones', () => {
    expect(ask(times(2, praise('mike-alvarez')))).toBeNull();
    const blame: IndexedMention = {
      rating: 1,
      mentions: [['technicians', 'mike-alvarez', 'negative']],
    };
    expect(ask([...times(3, praise('mike-alvarez')), ...times(3, blame)])).toBeNull();
  });

  test('is nobody who has left', () => {
    const technicians = BUSINESS.technicians.map((one) => ({ ...one, active: false }));
    const business = businessSchema.parse({ ...BUSINESS, technicians });
    expect(ask(times(6, praise('mike-alvarez')), business)).toBeNull();
  });
});

test('complaints are named with their counts', () => {
  const indexed: IndexedMention = {
    rating: 2,
    mentions: [['problems', 'late-arrival', 'negative', LATE]],
  };
  expect(answerTo('What do customers complain about?', times(3, indexed))).toBe(
    `Of three reviews, the complaints reported most often are late arrivals (3). “${LATE}” ` +
      '(two stars, May 2024).',
  );
  expect(answerTo('What do customers complain about?', times(2, indexed))).toBeNull();
});

describe('what buyers of the vertical ask', () => {
  const said = (aspect: string, sentiment: 'positive' | 'negative', phrase: string) =>
    ({
      rating: sentiment === 'positive' ? 5 : 1,
      mentions: [['aspects', aspect, sentiment, phrase]],
    }) as IndexedMention;

  test('is answered from the phrases that are about it, with quotes from these', () => {
    const indexed = [
      ...times(4, said('pricing', 'positive', 'The price of the new kitchen tap was fair to us.')),
      ...times(
        2,
        said('pricing', 'positive', 'They came on a Sunday and it cost no more than usual.'),
      ),
      ...times(4, said('pricing', 'negative', 'The weekend fee of $190 came on top of the bill.')),
    ];
    expect(answerTo('Do they charge more after hours?', indexed)).toBe(
      'Opinions differ. Two of six reviews that speak of it are content. “They came on a Sunday and it ' +
        'cost no more than usual.” (five stars, May 2024). Another view: “The weekend fee of $190 came ' +
        'on top of the bill.” (one star, May 2024).',
    );
  });

  test('replaces the question about the aspect', () => {
    const tardy = times(
      6,
      said('punctuality', 'negative', 'He came at 5 and not at noon as we said.'),
    );
    expect(answerTo('Are they on time?', tardy)).toBeNull();
    expect(answerTo('Do they come on time?', tardy)).toMatch(
      /^Often not\. None of six reviews that speak of it is content\. “He came/,
    );
  });

  test('is left out with fewer than five opinions, and in other verticals', () => {
    const clean = said('cleanliness', 'positive', 'They swept the floor and took it all away.');
    expect(answerTo('Do they clean up?', times(4, clean))).toBeNull();
    const business = businessSchema.parse({ ...BUSINESS, vertical: 'restaurants' });
    expect(answerTo('Do they clean up?', times(9, clean), business)).toBeNull();
  });
});

test('every answer names its reviews, the quoted ones first, at most twenty', () => {
  const indexed = [...times(30, onTime), ...times(30, late)];
  const findings = findingsOf(indexed);
  for (const { answer, review_ids: ids } of writeFaq(findings)) {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(20);
    const [quote] = /“[^”]*”/.exec(answer) ?? [];
    const text = findings.reviews.find(({ id }) => id === ids[0])?.text;
    if (quote !== undefined) expect(text).toContain(quote.slice(1, -1));
  }
});

test('what people hire them for names reviews of every service in the answer', () => {
  const about = (id: string): IndexedMention => ({ mentions: [['services', id, 'positive']] });
  const indexed = [...times(30, about('boiler-repair')), ...times(5, about('drain-cleaning'))];
  const findings = findingsOf(indexed);
  const services = findings.entities.services.map(({ id }) => id);
  expect(services).toHaveLength(2);
  const answer = writeFaq(findings).find(({ question }) => /hire them for/.test(question));
  for (const service of services) {
    const naming = findings.mentions.of('services', service).map(({ review }) => review.id);
    expect(answer?.review_ids.some((id) => naming.includes(id))).toBe(true);
  }
});
