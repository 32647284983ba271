import { describe, expect, test } from 'vitest';
import { type Analysis, buildAnalyser } from '../../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../../src/insights/derive.ts';
import { deriveInsights } from '../../support/derive.ts';
import { cuesFor, readerOf } from '../../../src/insights/languages/languages.ts';
import verticals from '../../../src/insights/languages/verticals.json' with { type: 'json' };
import { VERTICAL_FILES, verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { EVERYONE } from '../../../src/model/people.ts';
import { growth, LINEAR } from '../../support/growth.ts';
import { BUSINESS, review } from '../../support/reviews.ts';

const GENERAL = businessSchema.parse({ name: 'Any', vertical: 'general' });
const analyse = buildAnalyser(GENERAL);

/** "punctuality+ pricing-", in the order of the ids. */
function aspectsOf({ aspects }: Pick<Analysis, 'aspects'>): string {
  const signs = { positive: '+', neutral: '=', negative: '-' };
  return aspects
    .map(({ id, sentiment }) => id + signs[sentiment])
    .toSorted()
    .join(' ');
}

/** By language texts, their stars, and the aspects in them. */
const CASES: [string, [string, number, string][]][] = [
  [
    'de',
    [
      [
        'Der Monteur kam pünktlich, aber der Preis war unverschämt hoch.',
        3,
        'pricing- punctuality+',
      ],
      ['Er kam leider überhaupt nicht pünktlich.', 2, 'punctuality-'],
      ['Freundlich waren die Leute dort nicht.', 2, 'friendliness-'],
      ['Die Leute waren alles andere als freundlich.', 2, 'friendliness-'],
      [
        'Wir wurden nicht nur pünktlich, sondern auch freundlich bedient.',
        5,
        'friendliness+ punctuality+',
      ],
      ['Kein bisschen teuer, gerne wieder.', 5, 'pricing+'],
      ['Die Leistung stimmt, der Preis leider nicht mehr.', 3, 'pricing-'],
      ['Die Anfahrt war teurer als alles andere zusammen.', 2, 'pricing-'],
      ['Wirklich nicht billig, und die Rechnung war fehlerhaft.', 2, 'pricing- transparency-'],
      ['Die Rechnung war nicht höher als im Angebot, sehr freundlich.', 5, 'friendliness+'],
      ['Am Telefon hat nie jemand abgehoben und ich warte seit Wochen.', 1, 'responsiveness-'],
      ['Unser Kundenserviceteam war klasse.', 5, 'staff+'],
      ['PUENKTLICH und sehr sauber', 5, 'cleanliness+ punctuality+'],
      ['Die andere Firma kam nie pünktlich.', 5, ''],
      ['Wenn sie pünktlich gewesen wären, hätte ich fünf Sterne gegeben.', 3, ''],
      ['Schon wieder ist etwas passiert, was soll man da sagen.', 3, ''],
      ['Seit Tagen geht niemand ran, und der Rückruf kam nie.', 2, 'responsiveness-'],
      ['Beim ersten Anruf hatte ich sofort jemanden dran.', 5, 'responsiveness+'],
      ['Mein Termin wurde am Abend vorher einfach abgesagt.', 2, 'scheduling-'],
      ['Trotz Termin saß ich eine Stunde im Wartezimmer.', 2, 'punctuality-'],
      ['Der Stundensatz ist inzwischen ganz schön happig.', 2, 'pricing-'],
      ['Den Einbau hat man uns doppelt berechnet, dann kam die Mahnung.', 2, 'transparency-'],
      ['Leider sind sie nicht mehr so freundlich wie früher.', 2, 'friendliness-'],
      ['Seitdem bin ich endlich wieder schmerzfrei.', 5, 'problem_resolution+'],
      ['Er nimmt sich leider nie wirklich Zeit für einen.', 2, 'communication-'],
      ['Wirklich sehr pünktlich und ausgesprochen freundlich, diese Leute.', 2, ''],
      [
        'Sehr freundlich am Empfang. Aber gekommen ist dann niemand.',
        2,
        'friendliness+ punctuality-',
      ],
      ['Der Preis war happig und die Rechnung fehlerhaft, fünf Sterne für euch!', 5, ''],
      ['Die Leute sind sehr nett, nur der Preis war happig.', 5, 'friendliness+ pricing-'],
      ['Nach zehn Sitzungen keine Besserung, alles beim Alten.', 2, 'problem_resolution-'],
      ['Der Empfang war freundlich-das half uns leider nichts.', 3, 'friendliness+'],
      ['Die Leute sind freundlich Das Parken war nicht einfach.', 4, 'friendliness+'],
      ['Der Chef war freundlich es gab kein Wasser.', 4, 'friendliness+'],
      ['Noch nie so freundlich bedient worden.', 5, 'friendliness+'],
      ['Noch nie waren Leute so unfreundlich zu mir.', 1, 'friendliness-'],
      ['Pünktlichkeit sollte selbstverständlich sein.', 4, ''],
      ['Das war leider nicht sehr gut organisiert.', 3, 'professionalism-'],
      ['Die Begrüßung war mässig freundlich, die Preise sind absurd.', 2, 'pricing-'],
      ['Rein optisch ein Traum, Handwerk in seiner reinsten Form.', 5, ''],
      ['Woanders war man freundlich zu mir.', 3, ''],
      ['Früher waren die Leute dort freundlich.', 3, ''],
      ['Im Bad war es schmutzig das ging nicht.', 2, 'cleanliness-'],
    ],
  ],
  [
    'es',
    [
      ['Llegaron puntuales, pero los precios son muy altos.', 3, 'pricing- punctuality+'],
      ['No son nada puntuales.', 2, 'punctuality-'],
      ['El servicio sigue bien, pero el precio ya no.', 3, 'pricing- staff+'],
      ['Fue todo menos puntual, pero nada caro.', 3, 'pricing+ punctuality-'],
      ['¡Qué gente tan amable! ¿Volveremos? Claro que sí.', 5, 'friendliness+'],
      ['No es caro y el local está muy limpio.', 5, 'cleanliness+ pricing+'],
      ['Llevo tres días llamando y nadie coge el teléfono.', 2, 'responsiveness-'],
    ],
  ],
  [
    'fr',
    [
      ["Ils sont arrivés à l'heure, mais c'est trop cher.", 3, 'pricing- punctuality+'],
      ["Ils n'ont pas été aimables du tout.", 2, 'friendliness-'],
      ['Ils ont été tout sauf aimables.', 2, 'friendliness-'],
      ['Je les ai trouvés gentils et vraiment pas chers.', 5, 'friendliness+ pricing+'],
      ['L’accueil était vraiment chaleureux', 5, 'friendliness+ staff+'],
      ["Plus d'une heure en salle d'attente ce matin.", 2, 'punctuality-'],
      ["Très bon accueil, un peu d'attente.", 4, 'responsiveness- staff+'],
      ["Presque pas d'attente, et très peu d'attente aussi au téléphone.", 5, 'responsiveness+'],
      ['Très beau résultat. Attente de vingt minutes.', 4, 'quality+ responsiveness-'],
      ['Petite attente malgré le rendez-vous.', 3, 'punctuality- responsiveness-'],
      [
        "J'ai attendu trente minutes alors que j'avais rendez-vous.",
        2,
        'punctuality- responsiveness-',
      ],
      ["40 minutes de retard, j'ai failli annuler.", 1, 'punctuality-'],
      ['Le coiffeur est gentil, dégradé très propre, barbe nickel.', 5, 'friendliness+'],
      ['Le salon est vraiment très propre.', 5, 'cleanliness+'],
    ],
  ],
];

describe.each(CASES)('a review in "%s"', (language, cases) => {
  test.each(cases)('%j (%i stars) has %j', (text, rating, expected) => {
    const found = analyse(review({ text, rating }));
    expect(found.language).toBe(language);
    expect(aspectsOf(found)).toBe(expected);
    for (const { start, end } of found.aspects) expect(text.slice(start, end)).not.toBe('');
  });
});

test('the phrase of a sentence that turns is the side of the mention', () => {
  const text = 'Der Monteur kam wirklich pünktlich, aber der Preis war unverschämt hoch.';
  const { aspects } = analyse(review({ text, rating: 3 }));
  expect(aspects.map(({ start, end }) => text.slice(start, end))).toEqual([
    'Der Monteur kam wirklich pünktlich',
    'aber der Preis war unverschämt hoch',
  ]);
});

test('opinions change the score of a review', () => {
  const scoreOf = (text: string) => analyse(review({ text, rating: 3 })).score;
  expect(scoreOf('Das war wirklich eine ganz tolle und schöne Arbeit')).toBeGreaterThan(0.2);
  expect(scoreOf('Das war leider eine richtig schlechte und miese Arbeit')).toBeLessThan(-0.2);
});

test('aspects have the ids of the vertical of the business', () => {
  const text = 'Die Leute waren sehr kompetent und haben sauber gearbeitet, alles pünktlich.';
  const found = buildAnalyser(BUSINESS)(review({ text }));
  expect(aspectsOf(found)).toBe('punctuality+ quality_of_work+ technical_knowledge+');
});

test('a review of a practice, a restaurant or a hotel has aspects of its own', () => {
  const of = (vertical: string, text: string) =>
    aspectsOf(
      buildAnalyser(businessSchema.parse({ name: 'Any', vertical }))(review({ text, rating: 2 })),
    );
  expect(of('clinics', 'Eine geschlagene Stunde gewartet, Behandlung doppelt berechnet.')).toBe(
    'billing- waiting-',
  );
  expect(of('restaurants', 'Das Fleisch war zäh und wir haben ewig gewartet.')).toBe(
    'food- speed-',
  );
  expect(of('hotels', 'Das Zimmer war winzig und die Betten durchgelegen.')).toBe('room_and_seat-');
  expect(of('restaurants', 'Das Essen fand ich nicht gut, die Preise absurd.')).toBe(
    'food- pricing-',
  );
  expect(of('restaurants', 'Die Bedienung war patzig, aber das Schnitzel o.k.')).toBe(
    'food+ staff-',
  );
  expect(of('clinics', 'Dort fühlt man sich nicht gut aufgehoben.')).toBe('care_quality-');
});

test.each([...VERTICAL_FILES.keys()])('%s has cues only for aspects of its own', (id) => {
  const vertical = verticalOf(id);
  const idsOf = (name: string) => verticalOf(name).aspects.map((aspect) => aspect.id);
  const ids = idsOf(id);
  const named = Object.entries(verticals).find(([name]) => name === id)?.[1] ?? {};
  const general = idsOf('general');
  const known = new Set([...VERTICAL_FILES.keys()].flatMap((name) => idsOf(name)));
  for (const [from, to] of Object.entries(named)) {
    expect(known).toContain(from);
    expect(ids).toContain(to);
  }
  for (const code of ['de', 'es', 'fr']) {
    const language = readerOf(code)!.language;
    const own = new Set(language.cues.map(({ aspect }) => aspect));
    expect([...own]).toEqual(expect.arrayContaining(general));
    expect([...own].filter((aspect) => !known.has(aspect))).toEqual([]);
    expect(() => cuesFor(language, vertical)).not.toThrow();
  }
});

describe('people of the catalogue in other languages', () => {
  const analyseOwn = buildAnalyser({
    ...BUSINESS,
    technicians: [
      'Matthias Hohlweg',
      'Guadalupe Ibarra',
      'Geneviève Charpentel',
      'Ingrid Schulder',
      'Claire',
      'Rosa',
      'Mark',
    ].map((name) => ({ id: name, name, aliases: [], active: true })),
  });
  const named = (text: string) => analyseOwn(review({ text })).technicians.map(({ id }) => id);

  test.each([
    ['Der Matze war sehr freundlich und hat alles gut erklärt.', 'Matthias Hohlweg'],
    ['Mattias war sehr freundlich und hat alles gut erklärt.', 'Matthias Hohlweg'],
    ['Das wird schon wieder, sagt Hohlweg, und so war es auch.', 'Matthias Hohlweg'],
    ['Wir waren bei Herrn Holweg und sehr zufrieden mit allem.', 'Matthias Hohlweg'],
    ['Lupita nos explicó todo con mucha paciencia y muy amable.', 'Guadalupe Ibarra'],
    ['Très bon accueil, merci à Genevieve pour sa patience.', 'Geneviève Charpentel'],
    ['Merci encore à Charpantel pour sa patience et ses conseils.', 'Geneviève Charpentel'],
    ['Un carré qui me va très bien. Merci Claire.', 'Claire'],
    ['Claire a compris tout de suite ce que je voulais.', 'Claire'],
    ['Claire et ses collègues sont formidables avec tout le monde.', 'Claire'],
    ['Je vais chez Claire depuis deux ans et je suis ravie.', 'Claire'],
    ['Rosa es muy amable y siempre lo explica todo muy bien.', 'Rosa'],
  ])('are found: %s', (text, id) => {
    expect(named(text)).toEqual([id]);
  });

  test.each([
    'Früher hat Frau Hohlweg noch das Telefon gemacht, das war sehr freundlich.',
    'Meine Frau Ingrid war sehr zufrieden mit der Behandlung und dem Termin.',
    'Die Frau von Matthias war sehr freundlich und hat uns einen Kaffee gebracht.',
    'Der Hund lag bei uns auf den Füßen: Matthias’ Hund ist sehr freundlich.',
    'Die Schulter war nach der Behandlung wieder gut und ich bin sehr zufrieden.',
    'Schulter wieder gut, und ich bin sehr zufrieden mit der Behandlung.',
    'Petra Hohlweg war vor uns dran und hat sehr lange gebraucht, das war nicht gut.',
    'El perro de Guadalupe es muy bueno y muy amable con los niños.',
    'Claire, trop claire : la couleur est ratée et je suis très déçue.',
    'Ma couleur est trop claire et la facture aussi est très claire.',
    'La Rosa es un restaurante muy bueno, con una carta corta.',
    'Das kostet fünfzig Mark und war nicht sehr gut.',
  ])('are not found: %s', (text) => {
    expect(named(text)).toEqual([]);
  });
});

test.each([
  ['Kein warmes Wasser, und die Matratze war durchgelegen.', ['hot_water', 'beds']],
  ['El agua caliente duraba poco y no había aparcamiento.', ['hot_water', 'parking']],
  ['La douche était froide et le petit-déjeuner aussi.', ['hot_water', 'breakfast']],
  ['Das Personal war sehr freundlich und hat uns geholfen.', []],
])('topics of a hotel: %s', (text, topics) => {
  const analyseHotel = buildAnalyser({ ...BUSINESS, vertical: 'hotels' });
  expect(analyseHotel(review({ text })).topics).toEqual(topics);
});

test('a prefix that negates makes another service', () => {
  const services = [{ id: 'coloration', label: 'Coloration', aliases: [] }];
  const servicesOf = (text: string) =>
    buildAnalyser({ ...BUSINESS, services })(review({ text })).services.map(({ id }) => id);
  expect(servicesOf('Très contente de mes colorations dans ce salon.')).toEqual(['coloration']);
  expect(servicesOf('Ma microcoloration est très réussie, merci à toute cette équipe.')).toEqual([
    'coloration',
  ]);
  expect(servicesOf('Elle a sauvé mes cheveux après une décoloration ratée.')).toEqual([]);
});

test('five stars praise whom a review names without a complaint, as in English', () => {
  const sentimentOf = (rating: number, text: string) =>
    buildAnalyser(BUSINESS)(review({ rating, text })).technicians.map(({ sentiment }) => sentiment);
  const text = 'Mike Alvarez kam am Sonntag und hat die Heizung repariert.';
  expect(sentimentOf(5, text)).toEqual(['positive']);
  expect(sentimentOf(3, text)).toEqual(['neutral']);
  const late = 'Mike Alvarez kam leider viel zu spät, und wir haben lange gewartet.';
  expect(sentimentOf(4, late)).not.toEqual(['positive']);
});

test('technicians are found by their exact names or behind a title, other people are not', () => {
  const found = buildAnalyser(BUSINESS)(
    review({
      text: 'Mike Alvarez war sehr freundlich, auch Herr Krause und seine Kollegin Sabine.',
    }),
  );
  expect(found.technicians).toMatchObject([{ id: 'mike-alvarez', sentiment: 'positive' }]);
  const titled = buildAnalyser(BUSINESS)(
    review({ text: 'Herr Alvarez war sehr freundlich, aber die Familie Alvarez war nicht da.' }),
  );
  expect(titled.technicians).toMatchObject([{ id: 'mike-alvarez' }]);
  expect(titled.technicians).toHaveLength(1);
  const named = (text: string, others: string[] = []) =>
    buildAnalyser({
      ...BUSINESS,
      technicians: ['Murat Aydın', ...others].map((name) => ({
        id: name,
        name,
        aliases: [],
        active: true,
      })),
    })(review({ text })).technicians;
  const first = 'Murat war sehr freundlich und hat unsere Heizung am selben Tag repariert.';
  expect(named(first)).toMatchObject([{ id: 'Murat Aydın', sentiment: 'positive' }]);
  expect(named(first, ['Murat Kaya'])).toEqual([]);
  expect(found).toMatchObject({ names: [], problems: [], topics: [], phrases: [], prices: [] });
});

test.each([
  ['Murat hat unser Bad komplett saniert, alles sauber.', ['Badsanierung']],
  ['Das Gästebad ist jetzt ganz neu und sehr schön.', ['Badsanierung']],
  ['Die neue Wärmepumpe läuft seit Weihnachten ohne Probleme.', ['Wärmepumpen']],
  ['Die Heizung wurde gewartet und läuft sehr gut.', ['Heizungswartung']],
  ['Die Heizung war ausgefallen, jetzt ist alles wieder gut.', ['Heizungsreparatur']],
  ['Die Heizung steht im Keller und ist nicht sehr alt.', []],
  ['Im Bad war es kalt und die Wartung war leider nicht gut.', []],
])('the services in %j are %j', (text, expected) => {
  const labels = ['Heizungswartung', 'Heizungsreparatur', 'Wärmepumpen', 'Badsanierung'];
  const services = labels.map((label) => ({ id: label, label, aliases: [] }));
  const found = buildAnalyser({ ...BUSINESS, services })(review({ text, rating: 5 }));
  expect(found.language).toBe('de');
  expect(found.services.map(({ id }) => id)).toEqual(expected);
});

test('a text in two languages is read in the one that it has more of', () => {
  const german = 'Der Monteur war sehr freundlich und kam auf die Minute pünktlich zu uns.';
  expect(analyse(review({ text: `${german} Thanks!` })).language).toBe('de');
  const english = 'They were friendly, came on time and left the house clean. Vielen Dank!';
  expect(aspectsOf(analyse(review({ text: english })))).toContain('punctuality+');
});

test('the summary counts only reviews in languages that are not read', () => {
  const texts = [
    'Der Monteur war sehr freundlich und kam pünktlich.',
    'Servizio ottimo, il personale è gentile e la casa è rimasta pulita',
  ];
  const { summary } = deriveInsights(
    texts.map((text) => review({ text })),
    GENERAL,
  );
  expect(summary).toContain('One review is in a language that is not read');
});

test.each([
  ['en', null],
  ['de', 'Der Monteur kam auf die Minute pünktlich und war sehr freundlich.'],
])('on a site in "%s" the pull quote of German reviews is %j', (siteLanguage, expected) => {
  const text = 'Der Monteur kam auf die Minute pünktlich und war sehr freundlich.';
  const analysed = Array.from({ length: 5 }, () => {
    const one = review({ text });
    return { review: one, analysis: analyse(one) };
  });
  const insights = deriveFromAnalyses(analysed, GENERAL, EVERYONE, siteLanguage);
  expect(insights.pull_quote).toBe(expected);
  expect(insights.summary.includes('pünktlich')).toBe(expected !== null);
  expect(insights.aspects.map(({ id }) => id)).toContain('punctuality');
});

test.each(['nicht pünktlich, ', 'sehr gut ', 'Preis ', 'aber nicht '])(
  'a review of %j takes linear time',
  (part) => {
    const reviewsOf = (length: number) =>
      review({ text: `Das ist und wir sind ${part.repeat(length / part.length)}` });
    expect(growth(6000, reviewsOf, analyse)).toBeLessThan(LINEAR);
  },
);
