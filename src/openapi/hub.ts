// The part of the document about WebSub: what subscribers ask of the hub, and what the hub asks of
// them and sends them.

import { type RefusalCode, REFUSALS } from '../errors.ts';
import { FORM_TYPE } from '../model/hub-form.ts';
import { DOCUMENTS, HUB_PATH, TOPIC_PATHS } from '../snapshot/documents.ts';
import { UNREADABLE } from './responses.ts';
import { headersOf } from './headers.ts';
import { schemaRef } from './schemas.ts';
import type { Answer, Operation, Parameter, Paths } from './types.ts';

type Headers = Parameters<typeof headersOf>[0];

const LINE = { 'text/plain': { schema: { type: 'string', pattern: '^[^\\n]+\\n$' } } };

function line(description: string, headers: Headers = [], { isLimited = true } = {}): Answer {
  return {
    description,
    headers: headersOf(['Cache-Control', ...headers], { isLimited }),
    content: LINE,
  };
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

/** The hub asks whether it was you, or tells that a subscription is denied. */
const verification: Operation = {
  operationId: 'confirmSubscription',
  summary: 'The hub asks whether it was you',
  description:
    "These are appended to the callback's own query. Answer with any 2xx and exactly the challenge, " +
    'if you did ask. With `hub.mode=denied` there is no challenge, and nothing to answer.',
  tags: ['WebSub'],
  parameters: [
    {
      ...fromHub('hub.mode', 'what is asked'),
      schema: { enum: ['subscribe', 'unsubscribe', 'denied'] },
    },
    fromHub('hub.topic', 'the topic, as it was asked for'),
    fromHub('hub.challenge', 'to be answered, byte for byte', false),
    fromHub('hub.lease_seconds', 'the lease that is granted, with subscribe', false),
    fromHub('hub.reason', 'why, with denied', false),
    fromHub('hub.verify_token', 'the one that was sent, if any', false),
  ],
  responses: {
    '2XX': {
      description: 'It was. The body is the challenge.',
      content: { 'text/plain': { schema: { type: 'string' } } },
    },
    default: { description: 'It was not: everything stays as it was.' },
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
      description: '`sha256=` and the HMAC of the body in hexadecimal, where there is a secret.',
      schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    },
  ],
  requestBody: {
    required: true,
    content: {
      [typeOf('/feed.xml')]: { schema: { type: 'string' } },
      [typeOf('/reviews.json')]: {
        schema: { anyOf: [schemaRef('Dataset'), schemaRef('JsonFeed')] },
      },
    },
  },
  responses: {
    '2XX': { description: 'Acknowledged. The body is not read.' },
    '410': { description: 'Ends the subscription.' },
    default: { description: 'Not acknowledged: it is tried again.' },
  },
};

function typeOf(path: keyof typeof DOCUMENTS): string {
  return DOCUMENTS[path].contentType.split(';')[0] as string;
}

export function hubPaths(origin: string): Paths {
  const request: Operation = {
    operationId: 'requestSubscription',
    summary: 'Subscribe or unsubscribe',
    description: `W3C WebSub. The topics are ${TOPIC_PATHS.map((path) => origin + path).join(', ')}.`,
    tags: ['WebSub'],
    requestBody: {
      required: true,
      description: 'UTF-8, 8 KiB at most, not compressed.',
      content: { [FORM_TYPE]: { schema: schemaRef('SubscriptionRequest') } },
    },
    responses: {
      '202': line('Accepted: the callback will be asked to confirm.'),
      '400': line('Refused: all that is wrong, in one line.'),
      '405': refusal('post_only', ['Allow']),
      '413': line('The body is over 8 KiB.'),
      '415': refusal('unsupported_form'),
      '429': line('Too many requests of this client, or subscriptions of this host.', [
        'Retry-After',
      ]),
      '500': line('The server failed. The line has the id under which it was logged.'),
      '503': line('Too many requests wait to be verified, or the server has only just started.', [
        'Retry-After',
      ]),
      ...UNREADABLE,
    },
    callbacks: {
      callback: { '{$request.body#/hub.callback}': { get: verification, post: delivery } },
    },
  };
  return { [HUB_PATH]: { post: request } };
}
