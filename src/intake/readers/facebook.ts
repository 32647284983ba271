// Recommendations of a Facebook page: the `ratings` edge of the Graph API.

import { show } from '../../errors.ts';
import type { JsonReader } from './reader.ts';
import { ItemReading, memberAt, textOf } from './values.ts';

/**
 * A recommendation has no stars, and a published review needs a rating. Facebook asks "do you recommend it?",
 * yes or no, so the answer becomes the best or the worst rating. Reviews from before 2018 have stars.
 */
const RATING_OF_RECOMMENDATION: Readonly<Record<string, number>> = { positive: 5, negative: 1 };

export const facebook: JsonReader = {
  kind: 'json',
  name: 'facebook',
  title: 'recommendations of a Facebook page',
  lists: ['data', 'ratings.data', ''],
  recognise(item) {
    if (!('created_time' in item)) return 'no';
    if ('recommendation_type' in item) return 'certain';
    return 'review_text' in item && 'rating' in item ? 'possible' : 'no';
  },
  read(item) {
    const reading = new ItemReading();
    const { rating } = item;
    const author = textOf(memberAt(item, 'reviewer.name'));
    const recommendation = item['recommendation_type'];
    let stars: number | null = null;
    if (typeof rating === 'number' && rating > 0) stars = reading.stars('rating', rating);
    else {
      stars = RATING_OF_RECOMMENDATION[textOf(recommendation)?.toLowerCase() ?? ''] ?? null;
      if (stars === null) {
        reading.problems.push(
          `recommendation_type: expected "positive" or "negative", got ${show(recommendation)}`,
        );
      } else {
        reading.notes.push(
          stars === 5
            ? 'recommended: published as 5 stars'
            : 'not recommended: published as 1 star',
        );
      }
    }
    return reading.finish({
      source: 'facebook',
      // Several people without a name may recommend on one day.
      source_id:
        memberAt(item, 'open_graph_story.id') ?? (author === null ? item['created_time'] : null),
      author: author ?? 'A Facebook user',
      rating: stars,
      date: reading.date('created_time', item['created_time']),
      text: item['review_text'],
    });
  },
};
