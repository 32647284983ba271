// Operations of the web pages, and of the files that they and other sites use.

import { sentimentSchema } from '../model/insights.ts';
import { cursorSchema } from '../model/cursor.ts';
import { OPERATION_IDS, type OperationIn, ROUTES } from '../model/routes.ts';
import { EMBED_PARAMETERS } from '../site/developers/embed-page.ts';
import { SUBJECT_PATHS } from '../site/parts/links.ts';
import { FAVICON_TYPE } from '../site/pictures/favicon.ts';
import { SHARED_KINDS } from '../site/pictures/share-picture.ts';
import {
  answerRef,
  BINARY,
  HTML_CONTENT,
  jsonContent,
  PAGE_HEADERS,
  READ_ERRORS,
  TEXT,
} from './responses.ts';
import { headersOf, optionalHeaders } from './headers.ts';
import { conditionalParameters, read, searchParameters } from './reading.ts';
import { inputSchema } from './schemas.ts';
import type { Answers, OperationDetails, Parameter } from '../model/openapi.ts';

const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string' },
};

/** Part of a list of subjects; invalid values are ignored. */
const pageParameter: Parameter = {
  name: 'page',
  in: 'query',
  description: 'number of the part of the list',
  schema: { type: 'integer', minimum: 1 },
};

/** Filters of the reviews on the page of a subject; invalid values are ignored. */
const listParameters: readonly Parameter[] = [
  {
    name: 'sentiment',
    in: 'query',
    description: 'only the reviews with this sentiment about the subject',
    schema: inputSchema(sentimentSchema),
  },
  {
    name: 'cursor',
    in: 'query',
    description: 'from the link to the next page',
    schema: inputSchema(cursorSchema),
  },
];

/** What the configurator builds; invalid values are ignored. */
const embedParameters = [...EMBED_PARAMETERS].map((name): Parameter => ({
  name,
  in: 'query',
  schema: { type: 'string' },
}));

/** The page of an invalid search; a malformed URL is answered in JSON. */
const INVALID: Answers = {
  '400': {
    description: 'The filters cannot be applied.',
    headers: {
      ...optionalHeaders(PAGE_HEADERS),
      ...headersOf(['Cache-Control', 'Content-Encoding']),
    },
    content: { ...HTML_CONTENT, ...jsonContent('Problem') },
  },
};

/** The parameters of pages that have other ones than their path tells. */
const PARAMETERS: Partial<Record<OperationIn<'Pages'>, readonly Parameter[]>> = {
  showReviews: searchParameters(),
  showReview: [idParameter],
  showLocation: [idParameter],
  showEmbed: embedParameters,
};

const LISTS: readonly string[] = Object.values(SUBJECT_PATHS);

function parametersOf(id: OperationIn<'Pages'>): readonly Parameter[] {
  const { path } = ROUTES[id];
  if (LISTS.includes(path)) return [pageParameter];
  return PARAMETERS[id] ?? (path.includes(':id') ? [idParameter, ...listParameters] : []);
}

function page(id: OperationIn<'Pages'>): OperationDetails {
  const { path, what: description } = ROUTES[id];
  const mayMiss = path.includes(':id') || LISTS.includes(path);
  return {
    parameters: [...parametersOf(id), ...conditionalParameters({ isDated: false })],
    responses: {
      '200': {
        description,
        headers: headersOf([...PAGE_HEADERS, 'ETag', 'Content-Encoding']),
        content: { ...HTML_CONTENT, 'text/markdown': TEXT },
      },
      '302': answerRef('PageRedirect'),
      '304': answerRef('PageNotModified'),
      ...READ_ERRORS,
      '503': answerRef('PageNotReady'),
      ...(id === 'showReviews' && INVALID),
      ...(mayMiss && { '404': answerRef('PageMissing') }),
    },
  };
}

export function pageDetails(): Record<OperationIn<'Pages'>, OperationDetails> {
  const ids = OPERATION_IDS.filter((id) => ROUTES[id].group === 'Pages');
  return Object.fromEntries(ids.map((id) => [id, page(id as OperationIn<'Pages'>)])) as ReturnType<
    typeof pageDetails
  >;
}

export function fileDetails(): Record<OperationIn<'Files'>, OperationDetails> {
  const name: Parameter = { ...idParameter, name: 'name' };
  const kind = { ...name, name: 'kind', schema: { type: 'string', enum: [...SHARED_KINDS] } };
  const shared = { headers: ['Cross-Origin-Resource-Policy'] } as const;
  const named = { parameters: [name], isCompressed: true, missing: 'NotFound' } as const;
  const script = { content: { 'text/javascript': TEXT }, ...shared };
  const png = { 'image/png': BINARY };
  const sharePicture = read('getSharePicture', {
    content: png,
    ...shared,
    ...named,
    parameters: [kind, name],
  });
  return {
    getAsset: read('getAsset', {
      content: { 'text/css': TEXT, 'text/javascript': TEXT, 'image/svg+xml': TEXT },
      ...named,
    }),
    getEmbedScript: read('getEmbedScript', script),
    getEmbedData: read('getEmbedData', script),
    getEmbedReview: read('getEmbedReview', { ...script, parameters: [name], missing: 'NotFound' }),
    getBadge: read('getBadge', {
      content: { 'image/svg+xml': TEXT },
      headers: [...shared.headers, 'Content-Security-Policy'],
    }),
    getLocationFile: read('getLocationFile', {
      content: {
        'application/atom+xml': TEXT,
        'application/json': TEXT,
        'image/svg+xml': TEXT,
        'text/javascript': TEXT,
      },
      ...shared,
      parameters: [idParameter, name],
      missing: 'NotFound',
    }),
    getPicture: read('getPicture', { content: png, ...shared, isCompressed: true }),
    // A picture that is one too many leads to that of the business.
    getSharePicture: {
      ...sharePicture,
      responses: { ...sharePicture.responses, '302': answerRef('PictureRedirect') },
    },
    getHeader: read('getHeader', {
      content: { ...png, 'image/jpeg': BINARY, 'image/webp': BINARY },
      ...shared,
      ...named,
    }),
    getLogo: read('getLogo', {
      content: { 'image/svg+xml': TEXT, ...png, 'image/jpeg': BINARY },
      ...shared,
      ...named,
    }),
    getFavicon: read('getFavicon', { content: { [FAVICON_TYPE]: BINARY }, ...shared }),
  };
}
