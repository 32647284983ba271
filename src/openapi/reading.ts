// Operations that read reviews: datasets, feeds, search, since a date, one review.

import { dateSchema } from '../model/date.ts';
import { reviewIdSchema } from '../model/review.ts';
import { type OperationId, type OperationIn, ROUTES } from '../model/routes.ts';
import { EMPTY_IS_ABSENT, MAX_VALUES, REPEATABLE, searchFilterSchema } from '../model/search.ts';
import { DOCUMENTS } from '../snapshot/documents.ts';
import { answerRef, jsonContent, READ_ERRORS } from './responses.ts';
import { headersOf, type OtherHeader, requestHeader } from './headers.ts';
import { inputSchema, type SchemaName, schemaRef } from './schemas.ts';
import type {
  Answer,
  Described,
  JsonSchema,
  MediaType,
  OperationDetails,
  Parameter,
} from './types.ts';

const RECORD_HEADERS = headersOf(['Cache-Control', 'ETag']);
/** Headers of answers that are compressed on request. */
const BODY_HEADERS = ['Cache-Control', 'ETag', 'Vary'] as const;

function notModified(headers: NonNullable<Answer['headers']>): Answer {
  return {
    description: 'Unchanged: the client has the current answer.',
    headers,
  };
}

export function conditionalParameters({ dated }: { dated: boolean }): readonly Parameter[] {
  const ifNoneMatch: Parameter = requestHeader(
    'If-None-Match',
    'The ETag of the answer that the client has, or several; 304 if it is current.',
  );
  const ifModifiedSince: Parameter = requestHeader(
    'If-Modified-Since',
    'The Last-Modified of the answer that the client has. If-None-Match takes precedence.',
  );
  return dated ? [ifNoneMatch, ifModifiedSince] : [ifNoneMatch];
}

/** GET of a small record without Last-Modified. */
export function recordRead(
  id: OperationId,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[] = [],
  more: readonly OtherHeader[] = [],
): OperationDetails {
  const headers = { ...RECORD_HEADERS, ...headersOf(more) };
  return read(id, content, parameters, headers, headers);
}

/** GET of what is rendered from the snapshot and compressed on request. */
export function bodyRead(
  id: OperationId,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[] = [],
  more: readonly OtherHeader[] = [],
): OperationDetails {
  const names = [...BODY_HEADERS, ...more];
  const headers = headersOf([...names, 'Content-Encoding']);
  return read(id, content, parameters, headers, headersOf(names));
}

function read(
  id: OperationId,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[],
  headers: NonNullable<Answer['headers']>,
  headersNotModified: NonNullable<Answer['headers']>,
): OperationDetails {
  return {
    parameters: [...parameters, ...conditionalParameters({ dated: false })],
    responses: {
      '200': { description: ROUTES[id].what, headers, content },
      '304': notModified(headersNotModified),
      ...READ_ERRORS,
    },
  };
}

function documentRead(
  id: OperationIn<'Datasets' | 'Feeds'>,
  description: string,
  schema: SchemaName | null,
): OperationDetails {
  const { path, what } = ROUTES[id];
  const { contentType, topic } = DOCUMENTS[path];
  const names: OtherHeader[] = ['Cache-Control', 'ETag', 'Last-Modified', 'Vary'];
  if (topic) names.push('Link');
  return {
    description,
    parameters: conditionalParameters({ dated: true }),
    responses: {
      '200': {
        description: what,
        headers: headersOf([...names, 'Content-Encoding']),
        content: {
          [bareType(contentType)]: {
            schema: schema === null ? { type: 'string' } : schemaRef(schema),
          },
        },
      },
      '304': notModified(headersOf(names)),
      ...READ_ERRORS,
    },
  };
}

/** The parameters of a search, from the schema that parses them. */
export function searchParameters(): readonly Parameter[] {
  const { properties = {} } = inputSchema(searchFilterSchema) as {
    properties?: Record<string, JsonSchema>;
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description:
      String(description) +
      ((REPEATABLE as readonly string[]).includes(name) ? '; may be repeated' : '') +
      (EMPTY_IS_ABSENT.has(name) ? '; empty means not filtered by this' : ''),
    schema: (REPEATABLE as readonly string[]).includes(name)
      ? { anyOf: [schema, { type: 'array', items: schema, maxItems: MAX_VALUES }] }
      : schema,
  }));
}

function since(example: Described['example']): OperationDetails {
  const { description: _description, ...schema } = inputSchema(dateSchema);
  const names = ['Cache-Control', 'ETag', 'Last-Modified'] as const;
  const headers = headersOf([...names]);
  return {
    description:
      'Newest first, without a limit. The ETag changes only when this subset of the reviews changes, ' +
      'so clients can poll often.',
    parameters: [
      {
        name: 'date',
        in: 'path',
        required: true,
        description: 'first day, included',
        schema,
        ...(example && { example: example.date }),
      },
      ...conditionalParameters({ dated: true }),
    ],
    responses: {
      '200': {
        description: ROUTES.getReviewsSince.what,
        headers,
        content: jsonContent('SinceAnswer'),
      },
      '304': notModified(headers),
      ...READ_ERRORS,
    },
  };
}

/** The id in the path of a review and of what proves it. */
export function reviewIdParameter(example: Described['example']): Parameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'id of the review',
    schema: inputSchema(reviewIdSchema),
    ...(example && { example: example.id }),
  };
}

function review(example: Described['example']): OperationDetails {
  const operation = recordRead('getReview', jsonContent('Review'), [reviewIdParameter(example)]);
  return { ...operation, responses: { ...operation.responses, '404': answerRef('UnknownReview') } };
}

export function readingDetails({
  example,
}: Pick<Described, 'example'>): Record<
  OperationIn<'Datasets' | 'Feeds' | 'Reviews'>,
  OperationDetails
> {
  return {
    getReviews: documentRead(
      'getReviews',
      'Every verified review, newest first, with the business and its aggregate rating. A WebSub topic.',
      'Dataset',
    ),
    getInsights: documentRead(
      'getInsights',
      'Aspects, technicians, services, problems, service areas, topics, trend, questions and a summary. ' +
        'Each count, phrase and quote names the reviews behind it.',
      'Insights',
    ),
    getJsonFeed: documentRead('getJsonFeed', 'A WebSub topic.', 'JsonFeed'),
    getAtomFeed: documentRead('getAtomFeed', 'A WebSub topic.', null),
    searchReviews: {
      description:
        'All given filters must match. `rating` and `source` may be repeated: any of the values matches; ' +
        'another repeated parameter is an error. Unknown parameters are ignored and named in ' +
        '`filters.ignored`.',
      ...recordRead('searchReviews', jsonContent('SearchAnswer'), searchParameters()),
    },
    getReviewsSince: since(example),
    getReview: review(example),
  };
}

/** A media type without its parameters. */
export function bareType(contentType: string): string {
  return contentType.split(';', 1)[0] as string;
}
