// Operations that read reviews: datasets, feeds, search, since a date, one review.

import { dateSchema } from '../model/date.ts';
import { reviewIdSchema } from '../model/review.ts';
import { type OperationId, type OperationIn, ROUTES } from '../model/routes.ts';
import {
  ATTRIBUTE,
  EMPTY_IS_ABSENT,
  MAX_CHARACTERS,
  MAX_VALUES,
  MIN_RATING,
  REPEATABLE,
  SEARCH_PARAMETERS,
  searchFilterSchema,
} from '../model/search.ts';
import { DOCUMENTS } from '../snapshot/documents.ts';
import { answerRef, jsonContent, READ_ERRORS, TEXT } from './responses.ts';
import { headersOf, type OtherHeader, requestHeader } from './headers.ts';
import { inputSchema, type SchemaName, schemaRef } from './schemas.ts';
import type {
  Described,
  JsonSchema,
  MediaType,
  OperationDetails,
  Parameter,
} from '../model/openapi.ts';

export function conditionalParameters({ isDated }: { isDated: boolean }): readonly Parameter[] {
  const ifNoneMatch = requestHeader(
    'If-None-Match',
    'The ETag of the answer that the client has, or several; 304 if it is current.',
  );
  const ifModifiedSince = requestHeader(
    'If-Modified-Since',
    'The Last-Modified of the answer that the client has. If-None-Match takes precedence.',
  );
  return isDated ? [ifNoneMatch, ifModifiedSince] : [ifNoneMatch];
}

/** What one GET has beside the others. */
interface ReadDetails {
  readonly description?: string;
  readonly content: Readonly<Record<string, MediaType>>;
  readonly parameters?: readonly Parameter[];
  readonly headers?: readonly OtherHeader[];
  /** Whether the answer is compressed if the client accepts it. */
  readonly isCompressed?: boolean;
  /** Whether the answer has Last-Modified. */
  readonly isDated?: boolean;
  /** The answer where there is nothing. */
  readonly missing?: 'NotFound' | 'UnknownReview';
}

/** GET with an ETag. */
export function read(
  id: OperationId,
  {
    content,
    parameters = [],
    headers = [],
    isCompressed = false,
    isDated = false,
    missing,
    ...rest
  }: ReadDetails,
): OperationDetails {
  const names: OtherHeader[] = ['Cache-Control', 'ETag'];
  if (isDated) names.push('Last-Modified');
  if (isCompressed) names.push('Vary');
  names.push(...headers);
  return {
    ...rest,
    parameters: [...parameters, ...conditionalParameters({ isDated })],
    responses: {
      '200': {
        description: ROUTES[id].what,
        headers: headersOf(isCompressed ? [...names, 'Content-Encoding'] : names),
        content,
      },
      '304': {
        description: 'Unchanged: the client has the current answer.',
        headers: headersOf(names),
      },
      ...READ_ERRORS,
      ...(missing && { '404': answerRef(missing) }),
    },
  };
}

function documentRead(
  id: OperationIn<'Datasets' | 'Feeds'>,
  description: string,
  schema: SchemaName | null,
): OperationDetails {
  const { contentType, topic } = DOCUMENTS[ROUTES[id].path];
  return read(id, {
    description,
    content: { [bareType(contentType)]: schema === null ? TEXT : { schema: schemaRef(schema) } },
    headers: topic ? ['Link'] : [],
    isCompressed: true,
    isDated: true,
  });
}

const EXAMPLES: Readonly<Record<string, unknown>> = { words: 'price', min_rating: 4 };
const NO_PARTS = { attributes: [], ratings: [] };

/** The parameters of a search, from the schema that parses them, and one for each attribute and part score. */
export function searchParameters(parts: Described['parts'] = NO_PARTS): readonly Parameter[] {
  const { properties = {} } = inputSchema(searchFilterSchema) as {
    properties?: Record<string, JsonSchema>;
  };
  const value = { description: 'a whole value', type: 'string', maxLength: MAX_CHARACTERS };
  const least = { ...properties['min_rating'], description: 'minimum of this part score' };
  const several = new Set<string>([
    ...REPEATABLE,
    ...parts.attributes.map((name) => ATTRIBUTE + name),
  ]);
  return [
    ...Object.entries(properties).filter(([name]) => SEARCH_PARAMETERS.includes(name)),
    ...parts.attributes.map((name) => [ATTRIBUTE + name, value] as const),
    ...parts.ratings.map((name) => [MIN_RATING + name, least] as const),
  ].map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description: String(description) + (several.has(name) ? '; may be repeated' : ''),
    ...((EMPTY_IS_ABSENT.has(name) || name.includes('.')) && { allowEmptyValue: true }),
    ...(name in EXAMPLES && { example: EXAMPLES[name] }),
    schema: several.has(name)
      ? { anyOf: [schema, { type: 'array', items: schema, maxItems: MAX_VALUES }] }
      : schema,
  }));
}

function since(example: Described['example']): OperationDetails {
  const { description: _description, ...schema } = inputSchema(dateSchema);
  return read('getReviewsSince', {
    description:
      'Newest first, without a limit. The ETag changes only when this subset of the reviews changes, ' +
      'so clients can poll often.',
    content: jsonContent('SinceAnswer'),
    parameters: [
      {
        name: 'date',
        in: 'path',
        required: true,
        description: 'first day, included',
        schema,
        ...(example && { example: example.date }),
      },
    ],
    isDated: true,
  });
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

export function readingDetails({
  example,
  parts,
}: Pick<Described, 'example' | 'parts'>): Record<
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
    searchReviews: read('searchReviews', {
      description:
        'All given filters must match. `rating` and `source` may be repeated: any of the values matches; ' +
        'another repeated parameter is an error. `attribute.NAME` is an attribute of the review, such as ' +
        '`attribute.route=London to Rome`; `min_rating.NAME` the minimum of a part score. Those that reviews have are listed. ' +
        'A parameter that may be empty (`allowEmptyValue`) filters nothing then. ' +
        'Unknown parameters are ignored and named in `filters.ignored`.',
      content: jsonContent('SearchAnswer'),
      parameters: searchParameters(parts),
    }),
    getReviewsSince: since(example),
    getReview: read('getReview', {
      content: jsonContent('Review'),
      parameters: [reviewIdParameter(example)],
      missing: 'UnknownReview',
    }),
  };
}

/** A media type without its parameters. */
export function bareType(contentType: string): string {
  return contentType.split(';', 1)[0] as string;
}
