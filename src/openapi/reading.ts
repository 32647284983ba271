// The part of the document about reading reviews: datasets, feeds, search, since, one review.

import { dateSchema } from '../model/date.ts';
import { reviewIdSchema } from '../model/review.ts';
import { EMPTY_IS_ABSENT, searchFilterSchema } from '../model/search.ts';
import { DOCUMENTS, type DocumentPath } from '../snapshot/documents.ts';
import { answerRef, jsonContent, READ_ERRORS } from './responses.ts';
import { headersOf, type OtherHeader, requestHeader } from './headers.ts';
import { inputSchema, type SchemaName, schemaRef } from './schemas.ts';
import type {
  Answer,
  Described,
  JsonSchema,
  MediaType,
  Operation,
  Parameter,
  Paths,
} from './types.ts';

/** What is said of each document. */
const DOCUMENT_WORDS: Readonly<
  Record<
    DocumentPath,
    { operationId: string; summary: string; description: string; schema: SchemaName | null }
  >
> = {
  '/reviews.json': {
    operationId: 'getReviews',
    summary: 'Every review',
    description:
      'Every verified review, newest first, with the business and its aggregate rating. A WebSub topic.',
    schema: 'Dataset',
  },
  '/insights.json': {
    operationId: 'getInsights',
    summary: 'What the reviews say',
    description:
      'Aspects, technicians, services, problems, service areas, topics, trend, questions and a summary. ' +
      'Each count, phrase and quote names the reviews that it is from.',
    schema: 'Insights',
  },
  '/api/feed.json': {
    operationId: 'getJsonFeed',
    summary: 'The 50 newest reviews as JSON Feed 1.1',
    description: 'A WebSub topic.',
    schema: 'JsonFeed',
  },
  '/feed.xml': {
    operationId: 'getAtomFeed',
    summary: 'The 50 newest reviews as Atom',
    description: 'A WebSub topic.',
    schema: null,
  },
};

const RECORD_HEADERS = headersOf(['Cache-Control', 'ETag']);
/** Of what is compressed when it is asked for. */
const BODY_HEADERS = ['Cache-Control', 'ETag', 'Vary'] as const;

/** The 304 of an answer with these headers. */
function notModified(headers: NonNullable<Answer['headers']>): Answer {
  return {
    description: 'It is what If-None-Match or If-Modified-Since says that you have.',
    headers,
  };
}

export function conditionalParameters({ dated }: { dated: boolean }): readonly Parameter[] {
  const ifNoneMatch: Parameter = requestHeader(
    'If-None-Match',
    'The ETag of the answer that you have, or several; 304 if it still stands.',
  );
  const ifModifiedSince: Parameter = requestHeader(
    'If-Modified-Since',
    'The Last-Modified of the answer that you have. If-None-Match wins over it.',
  );
  return dated ? [ifNoneMatch, ifModifiedSince] : [ifNoneMatch];
}

type ReadWords = Pick<Operation, 'operationId' | 'summary' | 'tags' | 'description'>;

/** GET of a small record without a time of its own. */
export function recordRead(
  words: ReadWords,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[] = [],
  more: readonly OtherHeader[] = [],
): Operation {
  const headers = { ...RECORD_HEADERS, ...headersOf(more) };
  return read(words, content, parameters, headers, headers);
}

/** GET of what is made from the snapshot when it is asked for, and compressed. */
export function bodyRead(
  words: ReadWords,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[] = [],
  more: readonly OtherHeader[] = [],
): Operation {
  const names = [...BODY_HEADERS, ...more];
  const headers = headersOf([...names, 'Content-Encoding']);
  return read(words, content, parameters, headers, headersOf(names));
}

function read(
  words: ReadWords,
  content: Readonly<Record<string, MediaType>>,
  parameters: readonly Parameter[],
  headers: NonNullable<Answer['headers']>,
  headersNotModified: NonNullable<Answer['headers']>,
): Operation {
  return {
    ...words,
    parameters: [...parameters, ...conditionalParameters({ dated: false })],
    responses: {
      '200': { description: words.summary, headers, content },
      '304': notModified(headersNotModified),
      ...READ_ERRORS,
    },
  };
}

function documentRead(path: DocumentPath): Operation {
  const { contentType, topic } = DOCUMENTS[path];
  const { schema, ...words } = DOCUMENT_WORDS[path];
  const [type = ''] = contentType.split(';');
  const names = ['Cache-Control', 'ETag', 'Last-Modified', 'Vary'] as const;
  const headers = headersOf([...names, ...(topic ? (['Link'] as const) : [])]);
  const encoded = headersOf([...names, 'Content-Encoding', ...(topic ? (['Link'] as const) : [])]);
  return {
    ...words,
    tags: [schema === null || schema === 'JsonFeed' ? 'Feeds' : 'Datasets'],
    parameters: conditionalParameters({ dated: true }),
    responses: {
      '200': {
        description: words.summary,
        headers: encoded,
        content: { [type]: { schema: schema === null ? { type: 'string' } : schemaRef(schema) } },
      },
      '304': notModified(headers),
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
      String(description) + (EMPTY_IS_ABSENT.has(name) ? '; empty means not filtered by this' : ''),
    schema,
  }));
}

function since(example: Described['example']): Operation {
  const { description: _description, ...schema } = inputSchema(dateSchema);
  const names = ['Cache-Control', 'ETag', 'Last-Modified'] as const;
  const headers = headersOf([...names]);
  return {
    operationId: 'getReviewsSince',
    summary: 'Every review of a date and after',
    description:
      'Newest first, without a limit. Its ETag changes only when this part of the reviews changes, ' +
      'so that it can be asked for often.',
    tags: ['Reviews'],
    parameters: [
      {
        name: 'date',
        in: 'path',
        required: true,
        description: 'the first day, included',
        schema,
        ...(example && { example: example.date }),
      },
      ...conditionalParameters({ dated: true }),
    ],
    responses: {
      '200': {
        description: 'The reviews of that date and after',
        headers,
        content: jsonContent('SinceAnswer'),
      },
      '304': notModified(headers),
      ...READ_ERRORS,
    },
  };
}

function review(example: Described['example']): Operation {
  const operation = recordRead(
    { operationId: 'getReview', summary: 'One review', tags: ['Reviews'] },
    jsonContent('Review'),
    [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'the id of the review',
        schema: inputSchema(reviewIdSchema),
        ...(example && { example: example.id }),
      },
    ],
  );
  return { ...operation, responses: { ...operation.responses, '404': answerRef('UnknownReview') } };
}

/** Datasets, feeds, search, since and single reviews. */
export function readingPaths({ example }: Pick<Described, 'example'>): Paths {
  const documents = (Object.keys(DOCUMENT_WORDS) as DocumentPath[]).map(
    (path) => [path, { get: documentRead(path) }] as const,
  );
  const search = recordRead(
    {
      operationId: 'searchReviews',
      summary: 'Find reviews',
      description:
        'All filters that are given must hold. Unknown parameters are ignored; one that is given ' +
        'twice is refused.',
      tags: ['Reviews'],
    },
    jsonContent('SearchAnswer'),
    searchParameters(),
  );
  return {
    ...Object.fromEntries(documents),
    '/api/reviews/search': { get: search },
    '/api/reviews/since/{date}': { get: since(example) },
    '/api/reviews/{id}': { get: review(example) },
  };
}
