// Operations of WebSub: the request to the hub, and the hub's requests to callbacks.

import { type RefusalCode, REFUSALS } from '../errors.ts';
import { FORM_TYPE } from '../model/hub-form.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { DOCUMENTS, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import { TEXT, UNREADABLE } from './responses.ts';
import { headersOf, LIMITS } from './headers.ts';
import { bareType } from './reading.ts';
import { schemaRef } from './schemas.ts';
import type { Answer, Operation, OperationDetails, Parameter } from '../model/openapi.ts';

type Headers = Parameters<typeof headersOf>[0];

const LINE = { 'text/plain': { schema: { type: 'string', pattern: '^[^\\n]+\\n$' } } };

function line(description: string, headers: Headers = []): Answer {
  const names = ['Cache-Control', ...LIMITS, ...headers] as const;
  return { description, headers: headersOf(names), content: LINE };
}

function refusal(code: RefusalCode, headers: Headers = []): Answer {
  return line(REFUSALS[code].detail, headers);
}

const fromHub = (name: string, description: string, required = true): Parameter => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
});

const verification: Operation = {
  operationId: 'confirmSubscription',
  summary: 'The hub verifies the intent of the subscriber',
  description:
    "The parameters are appended to the callback's own query. To confirm, answer any 2xx with exactly the " +
    'challenge. `hub.mode=denied` has no challenge and expects no answer.',
  tags: ['WebSub'],
  parameters: [
    {
      ...fromHub('hub.mode', 'the requested change'),
      schema: { type: 'string', enum: ['subscribe', 'unsubscribe', 'denied'] },
    },
    fromHub('hub.topic', 'the topic, as requested'),
    fromHub('hub.challenge', 'the body of the answer, byte for byte', false),
    fromHub('hub.lease_seconds', 'length of the lease, with subscribe', false),
    fromHub('hub.reason', 'the reason, with denied', false),
    fromHub('hub.verify_token', 'the token of the request, if any', false),
  ],
  responses: {
    '2XX': {
      description: 'Confirmed. The body is the challenge.',
      content: { 'text/plain': TEXT },
    },
    default: { description: 'Not confirmed: nothing changes.' },
  },
};

const delivery: Operation = {
  operationId: 'receiveDelivery',
  summary: 'The hub delivers the content of a topic',
  description: 'Body and Content-Type are those of a GET of the topic.',
  tags: ['WebSub'],
  parameters: [
    {
      name: 'Link',
      in: 'header',
      required: true,
      description: 'The topic (`rel="self"`), then the hub (`rel="hub"`).',
      schema: { type: 'string' },
    },
    {
      name: 'X-Hub-Signature',
      in: 'header',
      description: '`sha256=` and the HMAC of the body in hexadecimal, if there is a secret.',
      schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      [typeOf(ROUTES.getAtomFeed.path)]: TEXT,
      [typeOf(ROUTES.getReviews.path)]: {
        schema: { anyOf: [schemaRef('Dataset'), schemaRef('JsonFeed')] },
      },
    },
  },
  responses: {
    '2XX': { description: 'Acknowledged. The body is ignored.' },
    '410': { description: 'Ends the subscription.' },
    default: { description: 'Not acknowledged: the hub retries.' },
  },
};

function typeOf(path: DocumentPath): string {
  return bareType(DOCUMENTS[path].contentType);
}

export function hubDetails(origin: string): Record<OperationIn<'WebSub'>, OperationDetails> {
  const request: OperationDetails = {
    description: `W3C WebSub. The topics are ${TOPIC_PATHS.map((path) => origin + path).join(', ')}.`,
    requestBody: {
      required: true,
      description: 'UTF-8, 8 KiB at most, not compressed.',
      content: { [FORM_TYPE]: { schema: schemaRef('SubscriptionRequest') } },
    },
    responses: {
      '202': line('Accepted: the callback will be asked to confirm.'),
      '400': line('Refused. One line names everything that is wrong.'),
      '405': refusal('post_only', ['Allow']),
      '413': line('The body is over 8 KiB.'),
      '415': refusal('unsupported_form'),
      '429': line('Too many requests of this client, or subscriptions of this host.', [
        'Retry-After',
      ]),
      '500': line('The server failed. The line has the id of the log entry.'),
      '503': line('Too many requests wait to be verified, or the server is starting.', [
        'Retry-After',
      ]),
      ...UNREADABLE,
    },
    callbacks: {
      callback: { '{$request.body#/hub.callback}': { get: verification, post: delivery } },
    },
  };
  return { requestSubscription: request };
}
