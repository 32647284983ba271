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
  ['Merci beaucoup', 'fr'],
  ['Bedienung gut, Preise gesalzen', 'de'],
  ['Garden raked, path swept, bags gone.', 'en'],
  ['solid!', null],
  ['The Kindergarten crew was on time, no Schadenfreude, danke Herr Schmidt', 'en'],
  ['De monteur was zeer vriendelijk en kwam netjes op tijd, alles is weer schoon', 'nl'],
  ['Servizio ottimo, il personale è gentile e la pizza con una vista sul mare', 'it'],
  ['Excelente atendimento, foi muito simpático com a minha avó. Recomendo!', 'pt'],
  ['Nunca mais volto, uma vergonha o que nos cobraram por uma sopa', 'pt'],
  ["J'ai adoré ce moment, déco cosy et coiffeuse adorable.", 'fr'],
  ["30 minutes de retard, j'ai failli annuler.", 'fr'],
  ['Une vraie pro cette Anne. Coupe nickel.', 'fr'],
  ['Toujours bien servi, Karim connaît son affaire.', 'fr'],
  ["Coupe naturelle, exactement la photo que j'avais apportée. 90 euros mais ça les vaut.", 'fr'],
  ['Service déplorable.', 'fr'],
  ['À éviter', 'fr'],
  ['Stood at bar 11 minutes.', 'en'],
  ['Job was right', 'en'],
  ['No visit no charge.', 'en'],
  ['Best croissants ever, and our très kind host was there.', 'en'],
  ['Bien, son muy amables y la comida rica.', 'es'],
  ['Saftiges Steak, faire Preise, aufmerksame Leute.', 'de'],
  ['Un pasto delizioso con un vino buono', 'it'],
  ['👍', null],
  ['', null],
])('%j is in %j', (text, language) => {
  expect(languageOf(text, segmentText(text).tokens)).toBe(language);
});

test('only the stars count in a language that is not read', () => {
  const analyse = buildAnalyser(BUSINESS);
  const text =
    'Servizio terribile, Mike è arrivato tardi e la caldaia è ancora fredda dopo due giorni';
  expect(analyse(review({ text, rating: 4 }))).toMatchObject({
    language: 'it',
    score: 0.5,
    sentiment: 'positive',
    aspects: [],
    technicians: [],
    services: [],
    names: [],
  });
});
