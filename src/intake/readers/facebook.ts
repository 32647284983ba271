// Recommendations of a Facebook page: the `ratings` edge of the Graph API.

import { show } from '../../errors.ts';
import type { JsonReader } from './reader.ts';
import type { ItemReading } from './values.ts';

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
  recognise: (item) => 'created_time' in item && 'recommendation_type' in item,
  read(row) {
    const author = row.string('reviewer.name');
    return {
      source: 'facebook',
      // Several people without a name may recommend on one day.
      source_id: row.at('open_graph_story.id') ?? (author === null ? row.at('created_time') : null),
      author: author ?? 'A Facebook user',
      rating: starsIn(row),
      date: row.date('created_time'),
      text: row.at('review_text'),
    };
  },
};

function starsIn(row: ItemReading): number | null {
  const rating = row.at('rating');
  if (typeof rating === 'number' && rating > 0) return row.stars('rating');
  const recommendation = row.string('recommendation_type')?.toLowerCase() ?? '';
  const stars = RATING_OF_RECOMMENDATION[recommendation] ?? null;
  if (stars === null) {
    const got = show(row.at('recommendation_type'));
    row.problems.push(`recommendation_type: expected "positive" or "negative", got ${got}`);
  } else {
    row.notes.push(
      stars === 5 ? 'recommended: published as 5 stars' : 'not recommended: published as 1 star',
    );
  }
  return stars;
}
