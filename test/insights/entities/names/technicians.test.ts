import { describe, expect, test } from 'vitest';
import { buildClaimFinder } from '../../../../src/insights/claims/claims.ts';
import { verticalOf } from '../../../../src/insights/verticals/verticals.ts';
import { buildRoster } from '../../../../src/insights/entities/names/roster.ts';
import { confirmNames } from '../../../../src/insights/entities/names/confirm.ts';
import { findTechnicians } from '../../../../src/insights/entities/names/technicians.ts';
import { annotateText } from '../../../support/annotate-text.ts';

const NOBODY = buildRoster([]);
const findClaims = buildClaimFinder(verticalOf('home_services'));
const ROSTER = buildRoster([
  { id: 'michael-stone', name: 'Michael Stone', aliases: [] },
  { id: 'dan-ferry', name: 'Dan Ferry', aliases: ['Danny'] },
  { id: 'dan-kowalski', name: 'Dan Kowalski', aliases: ['Big Dan'] },
  { id: 'will-hart', name: 'Will Hart', aliases: ['Will'] },
  { id: 'priya-nair', name: 'Priya Nair', aliases: [] },
  { id: 'pat-obrien', name: "Pat O'Brien", aliases: ["O'Brien"] },
  { id: 'beth-anne', name: 'Beth-Anne Sawyer', aliases: ['Beth-Anne', 'Beth Anne'] },
  { id: 'kim', name: '김철수', aliases: [] },
  { id: 'imani-whitlow', name: 'Prof. Dr. Imani Whitlow DMD (owner)', aliases: [] },
]);

function read(text: string, roster = NOBODY, values: { author?: string; rating?: number } = {}) {
  const annotated = annotateText(text);
  const { author = 'Gladys Q.', rating = 5 } = values;
  const context = {
    author,
    rating,
    vertical: 'home_services',
    ownWords: new Set<string>(),
    isTaken: () => false,
  };
  return findTechnicians(annotated, roster, context, findClaims(annotated, rating).moodOf);
}

/** Names that one review confirms on its own. */
function discovered(text: string, author?: string): string[] {
  const found = read(text, NOBODY, author === undefined ? {} : { author });
  return confirmNames([found], new Set())
    .technicians.map(({ name }) => name)
    .toSorted();
}

const known = (text: string) => read(text, ROSTER).technicians.map(({ id }) => id);

test.each([
  [
    'is told after a role and a relative',
    'Rosa was our plumber, and my husband is Marcus.',
    ['Rosa'],
  ],
  ['has a firm of that name', "I used Joe's Plumbing before.", []],
])('nobody is discovered who %s', (_, text, names) => {
  expect(discovered(text)).toEqual(names);
});

test('a trade with a capital is nobody', () => {
  expect(discovered('Sparky rewired the whole house.')).toEqual([]);
});

test('a name after an article alone is nobody', () => {
  expect(discovered('We bought a Hector for the garden.')).toEqual([]);
});

describe('a person who is not in the catalogue is discovered', () => {
  test.each([
    ['thanked', 'Many thanks to Rosa for the quick visit.', ['Rosa']],
    ['asked for', 'Next time I will ask for Desmond.', ['Desmond']],
    ['with a role before', 'Our electrician, Anneke, rewired the den.', ['Anneke']],
    ['with a role behind', 'Olivier, the foreman, kept the street clear.', ['Olivier']],
    ['as a man named so', 'A young man named Zbyszko carried it all upstairs.', ['Zbyszko']],
    ['by his name being told', 'His name was Tobias and he was patient.', ['Tobias']],
    ['by what was done', 'Hector replaced the whole valve in an hour.', ['Hector']],
    ['two at once', 'Hector and Pilar came out the same day.', ['Hector', 'Pilar']],
    ['three at once', 'Ana, Hector & Pilar packed the house.', ['Ana', 'Hector', 'Pilar']],
    ['at a desk', 'Yolanda in dispatch rang me twice.', ['Yolanda']],
    ['in full', 'Samuel Okoye fixed the leak.', ['Samuel Okoye']],
    ['behind a title', 'Mr. Okonkwo was courteous.', ['Okonkwo']],
    ['by a hyphenated name', 'Jean-Pierre explained the bill.', ['Jean-Pierre']],
    ['with a nickname for size', 'Big Hector lifted it alone.', ['Big Hector']],
    ['told after a role', 'Our plumber this time was Marcus.', ['Marcus']],
    ['as the one we used', "We've used Desmond for years.", ['Desmond']],
    ['by whom it was told', 'According to Wendy the part was there.', ['Wendy']],
    ['as movers who moved us', 'Nick, Andy and Tyler moved us.', ['Andy', 'Nick', 'Tyler']],
    ['behind an article, as somebody who', 'A Desmond who knew all rang back.', ['Desmond']],
    [
      'by a word that is a name',
      'Mark showed up early and Hope answered the phone.',
      ['Hope', 'Mark'],
    ],
    ['in capitals', 'HECTOR WAS THE BEST PLUMBER EVER', ['Hector']],
    ['in the possessive', "Hector's work is spotless.", ['Hector']],
    ['by the service', 'Great service from Hector.', ['Hector']],
    ['with where they are from', 'Rosa from Acme saved us a fortune.', ['Rosa']],
    ['spoken to', 'Rosa you are a star.', ['Rosa']],
    ['beside somebody known', 'Rosa and Quiddlo fixed the gate.', ['Quiddlo', 'Rosa']],
  ])('%s: %j', (_, text, names) => {
    expect(discovered(text)).toEqual(names);
  });
});

describe('nobody is discovered', () => {
  test.each([
    ['a husband', 'My husband Hector fixed dinner.'],
    ['a neighbour behind a comma', 'Our neighbor, Rosa, came over to watch.'],
    ['a dog', 'Our dog Hank barked at the van.'],
    ['a sister told behind the name', 'Rosa, my sister, came over.'],
    ['the author by name', 'My name is Hector and I was impressed.'],
    ['a signature', 'Great job, all of it.\n\nHector'],
    ['a signature behind a dash', 'Great job, all of it. - Rosa'],
    ['a signature that nothing sets apart', 'I would recommend them. Rosa'],
    ['two signatures', 'I would recommend them. Rosa and Hector'],
    ['a firm that acts as firms do', 'Quiddlo confirmed the order and charged us.'],
    ['a firm behind a preposition', 'The parts from Quiddlo fixed it.'],
    ['a name that is part of another', 'It was the Oscar season, with Maya palace views.'],
    ['a word of ours with a capital', 'Chimney swept. Furnace replaced. Estimate agreed.'],
    ['a contraction', "They've hung it wrong, and he knows."],
    ['signatures behind a wish', 'A fine job. All the best from Rosa'],
    ['an adverb', 'Thankfully, the lady at the desk was patient.'],
    ['a greeting at the end', 'It all works. Regards, Hector'],
    ['a month', 'We called them in April and again in June 2024.'],
    ['a modal verb', 'Will call them again. Will definitely recommend.'],
    ['a verb', 'Mark my words, they are cheap.'],
    ['a bill', 'Bill came to $400.'],
    ['a town', 'We live in Austin, near Jackson.'],
    ['a saint', 'They drove all the way to St. Paul.'],
    ['a street', 'They were parked on Henry Street.'],
    ['a firm', "We had used Bob's Plumbing before."],
    ['a brand', 'Our new Bryant runs quietly.'],
    ['a shop', 'It was cheaper at Marks and Spencer.'],
    ['a word at the beginning', 'Thankfully the technician was patient.'],
    ['an airport', 'We left MIA late.'],
    ['what one is called', 'They kept calling me Hector.'],
  ])('%s: %j', (_, text) => {
    expect(discovered(text)).toEqual([]);
  });

  test('with the name of the author', () => {
    expect(discovered('Hector here, very happy.', 'Hector M.')).toEqual([]);
  });

  test('who is a husband in another sentence of the review', () => {
    expect(discovered('My husband Hector was out. Hector was glad of it.')).toEqual([]);
  });
});

describe('a technician of the catalogue is found', () => {
  test.each([
    ['by the first name, if one has it', 'Priya was quick.', ['priya-nair']],
    ['by the full name', 'Dan Ferry came.', ['dan-ferry']],
    ['by an initial', 'Dan K. came.', ['dan-kowalski']],
    ['by an alias of two words', 'They sent Big Dan.', ['dan-kowalski']],
    ['by a short form of the name', 'Mike was great.', ['michael-stone']],
    ['by the family name behind a title', 'Mr. Stone was great.', ['michael-stone']],
    ['by the given name behind a title', 'Dr. Imani draws everything.', ['imani-whitlow']],
    ['by the name without its title', 'Imani Whitlow was great.', ['imani-whitlow']],
    ['by title and name in a short sentence', 'Implant by Dr Imani Whitlow.', ['imani-whitlow']],
    ['by title and name', 'I saw Dr. Imani Whitlow', ['imani-whitlow']],
    ['in a title of its own', 'Great Work By Doctor Imani Whitlow Today', ['imani-whitlow']],
    ['by a misspelt name', 'Pirya answered all my questions.', ['priya-nair']],
    ['by a misspelt family name', 'Dan Kowalsky came.', ['dan-kowalski']],
    ['by a name with an apostrophe', 'Ask for O’Brien!', ['pat-obrien']],
    ['by a name of two parts', 'Beth Anne fixed it and Beth-Anne swept.', ['beth-anne']],
    ['in a script without capitals', '김철수 was good', ['kim']],
    ['by a word, where it is a name', 'Will did a good job.', ['will-hart']],
    ['without capitals', 'mike fixed it', ['michael-stone']],
    ['alone', 'Priya!', ['priya-nair']],
    ['once for each review', 'Priya came. Priya left. Ask for Priya.', ['priya-nair']],
  ])('%s: %j', (_, text, ids) => {
    expect(known(text)).toEqual(ids);
  });

  test.each([
    ['by a name that two have', 'Dan was here.'],
    ['by somebody else of that name', 'Mike Jones was here.'],
    ['by a word', 'Will use them again, will call.'],
    ['by a word like a name', 'Joke was on me. Prize was nice.'],
    ['by the family name alone', 'The stone was laid well. Stone everywhere.'],
    ['by a husband', 'My husband Mike loved it.'],
    ['by a brother-in-law', 'My brother-in-law Mike sold boilers for a while.'],
    ['by whom somebody replaced', "Mike's replacement whistles."],
    ['inside a word', 'The microphone and the Mikesbury road.'],
  ])('not %s: %j', (_, text) => {
    expect(known(text)).toEqual([]);
  });

  test('and is not a candidate as well, nor is a name that two share', () => {
    expect(read('Priya fixed it. Thanks to Dan.', ROSTER).names).toEqual([]);
  });
});

describe('whoever the business has', () => {
  const staff = buildRoster(
    [
      'Henriette Vossberg',
      'Margarethe Dunn',
      'Rodney Ashdown',
      'Gwendolyn Price',
      'Kit Marlow',
    ].map((name) => ({ id: name, name, aliases: [] })),
  );
  const named = (text: string) => read(text, staff).technicians.map(({ id }) => id);

  test.each([
    ['by a short form of the catalogue of names', 'Gwen fixed the tap.', 'Gwendolyn Price'],
    ['by a spelling that sounds alike', 'Henrriette was great.', 'Henriette Vossberg'],
    ['by a slip in a long name', 'Margarenthe was a great help.', 'Margarethe Dunn'],
    ['by the family name alone', 'Vossberg fixed our boiler.', 'Henriette Vossberg'],
    [
      'by a slip in the family name',
      'Many thanks to Ashdwon for the quick visit.',
      'Rodney Ashdown',
    ],
    ['behind a title that fits', 'Mrs. Vossberg was great.', 'Henriette Vossberg'],
  ])('is found %s: %j', (_, text, id) => {
    expect(named(text)).toEqual([id]);
  });

  test.each([
    ['by a slip in three letters', 'Kat was great.'],
    ['by a family name that is a word', 'The price was fair. Price matters.'],
    ['by a family name behind another given name', 'Petra Vossberg was great.'],
    ['behind a title of the other sex', 'Mr. Vossberg was great.'],
    ['by a relative', 'My wife Gwendolyn was thrilled.'],
    ['by the pet', "Rodney's sweet old hound slept on my foot."],
    ['by the wife', "Rodney's wife was great."],
    ['by whose wife it is', 'The wife of Rodney was great.'],
  ])('is not found %s: %j', (_, text) => {
    expect(named(text)).toEqual([]);
  });

  test('is not found by a name that two may have', () => {
    const two = ['Henriette Vossberg', 'Henry Vossburg'].map((name) => ({
      id: name,
      name,
      aliases: [],
    }));
    expect(read('Vossbarg was great.', buildRoster(two)).technicians).toEqual([]);
  });

  test('counts for what they did, not for what is theirs', () => {
    const text = "Rodney was wonderful. Rodney's dog was awful.";
    expect(read(text, staff).technicians).toMatchObject([{ sentiment: 'positive' }]);
  });
});

describe('the sentiment about a person', () => {
  const regard = (text: string, rating = 5) => {
    const [mention] = read(text, ROSTER, { rating }).technicians;
    return [mention?.sentiment, text.slice(mention?.start, mention?.end)];
  };

  test.each([
    ['praise', 'Priya was wonderful. The rest was dull.', 5, 'positive', 'Priya was wonderful.'],
    ['blame', 'Priya was rude to me.', 1, 'negative', 'Priya was rude to me.'],
    ['nothing', 'Priya has the key.', 3, 'neutral', 'Priya has the key.'],
    [
      'only their side of a turn',
      'Priya was great, but the price was awful.',
      3,
      'positive',
      'Priya was great',
    ],
    [
      'that of the places where they are meant',
      'Will be using them again. Will was wonderful.',
      5,
      'positive',
      'Will was wonderful.',
    ],
    ['thanks', 'Thanks to Priya.', 4, 'positive', 'Thanks to Priya.'],
    [
      'praise of a finding',
      'Priya kindly found what was wrong.',
      5,
      'positive',
      'Priya kindly found what was wrong.',
    ],
    ['neutral for a deed', 'Priya replaced the tap.', 5, 'neutral', 'Priya replaced the tap.'],
  ] as const)('is %s: %j', (_, text, rating, sentiment, phrase) => {
    expect(regard(text, rating)).toEqual([sentiment, phrase]);
  });

  test.each([
    'The tech was great, but I don’t think his name was Priya.',
    'The tech was great, no relation to Priya.',
  ])('is none where somebody else is meant: %j', (text) => {
    expect(regard(text)[0]).toBe('neutral');
  });

  test('is not negative at five stars for words that may be about the trouble', () => {
    expect(regard('Priya found the broken pipe.', 5)[0]).not.toBe('negative');
  });
});
