// Example requests of /developers about the data of this snapshot.

import { fillPath, ROUTES } from '../../model/routes.ts';
import { withParameters } from '../parts/links.ts';
import type { View } from '../view.ts';

/** GET requests: titles, and paths with their queries. */
export function httpExamples(view: View): (readonly [title: string, path: string])[] {
  const [newest] = view.newest(1);
  const [service] = view.subjects('services');
  const search = (parameters: Record<string, string>) =>
    withParameters(ROUTES.searchReviews.path, parameters);
  return [
    ['Everything: the business, its rating, every review', ROUTES.getReviews.path],
    ['What the reviews say', ROUTES.getInsights.path],
    ['The newest with four stars or more', search({ min_rating: '4', limit: '3' })],
    ['The best matches of some words', search({ words: 'on time', limit: '3' })],
    ...(service
      ? [
          [
            'What customers say of a service',
            search({ mentions_service: service.id, limit: '3' }),
          ] as const,
        ]
      : []),
    ...(newest
      ? ([
          [
            'Reviews dated from a day on',
            fillPath(ROUTES.getReviewsSince.path, { date: newest.review.date }),
          ],
          ['One review', fillPath(ROUTES.getReview.path, { id: newest.review.id })],
        ] as const)
      : []),
    ['The newest as JSON Feed', ROUTES.getJsonFeed.path],
    [
      'An invalid request gets an issue for each wrong value',
      search({ rating: '9', since: '2025-02-30' }),
    ],
  ];
}

/** The call of a tool. */
export const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_reviews', arguments: { min_rating: 4, limit: 1 } },
} as const;
