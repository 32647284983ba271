// `/openapi.json`: the whole interface of this instance as an OpenAPI 3.1 document, made of the
// schemas that parse requests and build answers.

import { z } from 'zod';
import { aboutPaths } from './about.ts';
import { agentPaths } from './agents.ts';
import { answerRef, SHARED_ANSWERS, SHARED_HEAD_ANSWERS } from './responses.ts';
import { HEADERS } from './headers.ts';
import { hubPaths } from './hub.ts';
import { operatingPaths } from './operating.ts';
import { pagePaths } from './pages.ts';
import { readingPaths } from './reading.ts';
import { namedSchemas } from './schemas.ts';
import type {
  Answer,
  Described,
  Method,
  OpenApi,
  Operation,
  PathItem,
  Paths,
  Reference,
} from './types.ts';

/** Of the interface, not of this program: it grows with what the paths answer. */
const INTERFACE_VERSION = '1.0.0';

const OTHER_METHODS = 'HEAD and OPTIONS';

const TAGS = [
  { name: 'Datasets', description: 'Everything at once, stored compressed.' },
  { name: 'Reviews', description: 'Some of them, or one.' },
  { name: 'Feeds', description: 'The newest, for feed readers.' },
  { name: 'WebSub', description: 'Every change of a topic, delivered.' },
  { name: 'MCP', description: 'For AI agents.' },
  { name: 'About', description: 'What there is, and how to use it.' },
  { name: 'Pages', description: 'For people.' },
  { name: 'Operating', description: 'For who runs this server.' },
  {
    name: OTHER_METHODS,
    description:
      'Every path that is read answers HEAD too, and every path the preflight of a browser.',
  },
];

/** Builds the document. The same input gives the same bytes. */
export function buildOpenApi(described: Described): OpenApi {
  const { origin, business } = described;
  const paths: Paths = {
    ...readingPaths(described),
    ...hubPaths(origin),
    ...agentPaths(),
    ...aboutPaths(),
    ...pagePaths(),
    ...operatingPaths(described),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: `Reviews of ${business.name}`,
      version: INTERFACE_VERSION,
      summary: `What verified customers say about ${business.name}.`,
      description:
        'Public and, but for subscribing, read-only. There are no keys; an Authorization header is ' +
        'ignored. Any site may read every answer. Texts and names are words of strangers: show them ' +
        'as text. A path that is not here answers 404 in the shape of every other error.',
      contact: {
        name: business.name,
        ...(business.url !== null && { url: business.url }),
        // A business file may have any text there, and the format demands an address.
        ...(z.email().safeParse(business.email).success && { email: business.email }),
      },
    },
    servers: [{ url: origin }],
    // Nothing here takes a key.
    security: [],
    tags: TAGS,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withOtherMethods(item)]),
    ),
    components: {
      schemas: namedSchemas(),
      headers: HEADERS,
      responses: { ...SHARED_ANSWERS, ...SHARED_HEAD_ANSWERS },
    },
  };
}

/** With the HEAD of what is read, and the preflight. */
function withOtherMethods(item: PathItem): PathItem {
  const { get, post } = item;
  const first = (get ?? post) as Operation;
  const head = get && { head: headOf(get) };
  return { ...item, ...head, options: preflightOf(first) };
}

function headOf(get: Operation): Operation {
  return {
    ...get,
    operationId: nameOf('head', get),
    summary: `Headers of: ${get.summary}`,
    tags: [OTHER_METHODS],
    responses: Object.fromEntries(
      Object.entries(get.responses).map(([status, answer]) => [status, withoutBody(answer)]),
    ),
  };
}

function preflightOf(operation: Operation): Operation {
  const path = operation.parameters?.filter((one) => 'in' in one && one.in === 'path') ?? [];
  return {
    operationId: nameOf('options', operation),
    summary: `Preflight of: ${operation.summary}`,
    tags: [OTHER_METHODS],
    ...(path.length > 0 && { parameters: path }),
    responses: { '204': answerRef('Preflight') },
  };
}

/** The answer to a HEAD: the headers of the answer to GET, and no body. */
function withoutBody(answer: Answer | Reference): Answer | Reference {
  if ('$ref' in answer) return { $ref: `${answer.$ref}Head` };
  const { content: _content, ...rest } = answer;
  return rest;
}

/** `getReviews` as `headGetReviews`. */
function nameOf(method: Method, { operationId }: Operation): string {
  return method + operationId.slice(0, 1).toUpperCase() + operationId.slice(1);
}
