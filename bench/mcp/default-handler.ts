// The same tools on the SDK's default handler, written as its documentation shows. The dataset is
// fetched from the compared server.

import { createServer } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { businessAnswerSchema, searchAnswerSchema } from '../../src/model/answers.ts';
import { searchFilterSchema } from '../../src/model/search.ts';
import { tellOrigin } from '../server.ts';

const response = await fetch(`${process.env['DATASET_ORIGIN']}/reviews.json`);
const { business, aggregate_rating, reviews } = (await response.json()) as {
  business: object;
  aggregate_rating: { review_count: number };
  reviews: object[];
};

function build(): McpServer {
  const server = new McpServer({ name: 'default', version: '1.0.0' });
  server.registerTool(
    'get_business',
    { description: 'the business', inputSchema: z.object({}), outputSchema: businessAnswerSchema },
    () => answerOf({ business, aggregate_rating, review_count: reviews.length }),
  );
  server.registerTool(
    'search_reviews',
    { description: 'search', inputSchema: searchFilterSchema, outputSchema: searchAnswerSchema },
    (filters) => {
      const page = reviews.slice(0, filters.limit);
      return answerOf({
        matched: reviews.length,
        returned: page.length,
        filters,
        next_cursor: null,
        reviews: page,
      });
    },
  );
  return server;
}

function answerOf(answer: Record<string, unknown>) {
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
    structuredContent: answer,
  };
}

const handle = toNodeHandler(createMcpHandler(build));
const server = createServer((request, reply) => {
  void handle(request as NodeIncomingMessageLike, reply);
});
server.listen(0, '127.0.0.1', () => tellOrigin(server));
