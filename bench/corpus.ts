// Generated reviews, always the same: a plumbing business with 30 technicians and 25 services, over
// eight years. Texts rarely repeat; their lengths are log-normal, about 250 characters.

import { fold } from '../src/model/fold.ts';
import { randomFrom } from '../test/support/random.ts';

const DAYS = 8 * 365;
const LAST_DAY = Date.UTC(2025, 11, 31);
const DAY_MS = 86_400_000;
/** Parameters of the normal distribution of the logarithm of the length. */
const MEDIAN_LENGTH = 215;
const SPREAD = 0.55;
/** One in this many reviews has no text, or a reply. */
const WITHOUT_TEXT = 20;
const WITH_REPLY = 6;

const words = (list: string) => list.split(', ');

const FIRST_NAMES = words(
  'Amir, Beatriz, Callum, Dana, Elif, Farid, Greta, Hugo, Imani, Jonas, Kasia, Leon, Mireille, Nadia, Owen, ' +
    'Priya, Quentin, Rosa, Sven, Tamsin, Ulrik, Valeria, Wendell, Ximena, Yusuf, Zofia, Anselm, Brigid, Cosmo, Delia',
);
const LAST_NAMES = words(
  'Abara, Bellweather, Castellan, Drummond, Eriksen, Fairbanks, Gallowey, Hartnell, Ibsen, Jarrow, Kettleby, ' +
    'Lindqvist, Marchetti, Norwood, Okafor, Pemberton, Quillfeather, Rademaker, Sandoval, Thistleton, Underhill, ' +
    'Vasquez, Whitcombe, Xanthos, Yardley, Zimmer, Ashgrove, Blackwood, Carmody, Dunleavy',
);
const SERVICES = words(
  'drain cleaning, boiler repair, leak detection, water heater, pipe relining, bathroom fitting, radiator flush, ' +
    'gas safety check, sump pump, toilet repair, tap replacement, shower installation, sewer inspection, frozen pipes, ' +
    'garbage disposal, water softener, underfloor heating, heat pump, backflow testing, gutter cleaning, kitchen sink, ' +
    'water filter, pressure valve, septic tank, emergency callout',
);
const SLOTS: Readonly<Record<string, readonly string[]>> = {
  technician: FIRST_NAMES,
  service: SERVICES,
  person: words(
    'my wife, my husband, my mother, our tenant, the neighbour, my landlord, our daughter, a friend, the caretaker, ' +
      'my colleague, the whole family, our old plumber, the lady next door, my brother in law',
  ),
  good: words(
    'excellent, friendly, careful, honest, patient, tidy, thorough, polite, skilful, reliable, quick, helpful, ' +
      'reasonable, outstanding, cheerful, professional, knowledgeable, considerate, punctual, meticulous',
  ),
  bad: words(
    'rude, careless, slow, overpriced, sloppy, late, dismissive, confused, unprepared, disappointing, noisy, ' +
      'unhelpful, expensive, impatient, vague, messy, dishonest, clumsy, stubborn, incompetent',
  ),
  part: words(
    'valve, gasket, thermostat, flange, circulation pump, expansion vessel, cistern, stopcock, trap, overflow, ' +
      'manifold, heat exchanger, diverter, float switch, washer, elbow joint, copper pipe, burner, igniter, pressure gauge',
  ),
  room: words(
    'kitchen, bathroom, basement, cellar, utility room, guest toilet, garage, attic, laundry room, boiler room, ' +
      'hallway, greenhouse, garden shed, workshop, conservatory',
  ),
  when: words(
    'on Monday morning, on a Sunday, before Christmas, during the heatwave, last Tuesday, at half past seven, ' +
      'after midnight, in the middle of the night, within the hour, the next day, two weeks later, on Easter Monday, ' +
      'at lunchtime, just before the holidays, on the coldest day of the year',
  ),
  street: words(
    'Alder, Birchwood, Canal, Dovecote, Elmsfield, Foundry, Granary, Harbour, Ironmonger, Juniper, Kiln, Lavender, ' +
      'Millrace, Nightingale, Orchard, Priory, Quarry, Rookery, Saddler, Tannery',
  ),
};

const SENTENCES = [
  '{technician} came {when} and fixed the {part} in the {room} without any fuss.',
  'We called about {service} and the answer was {good} and {good} from the very first minute.',
  'The {service} cost {number} and that was exactly what they had said on the phone.',
  'They wanted {number} for the {service}, which is {bad} and {bad} if you ask me.',
  'I would recommend {technician} to anyone, {good} work and a {good} attitude.',
  '{technician} was {bad} and left the {room} in a worse state than before.',
  'The appointment was {when}, but nobody showed up until {person} called again.',
  'Our {part} had been leaking for {small} days before they found the cause.',
  'He explained what was wrong with the {part} and showed {person} how to shut it off.',
  'After the {service} the water in the {room} was still cold and the {part} rattled.',
  'The office was {good} when we had to move the appointment to another day.',
  'Nobody told us that the {part} had to be ordered, so we waited {small} more days.',
  'They left no mess behind, even the floor of the {room} was wiped.',
  'Everything works now, and {person} is happy with the result.',
  'This was the {small}th time that we used them and they have never let us down.',
  'The van was parked in {street} Street number {number} and they walked over with all the tools.',
  'Reference {code}, in case somebody from the company reads this.',
  'Half of the bill was for a {part} that we did not need, {bad} and {bad}.',
  'Very {good} crew, they arrived {when} and were done by the afternoon.',
  'I asked for a quote for {service} and got one {when}, with every {part} listed.',
  '{person} said that the {service} was {good} value, and I can only agree.',
  'A {good} young man called {technician} replaced the {part} and took the old one away.',
  'It took them {small} visits to get the {service} right, but in the end it was done well.',
  'The price for {service} went up from {number} to {number} and no one could say why.',
  'Communication was {bad}: no call, no message, and a {bad} answer when I complained.',
  'We live at the end of {street} Lane and they still made it within {small} minutes.',
  'The {part} froze {when} and flooded the {room}, and {technician} saved what there was to save.',
  'Would use again for {service}, no question.',
  'I am not sure about the {part}, time will tell, but the {service} itself was {good}.',
  'Thank you to {technician} and the team for being so {good} with {person}.',
].map((sentence) => sentence.split(/[{}]/));

/** The business, as in a business file. */
export const CORPUS_BUSINESS = {
  id: 'corpus',
  name: 'Corpus Plumbing',
  vertical: 'plumbing',
  services: SERVICES.map((label) => ({ id: label.replaceAll(' ', '-'), label })),
  technicians: FIRST_NAMES.map((name, place) => ({
    id: fold(name),
    name: `${name} ${LAST_NAMES[place]}`,
    aliases: [name],
  })),
};

/** A review as a row of NDJSON for import, with its id. */
export interface CorpusReview {
  readonly source_id: string;
  readonly author: string;
  readonly rating: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly text: string | null;
  readonly source: string;
  readonly verified: true;
  readonly owner_reply: { readonly text: string; readonly date: string } | null;
}

/** The first `count` reviews of the corpus, unsorted. */
export function* writeCorpus(count: number): Generator<CorpusReview> {
  const random = randomFrom(20_251_231);
  const among = (length: number) => Math.floor(random() * length);
  const pick = <T>(list: readonly T[]) => list[among(list.length)] as T;
  const fill = (slot: string): string => {
    if (slot === 'number') return String(20 + among(2_000));
    if (slot === 'small') return String(2 + among(30));
    if (slot === 'code') return among(2 ** 40).toString(36);
    return pick(SLOTS[slot] as readonly string[]);
  };
  const sentence = () =>
    pick(SENTENCES)
      .map((piece, place) => (place % 2 === 0 ? piece : fill(piece)))
      .join('');
  const textOf = (): string => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const length = MEDIAN_LENGTH * Math.exp(SPREAD * normal);
    let text = sentence();
    while (text.length < length) text += ` ${sentence()}`;
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  };
  for (let number = 0; number < count; number++) {
    const date = new Date(LAST_DAY - among(DAYS) * DAY_MS).toISOString().slice(0, 10);
    yield {
      source_id: `r${number}`,
      author: `${pick(FIRST_NAMES)} ${pick(LAST_NAMES).slice(0, 1)}.`,
      // Five stars are the most frequent, as in real data.
      rating: pick([1, 2, 3, 4, 4, 5, 5, 5, 5, 5]),
      date,
      text: among(WITHOUT_TEXT) === 0 ? null : textOf(),
      source: pick(['google', 'google', 'google', 'facebook', 'yelp']),
      verified: true,
      owner_reply: among(WITH_REPLY) === 0 ? { text: `Thank you. ${sentence()}`, date } : null,
    };
  }
}
