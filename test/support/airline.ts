// Generated reviews of an airline: long, many of them complaints, with titles, without a catalogue. The opposite of
// the example business.

import { ulidOf } from './reviews.ts';

const SENTENCES = [
  'The flight from London to Boston left four hours late and nobody at the gate told us why.',
  'Cabin crew were friendly and attentive from the first minute to the last.',
  'My suitcase arrived two days after me and the baggage desk did not answer the phone.',
  'The seat in economy was cramped, with no room for my knees.',
  'Boarding was quick and well organised.',
  'Customer service cancelled my booking and refused a refund of £420.',
  'The food was cold and there was nothing left for vegetarians.',
  'The lounge at Heathrow was clean and quiet.',
  'Entertainment screens in our row did not work for the whole nine hours.',
  'For the price I expected more than a packet of crisps.',
  'The app crashed whenever I tried to check in, so we queued for an hour.',
  'We were upgraded to business class, and the bed was comfortable.',
  'An announcement every ten minutes made it impossible to sleep.',
  'The pilot kept everybody informed about the weather.',
];
const COUNT = 1_200;

export interface GeneratedReview {
  readonly id: string;
  readonly author: string;
  readonly rating: number;
  readonly date: string;
  readonly title: string;
  readonly text: string | null;
  readonly source: string;
  readonly verified: true;
}

export const AIRLINE = {
  id: 'northern-air',
  name: 'Northern Atlantic Airways',
  vertical: 'hospitality_and_travel',
  address: { city: 'London', country: 'GB' },
};

/** The same reviews every time, newest last. */
export function airlineReviews(): GeneratedReview[] {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  return Array.from({ length: COUNT }, (_, index) => {
    const length = index % 25 === 0 ? 60 : 2 + next(12);
    const text = Array.from({ length }, () => SENTENCES[next(SENTENCES.length)]).join(' ');
    const month = Math.floor((index / COUNT) * 60);
    return {
      id: ulidOf(index + 1),
      author: `Passenger ${index} ${'von der Langenname'.slice(0, next(18))}`.trim(),
      rating: [1, 1, 1, 2, 3, 4, 5][next(7)] as number,
      date: `${2021 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`,
      title: SENTENCES[next(SENTENCES.length)]?.slice(0, 40) ?? '',
      text: index % 11 === 0 ? null : text,
      source: ['trustpilot', 'google', 'facebook'][next(3)] as string,
      verified: true,
    };
  });
}
