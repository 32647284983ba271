// Operations of the web pages, and of the files that they and other sites use.

import { sentimentSchema } from '../model/insights.ts';
import { cursorSchema } from '../model/cursor.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { EMBED_PARAMETERS } from '../site/developers/embed-page.ts';
import { FAVICON_TYPE } from '../site/pictures/favicon.ts';
import { SHARED_KINDS } from '../site/pictures/share-picture.ts';
import { orNotFound } from './about.ts';
import { answerRef, HTML_CONTENT, jsonContent, PAGE_HEADERS, READ_ERRORS } from './responses.ts';
import { headersOf, optionalHeaders, type OtherHeader } from './headers.ts';
import { bodyRead, conditionalParameters, recordRead, searchParameters } from './reading.ts';
import { inputSchema } from './schemas.ts';
import type { Answers, MediaType, OperationDetails, Parameter } from './types.ts';

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

function page(
  id: OperationIn<'Pages'>,
  parameters: readonly Parameter[] = [],
  more: Answers = {},
): OperationDetails {
  return {
    parameters: [...parameters, ...conditionalParameters({ dated: false })],
    responses: {
      '200': {
        description: ROUTES[id].what,
        headers: headersOf([...PAGE_HEADERS, 'ETag', 'Content-Encoding']),
        content: HTML_CONTENT,
      },
      '302': answerRef('PageRedirect'),
      '304': answerRef('PageNotModified'),
      ...READ_ERRORS,
      ...more,
    },
  };
}

/** What the configurator builds; invalid values are ignored. */
function embedParameters(): Parameter[] {
  return [...EMBED_PARAMETERS].map((name) => ({
    name,
    in: 'query' as const,
    schema: { type: 'string' as const },
  }));
}

const MISSING: Answers = { '404': answerRef('PageMissing') };

/** The page of an invalid search; a malformed URL is answered in JSON. */
const INVALID: Answers = {
  '400': {
    description: 'The filters cannot be applied.',
    headers: {
      ...headersOf(['Cache-Control', 'Content-Encoding']),
      ...optionalHeaders([
        'Content-Security-Policy',
        'Referrer-Policy',
        'Content-Language',
        'Vary',
      ]),
    },
    content: { ...HTML_CONTENT, ...jsonContent('Problem') },
  },
};

export function pageDetails(): Record<OperationIn<'Pages'>, OperationDetails> {
  const subject = (operation: OperationIn<'Pages'>) =>
    page(operation, [idParameter, ...listParameters], MISSING);
  const list = (operation: OperationIn<'Pages'>) => page(operation, [pageParameter], MISSING);
  return {
    showHome: page('showHome'),
    showReviews: page('showReviews', searchParameters(), INVALID),
    showReview: page('showReview', [idParameter], MISSING),
    showQuestions: page('showQuestions'),
    showSummary: page('showSummary'),
    showVerification: page('showVerification'),
    showTransparency: page('showTransparency'),
    showDevelopers: page('showDevelopers'),
    showReference: page('showReference'),
    showEmbed: page('showEmbed', embedParameters()),
    listTechnicians: list('listTechnicians'),
    showTechnicians: subject('showTechnicians'),
    listServices: list('listServices'),
    showServices: subject('showServices'),
    listAreas: list('listAreas'),
    showAreas: subject('showAreas'),
    listTopics: list('listTopics'),
    showTopics: subject('showTopics'),
    listAspects: list('listAspects'),
    showAspects: subject('showAspects'),
    listProblems: list('listProblems'),
    showProblems: subject('showProblems'),
  };
}

const TEXT: MediaType = { schema: { type: 'string' } };
const BINARY: MediaType = { schema: {} };

export function fileDetails(): Record<OperationIn<'Files'>, OperationDetails> {
  const name: Parameter = { ...idParameter, name: 'name' };
  const types = { 'text/css': TEXT, 'text/javascript': TEXT, 'image/svg+xml': TEXT };
  const logoTypes = { 'image/svg+xml': TEXT, 'image/png': BINARY, 'image/jpeg': BINARY };
  const headerTypes = { 'image/png': BINARY, 'image/jpeg': BINARY, 'image/webp': BINARY };
  return {
    getAsset: orNotFound(bodyRead('getAsset', types, [name])),
    getEmbedScript: embedded('getEmbedScript', { 'text/javascript': TEXT }),
    getEmbedData: embedded('getEmbedData', { 'text/javascript': TEXT }),
    getEmbedReview: orNotFound(embedded('getEmbedReview', { 'text/javascript': TEXT }, [], [name])),
    getBadge: embedded('getBadge', { 'image/svg+xml': TEXT }, ['Content-Security-Policy']),
    // Publishing leaves a picture out that it cannot draw.
    getPicture: orNotFound(embedded('getPicture', { 'image/png': BINARY })),
    getSharePicture: orRedirect(
      orNotFound(
        bodyRead(
          'getSharePicture',
          { 'image/png': BINARY },
          [
            { ...idParameter, name: 'kind', schema: { type: 'string', enum: [...SHARED_KINDS] } },
            name,
          ],
          ['Cross-Origin-Resource-Policy'],
        ),
      ),
    ),
    getHeader: orNotFound(
      bodyRead('getHeader', headerTypes, [name], ['Cross-Origin-Resource-Policy']),
    ),
    getLogo: orNotFound(bodyRead('getLogo', logoTypes, [name], ['Cross-Origin-Resource-Policy'])),
    getFavicon: embedded('getFavicon', { [FAVICON_TYPE]: BINARY }),
  };
}

/** A picture that is one too many leads to that of the business. */
function orRedirect(details: OperationDetails): OperationDetails {
  return { ...details, responses: { ...details.responses, '302': answerRef('PictureRedirect') } };
}

/** A file that other sites may show. */
function embedded(
  id: OperationIn<'Files'>,
  content: Readonly<Record<string, MediaType>>,
  more: readonly OtherHeader[] = [],
  parameters: readonly Parameter[] = [],
): OperationDetails {
  return recordRead(id, content, parameters, ['Cross-Origin-Resource-Policy', ...more]);
}
