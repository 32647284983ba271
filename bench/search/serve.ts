// Shared by all Fastify servers: the route, its parameters, and the form of the answer. Reviews are
// prepared JSON, so none pays for serialising them.

import Fastify from 'fastify';
import { parseSearchParameters, type SearchFilter } from '../../src/model/search.ts';
import { tellOrigin } from '../server.ts';

export interface Found {
  readonly matched: number;
  /** JSON of each. */
  readonly reviews: readonly string[];
}

export async function serveSearch(
  search: (filter: SearchFilter) => Found | Promise<Found>,
): Promise<void> {
  const app = Fastify();
  app.get('/api/reviews/search', async (request, reply) => {
    const filter = parseSearchParameters(request.query as Record<string, string>);
    if (!filter.ok) return reply.code(400).send({ issues: filter.issues });
    const { matched, reviews } = await search(filter.value);
    return reply
      .type('application/json; charset=utf-8')
      .send(`{"matched":${matched},"reviews":[${reviews.join(',')}]}`);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  tellOrigin(app.server);
}
