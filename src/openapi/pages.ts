// The part of the document about the web pages and the files that they refer to.

import { sentimentSchema } from '../model/insights.ts';
import { cursorSchema } from '../model/search.ts';
import { ASSETS } from '../site/assets.ts';
import { EMBED_PATHS } from '../site/embed.ts';
import { FAVICON_TYPE } from '../site/favicon.ts';
import { PICTURE_PATH } from '../site/files.ts';
import { PAGE_PATHS, SUBJECT_PATHS } from '../site/links.ts';
import { FAVICON_PATH } from '../snapshot/documents.ts';
import { answerRef, HTML_CONTENT, jsonContent, PAGE_HEADERS, READ_ERRORS } from './responses.ts';
import { headersOf, optionalHeaders } from './headers.ts';
import { bodyRead, conditionalParameters, recordRead, searchParameters } from './reading.ts';
import { inputSchema } from './schemas.ts';
import type { Answers, MediaType, Operation, Parameter, PathItem, Paths } from './types.ts';

const TAGS = ['Pages'];

const PAGES: Readonly<Record<string, readonly [operationId: string, summary: string]>> = {
  [PAGE_PATHS.home]: ['showHome', 'The business and what its reviews say'],
  [PAGE_PATHS.reviews]: ['showReviews', 'The reviews, with a search'],
  [PAGE_PATHS.faq]: ['showQuestions', 'Questions, answered by reviews'],
  [PAGE_PATHS.summary]: ['showSummary', 'The summary'],
  [PAGE_PATHS.developers]: ['showDevelopers', 'The documentation of the interfaces'],
};

const SUBJECTS = {
  technicians: ['Technicians', 'a technician'],
  services: ['Services', 'a service'],
  service_areas: ['Areas', 'a service area'],
  topics: ['Topics', 'a topic'],
  aspects: ['Aspects', 'an aspect'],
  problems: ['Problems', 'a problem'],
} as const satisfies Record<keyof typeof SUBJECT_PATHS, readonly [string, string]>;

const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
};

/** Filters of the list on a page about one thing; what is no such value is as if it were absent. */
const listParameters: readonly Parameter[] = [
  {
    name: 'sentiment',
    in: 'query',
    description: 'only the reviews that say this of it',
    schema: inputSchema(sentimentSchema),
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'of the link to the next page',
    schema: inputSchema(cursorSchema),
  },
];

function page(
  operationId: string,
  summary: string,
  parameters: readonly Parameter[] = [],
  more: Answers = {},
): PathItem {
  const get: Operation = {
    operationId,
    summary,
    tags: TAGS,
    parameters: [...parameters, ...conditionalParameters({ dated: false })],
    responses: {
      '200': {
        description: summary,
        headers: headersOf([...PAGE_HEADERS, 'ETag', 'Content-Encoding']),
        content: HTML_CONTENT,
      },
      '302': answerRef('PageRedirect'),
      '304': answerRef('PageNotModified'),
      ...READ_ERRORS,
      ...more,
    },
  };
  return { get };
}

const MISSING: Answers = { '404': answerRef('PageMissing') };

/** The page of a search that cannot be applied; a malformed URL is told in JSON. */
const INVALID: Answers = {
  '400': {
    description: 'The filters cannot be applied.',
    headers: {
      ...headersOf(['Cache-Control', 'Content-Encoding']),
      ...optionalHeaders(['Content-Security-Policy', 'Referrer-Policy', 'Vary']),
    },
    content: { ...HTML_CONTENT, ...jsonContent('Problem') },
  },
};

/** All of them. */
export function pagePaths(): Paths {
  const plain = Object.entries(PAGES).map(([path, [operationId, summary]]): [string, PathItem] => [
    path,
    path === PAGE_PATHS.reviews
      ? page(operationId, summary, searchParameters(), INVALID)
      : page(operationId, summary),
  ]);
  const subjects = Object.entries(SUBJECT_PATHS).flatMap(([list, path]): [string, PathItem][] => {
    const [many, one] = SUBJECTS[list as keyof typeof SUBJECTS];
    return [
      [path, page(`list${many}`, `${many} that reviews mention`)],
      [
        `${path}/{id}`,
        page(`show${many}`, `What reviews say of ${one}`, [id, ...listParameters], MISSING),
      ],
    ];
  });
  return {
    ...Object.fromEntries(plain),
    [`${PAGE_PATHS.reviews}/{id}`]: page('showReview', 'One review', [id], MISSING),
    ...Object.fromEntries(subjects),
    [`${ASSETS}{name}`]: assets(),
    ...Object.fromEntries(
      EMBEDDED.map(([path, operationId, summary, type]) => [
        path,
        embedded(operationId, summary, type),
      ]),
    ),
  };
}

const EMBEDDED = [
  [EMBED_PATHS.script, 'getEmbedScript', 'The element that other sites show', 'text/javascript'],
  [EMBED_PATHS.data, 'getEmbedData', 'What that element shows, as a module', 'text/javascript'],
  [EMBED_PATHS.badge, 'getBadge', 'The rating as a picture of one line', 'image/svg+xml'],
  [PICTURE_PATH, 'getPicture', 'The picture beside a link to a page', 'image/png'],
  [FAVICON_PATH, 'getFavicon', 'The icon of the site', FAVICON_TYPE],
] as const;

/** A file that other sites may show. */
function embedded(operationId: string, summary: string, type: string): PathItem {
  const isText = type !== 'image/png' && type !== FAVICON_TYPE;
  const schema = isText ? { type: 'string' } : {};
  const words = { operationId, summary, tags: TAGS };
  const policy = type === 'image/svg+xml' ? (['Content-Security-Policy'] as const) : [];
  const headers = ['Cross-Origin-Resource-Policy', ...policy] as const;
  const get = recordRead(words, { [type]: { schema } }, [], headers);
  if (type !== 'image/png') return { get };
  // A snapshot of an earlier version has none, until the next is published.
  return { get: { ...get, responses: { ...get.responses, '404': answerRef('NotFound') } } };
}

/** Style, script and picture of the pages. */
function assets(): PathItem {
  const text: MediaType = { schema: { type: 'string' } };
  const operation = bodyRead(
    { operationId: 'getAsset', summary: 'A file of the pages', tags: TAGS },
    { 'text/css': text, 'text/javascript': text, 'image/svg+xml': text },
    [{ ...id, name: 'name' }],
  );
  return {
    get: { ...operation, responses: { ...operation.responses, '404': answerRef('NotFound') } },
  };
}
