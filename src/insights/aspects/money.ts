// Tells complaints about prices from mere mentions of money: "the refund of my fare never came" and "I paid £150" judge no
// price, "£150 for water is a rip-off" does.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { PatternSet } from '../text/patterns.ts';
import type { AspectHit } from './cues.ts';

type Kind = 'judged' | 'elsewhere' | 'conceded';

const PRICE =
  '(price|prices|pricing|cost|costs|fare|fares|fee|fees|rate|rates|bill|charge|charges|ticket|tickets|surcharge*|amount)';
const HIGH =
  '(high|higher|highest|steep|expensive|pricey|ridiculous|outrageous|excessive|insane|crazy|absurd|inflated|extortionate|exorbitant|hefty|huge|extreme|silly|stupid|obscene|ludicrous|unfair|unreasonable|unjustified|astronomical|premium|disgraceful|shocking|disgusting|criminal|unacceptable|appalling|terrible)';

const PATTERNS: readonly (readonly [Kind, string])[] = [
  [
    'judged',
    '(expensive|pricey|pricy|costly|overpriced|over priced|overcharg*|exorbitant*|extortionate*|extortion|gouging|gouged|ripoff|rip off|ripped off|ripping|robbery|daylight|theft|unaffordable|fleec*|greed|greedy|profiteer*|scam*|robbed|inflated)',
  ],
  ['judged', `${HIGH} (_|_ _|_ _ _|) ${PRICE}`],
  ['judged', `${PRICE} (_|_ _|_ _ _|) (is|was|are|were|seem*|felt|so|too|very) (_|) ${HIGH}`],
  [
    'judged',
    `${PRICE} (_|_ _|) (a joke|too much|gone up|went up|going up|go up|increas*|rose|rise|doubled|tripled)`,
  ],
  [
    'judged',
    `(too|so|very|quite|extremely|really|lot|far|bit|rather|pretty|proportionately) (high|higher|steep|dear|much (money|to pay|for))`,
  ],
  ['judged', `(increas*|raised|raising|hiked) (_|_ _|) ${PRICE}`],
  [
    'judged',
    '(double|twice|triple|three times|four times|five times|ten times|# times|thousands|hundreds) (_|) (the|what|of|as|more) (_|) (price*|cost*|fare*|much|amount|others|rate*|normal|usual)',
  ],
  [
    'judged',
    '(more|higher|dearer) than (_|_ _|) (other*|the competition|elsewhere|it is worth|most|any|i|we)',
  ],
  [
    'judged',
    '(not|never|hardly|no longer) (even|really|) worth (_|_ _|_ _ _|) (price*|money|cost*|fare*|extra|premium|$|upgrade)',
  ],
  [
    'judged',
    '(not|never|hardly) (worth (it|paying|every)|cheap|the cheapest|justif*|reasonable|affordable|inexpensive)',
  ],
  ['judged', '(waste|wasting|wasted) (of|your|my|our|any) (_|_ _|_ _ _|) (money|cash|$)'],
  [
    'judged',
    '(poor|bad|terrible|awful|no|zero|not good|appalling|dreadful|shocking|horrible|little|lack of) value',
  ],
  [
    'judged',
    '(arm and a leg|a fortune|the earth|through the nose|over the odds|top dollar|nickel* and dim*|nickle and dim*|cash grab|money grab*|money making)',
  ],
  ['judged', '(premium|top|full service|legacy) (_|_ _|) (price*|fare*|money|cost*)'],
  [
    'judged',
    '(for|at|considering|given|despite) (the|this|that|these|such|what) (_|_ _|) (price*|cost*|fare*|money|rate*|i paid|we paid|you pay)',
  ],
  [
    'judged',
    '(charge|charges|charging) (_|_ _|) for (_|) (everything|water|a (drink|coffee|tea|seat|bag)|seat*|choosing|selecting)',
  ],
  [
    'judged',
    '(have to|had to|has to|made to|forced to|expected to|must|now) pay (_|_ _|) (extra|more|again|for|to)',
  ],
  ['judged', '(better|cheaper|less) (_|) (elsewhere|value|online|with (another|other|any))'],
  // What other firms ask.
  [
    'elsewhere',
    '(another|other|different|rival|alternative|budget|low cost) (airline*|carrier*|company|companies|flight*|ticket*)',
  ],
  ['elsewhere', '(taxi|cab|uber|hotel|train|rental car|hire car|safari|lodge|airbnb)'],
  [
    'elsewhere',
    '(buy*|bought|booked|book|purchase*|purchasing) (_|_ _|) (new|another|replacement|much more expensive|more expensive) (_|) (ticket*|flight*|one)',
  ],
  ['conceded', '(not|never|hardly) (_|) (cheap|cheapest|inexpensive|a bargain)'],
];
const MONEY = new PatternSet<Kind>(PATTERNS.map(([kind, pattern]) => [pattern, kind]));
const COMPARED: ReadonlySet<string> = new Set(['than', 'like', 'unlike', 'compared']);
/** How many keys around a hit its judgement is looked for. */
const WITHIN = 30;
/** The least stars of a review that concedes that a thing is not cheap. */
const CONCEDES_FROM = 4;
/** The aspects that are about the price alone. */
const ASPECTS: ReadonlySet<string> = new Set(['pricing', 'fees']);
/** The score of a cue that judges by itself. */
const JUDGES_BY_ITSELF = -1;

/** What is said of money in the clause of a token, near it. */
function kindsNear({ keys, clauses, clauseOf }: AnnotatedText, token: number): Set<Kind> {
  const { from, to } = clauses[clauseOf[token] as number] as Clause;
  const at = keys.firstOf[token] as number;
  const start = Math.max(keys.firstOf[from] as number, at - WITHIN);
  const end = Math.min(keys.firstOf[to] as number, at + WITHIN);
  const found = new Set<Kind>();
  for (let key = start; key < end; key += 1)
    for (const { value } of MONEY.matchesAt(keys, key, end)) found.add(value);
  // "More expensive than other airlines" is about this one.
  if (keys.words.slice(start, end).some((word) => COMPARED.has(word))) found.delete('elsewhere');
  return found;
}

/** Whether the clause of a token judges the price of the business to be high. */
export function judgesPrice(annotated: AnnotatedText, token: number): boolean {
  const kinds = kindsNear(annotated, token);
  return kinds.has('judged') && !kinds.has('elsewhere');
}

/**
 * A hit as what it says of the price. Without a judgement, or about the price of another firm, it is none (null); in a
 * good review "not cheap" is no complaint, so that it is neutral.
 */
export function readPrice(
  annotated: AnnotatedText,
  hit: AspectHit,
  rating: number | null,
): AspectHit | null {
  const { aspect, from, score, isGuess } = hit;
  if (!ASPECTS.has(aspect) || score >= 0) return hit;
  const kinds = kindsNear(annotated, from);
  if (kinds.has('elsewhere')) return null;
  if (rating !== null && rating >= CONCEDES_FROM && kinds.has('conceded'))
    return { ...hit, score: 0 };
  const isNaming = isGuess !== true && score > JUDGES_BY_ITSELF;
  return isNaming && !kinds.has('judged') ? null : hit;
}
