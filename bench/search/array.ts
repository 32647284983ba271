// Fastify over a filtered array.

import { fold } from '../../src/model/fold.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { readRows, type Row } from './rows.ts';
import { serveSearch } from './serve.ts';

const rows = await readRows();
const ready = rows.map((row) => ({ ...row, json: JSON.stringify(row.review) }));

await serveSearch((filter) => {
  const { cursor, query, limit } = filter;
  const needle = query === undefined ? null : fold(query);
  const matching = ready.filter((row) => isMatch(row, filter, needle));
  const rest = cursor
    ? matching.filter(
        ({ review: { date, id } }) =>
          date < cursor.date || (date === cursor.date && id < cursor.id),
      )
    : matching;
  return { matched: matching.length, reviews: rest.slice(0, limit).map(({ json }) => json) };
});

function isMatch(row: Row, filter: SearchFilter, needle: string | null): boolean {
  const { rating, min_rating: minRating, since, until, source } = filter;
  const { mentions_technician: technician, mentions_service: service } = filter;
  const { review } = row;
  return (
    (rating === undefined || review.rating === rating) &&
    (minRating === undefined || review.rating >= minRating) &&
    (since === undefined || review.date >= since) &&
    (until === undefined || review.date <= until) &&
    (source === undefined || review.source === source) &&
    (technician === undefined || row.technicians.includes(technician)) &&
    (service === undefined || row.services.includes(service)) &&
    (needle === null || (row.folded !== null && row.folded.includes(needle)))
  );
}
