import { expect, test } from 'vitest';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import { languageOf } from '../../../src/insights/text/language.ts';
import { segmentText } from '../../../src/insights/text/annotate.ts';
import { BUSINESS, review } from '../../support/reviews.ts';

test.each([
  ['They came on time and fixed the boiler.', 'en'],
  ['swept up, wiped down, took the old one away', 'en'],
  ['Mi mamá loves Graciela, she leaves the bathroom shining.', 'en'],
  ['Muy buen servicio, llegaron a tiempo y limpiaron todo', 'es'],
  ['Sehr guter Service, pünktlich und sauber gearbeitet', 'de'],
  ['Service impeccable, le technicien était très poli et ponctuel', 'fr'],
  ['服务很好，准时到达', 'zh'],
  ['とても丁寧な対応でした', 'ja'],
  ['שירות מצוין והטכנאי הגיע בדיוק בזמן', 'he'],
  ['Great!', 'en'],
  ['Merci beaucoup', null],
  ['👍', null],
  ['', null],
])('%j is in %j', (text, language) => {
  expect(languageOf(text, segmentText(text).tokens)).toBe(language);
});

test('only the stars count if the text is not English', () => {
  const analyse = buildAnalyser(BUSINESS);
  const text = 'Pas de fuite, service terrible, Mike est arrivé tard et la boiler est froide';
  expect(analyse(review({ text, rating: 4 }))).toMatchObject({
    language: 'fr',
    score: 0.5,
    sentiment: 'positive',
    aspects: [],
    technicians: [],
    services: [],
    names: [],
  });
});
