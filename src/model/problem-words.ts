// Words by which people search for problems, beside the labels of insights: they tell the problem, not its opposite.

/** By the id of the problem, in English. */
export const PROBLEM_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'billing-errors',
    ['wrong bill', 'wrong invoice', 'billed twice', 'charged twice', 'double charged'],
  ],
  ['cancellations', ['cancelled flight', 'canceled flight']],
  ['damage', ['damaged', 'scratched']],
  ['delays', ['flight delay', 'delayed flight']],
  ['dirty-premises', ['dirty', 'filthy', 'unclean', 'dirty room']],
  ['dishonesty', ['dishonest', 'lied', 'liar', 'scam', 'fraud']],
  ['high-price', ['overpriced', 'too expensive', 'rip off', 'ripoff', 'price gouging']],
  ['hold-times', ['on hold', 'hold time']],
  ['incompetence', ['incompetent', 'clueless']],
  ['late-arrival', ['late', 'arrived late']],
  ['long-wait', ['wait time', 'waiting time', 'long wait', 'took forever']],
  ['lost-luggage', ['lost bag', 'lost bags', 'lost baggage', 'missing luggage', 'missing bag']],
  ['mess-left-behind', ['left a mess', 'dirty', 'messy']],
  ['missed-appointment', ['no show', 'never showed up', 'did not show up', 'stood up']],
  ['poor-workmanship', ['bad work', 'sloppy', 'shoddy', 'botched']],
  ['refused-refund', ['no refund', 'refund refused', 'refund denied']],
  ['repeat-visits', ['not fixed', 'still broken']],
  ['rude-staff', ['rude', 'impolite', 'unfriendly', 'disrespectful']],
  [
    'surprise-fee',
    ['overcharged', 'hidden fees', 'hidden costs', 'extra charge', 'unexpected charge'],
  ],
  ['unanswered-calls', ['never called back', 'no call back', 'not reachable']],
  ['upselling', ['upsell', 'pushy', 'unnecessary repairs']],
  ['warranty-not-honoured', ['warranty refused', 'warranty denied']],
  ['wrong-diagnosis', ['misdiagnosed', 'misdiagnosis']],
]);
