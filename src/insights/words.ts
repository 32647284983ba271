// The opinion words of the first analyser: English, folded, with a weight from -1 to 1.

const GROUPS: readonly (readonly [number, string])[] = [
  [
    1,
    `amazing awesome best excellent exceptional fabulous fantastic flawless impeccable incredible
     outstanding perfect phenomenal superb superior terrific wonderful love loved`,
  ],
  [
    0.7,
    `appreciate appreciated beautiful clean courteous delighted efficient enjoyed fair friendly glad
     good grateful great happy helpful honest impressed kind knowledgeable neat nice pleasant pleased
     polite professional prompt punctual quick recommend recommended reliable respectful satisfied
     smooth thank thanks thorough tidy trustworthy welcoming comfortable delicious`,
  ],
  [0.4, `affordable careful easy fast fine fixed patient reasonable solved timely works worth`],
  [
    -0.4,
    `cold delay delayed delays dirty expensive late messy noisy overpriced pricey slow waited wait
     cramped tired confusing`,
  ],
  [
    -0.7,
    `annoyed annoying bad broke broken careless complaint disappointed disappointing disappointment
     dishonest frustrated frustrating ignored lost mess poor problem problems rude sloppy unhappy
     unhelpful uncomfortable unprofessional unreliable upset wrong cancelled canceled failed fails
     avoid refused`,
  ],
  [
    -1,
    `appalling atrocious awful disaster disgraceful disgusting dreadful horrible horrendous
     incompetent nightmare pathetic ripoff scam shocking terrible useless worst hate hated`,
  ],
];

/** Weight of each opinion word. */
export const OPINION_WORDS: ReadonlyMap<string, number> = new Map(
  GROUPS.flatMap(([weight, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word): [string, number] => [word, weight]),
  ),
);

/** Words that turn the opinion word within the next three. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  `not no never none nothing nobody without hardly barely cannot can't cant don't dont doesn't doesnt
   didn't didnt isn't isnt wasn't wasnt weren't werent won't wont wouldn't wouldnt couldn't couldnt
   shouldn't shouldnt aren't arent haven't hasn't hadn't`.split(/\s+/),
);
