// The named schemas of the document, and the conversion of zod schemas to JSON Schema.

import { z } from 'zod';
import {
  datasetSchema,
  insightsDocumentSchema,
  searchAnswerSchema,
  sinceAnswerSchema,
} from '../model/answers.ts';
import { businessSchema } from '../model/business.ts';
import { jsonFeedSchema } from '../model/feed.ts';
import { healthSchema, readinessSchema } from '../model/health.ts';
import { hubFormSchema } from '../model/hub-form.ts';
import {
  aspectSchema,
  entitySchema,
  technicianEntitySchema,
  faqSchema,
  monthSchema,
  reviewInsightsSchema,
  serviceEntitySchema,
  topicSchema,
} from '../model/insights.ts';
import { logSaltsSchema, reviewProofSchema } from '../model/proof.ts';
import { reviewVerificationSchema, verificationCountsSchema } from '../model/verification.ts';
import { problemSchema } from '../model/problem.ts';
import { aggregateRatingSchema } from '../model/rating.ts';
import { reviewSchema } from '../model/review.ts';
import { appliedFilterSchema } from '../model/search.ts';
import { cardSchema, catalogSchema, registryRecordSchema } from '../discovery/mcp-records.ts';
import { apiCatalogSchema } from '../discovery/catalog.ts';
import type { JsonSchema, Reference } from '../model/openapi.ts';

const rpcId = z.union([z.string(), z.number(), z.null()]);

/** A message of JSON-RPC 2.0. MCP defines the params and results. */
const rpcRequestSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional().describe('absent in a notification'),
  method: z.string().describe('such as tools/list and tools/call'),
  params: z.record(z.string(), z.unknown()).optional(),
});

const rpcAnswerSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: rpcId.optional(),
  result: z.record(z.string(), z.unknown()).optional(),
});

const rpcErrorSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: rpcId.optional(),
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});

const NAMED = {
  Review: reviewSchema,
  Business: businessSchema,
  AggregateRating: aggregateRatingSchema,
  Dataset: datasetSchema,
  Insights: insightsDocumentSchema,
  Aspect: aspectSchema,
  Entity: entitySchema,
  Technician: technicianEntitySchema,
  ServiceEntity: serviceEntitySchema,
  Topic: topicSchema,
  Month: monthSchema,
  Question: faqSchema,
  ReviewInsights: reviewInsightsSchema,
  SearchFilter: appliedFilterSchema,
  SearchAnswer: searchAnswerSchema,
  SinceAnswer: sinceAnswerSchema,
  ReviewProof: reviewProofSchema,
  LogSalts: logSaltsSchema,
  ReviewVerification: reviewVerificationSchema,
  VerificationCounts: verificationCountsSchema,
  JsonFeed: jsonFeedSchema,
  Problem: problemSchema,
  SubscriptionRequest: hubFormSchema,
  RpcRequest: rpcRequestSchema,
  RpcAnswer: rpcAnswerSchema,
  RpcError: rpcErrorSchema,
  ServerCard: cardSchema,
  AgentCatalog: catalogSchema,
  RegistryRecord: registryRecordSchema,
  ApiCatalog: apiCatalogSchema,
  Health: healthSchema,
  Readiness: readinessSchema,
} as const satisfies Record<string, z.ZodType>;

export type SchemaName = keyof typeof NAMED;

export function schemaRef(name: SchemaName): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

export function namedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => schemaRef(id as SchemaName).$ref,
    override: open,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [
      name,
      schema,
    ]),
  );
}

export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...json } = z.toJSONSchema(schema, { io: 'input' });
  return json;
}

/**
 * Removes what forbids additional members: generated clients would reject members that a later version
 * adds.
 */
function open({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  // A tuple has a fixed number of items; linters of OpenAPI refuse `items: false`.
  if (Array.isArray(jsonSchema['prefixItems'])) {
    Object.assign(jsonSchema, { items: {}, maxItems: jsonSchema['prefixItems'].length });
  }
  // The bounds of safe integers say no more than "integer".
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  // A default describes input, and these are answers.
  delete jsonSchema['default'];
}
