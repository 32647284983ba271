import { expect, test } from 'vitest';
import { evaluateFabsa, parseFabsa } from '../../bench/evaluate/fabsa.ts';
import { evaluateAspects } from '../../bench/evaluate/gold-aspects.ts';
import { analyseItems } from '../../bench/evaluate/gold-item.ts';
import { renderTable } from '../../bench/evaluate/tally.ts';

const CSV = `id,text,labels,org_index,industry,data_source
1,"The prices are too high, but the staff were friendly.","['value.price-value-for-money.-1', 'staff-support.attitude-of-staff.1']",1,Retail,X
2,Fine,['company-brand.general-satisfaction.0'],1,Retail,X
`;

test('a CSV of FABSA is read and measured, neutral labels left out', () => {
  expect(parseFabsa(CSV)[0]).toEqual({
    text: 'The prices are too high, but the staff were friendly.',
    labels: [
      { category: 'value.price-value-for-money', polarity: -1 },
      { category: 'staff-support.attitude-of-staff', polarity: 1 },
    ],
  });
  const rows = evaluateFabsa('fabsa-x', CSV, null);
  const measures = ['precision', 'recall', 'given category', 'where aspects disagree'];
  expect(rows.map(({ value, count }) => [value, count])).toEqual(measures.map(() => [1, 2]));
});

test('a wrong, a missing and a superfluous aspect cost what they should', () => {
  const item = (text: string, aspects: { id: string; sentiment: string }[]) => ({
    id: 'x',
    text,
    rating: 3,
    author: 'A',
    aspects,
    optional_aspects: [],
    technicians: [],
    technician_sentiment: {},
  });
  const rows = evaluateAspects(
    'x',
    analyseItems(
      [
        item('They were late.', [{ id: 'punctuality', sentiment: 'positive' }]),
        item('They were late.', []),
        item('They came.', [{ id: 'safety', sentiment: 'positive' }]),
      ],
      'home_services',
    ),
    null,
  );
  expect(rows.map(({ value }) => value)).toEqual([0.5, 0.5, 0]);
});

test('the table shows percentages, aims and counts', () => {
  expect(renderTable([{ data: 'x', measure: 'y', value: 0.5, count: 4, aim: 0.75 }])).toBe(
    'data  measure     is  aim  of\nx     y        50.0%  75%   4',
  );
});
