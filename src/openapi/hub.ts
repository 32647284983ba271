// Operations of WebSub: the request to the hub, and the hub's requests to callbacks.

import { type RefusalCode, REFUSALS } from '../errors.ts';
import { FORM_TYPE } from '../model/hub-form.ts';
import { type OperationIn, ROUTES } from '../model/routes.ts';
import { DOCUMENTS, type DocumentPath, TOPIC_PATHS } from '../snapshot/documents.ts';
import callbacks from './callbacks.json' with { type: 'json' };
import { TEXT, UNREADABLE } from './responses.ts';
import { headersOf, LIMITS } from './headers.ts';
import { bareType } from './reading.ts';
import { schemaRef } from './schemas.ts';
import type { Answer, Operation, OperationDetails } from '../model/openapi.ts';

type Headers = Parameters<typeof headersOf>[0];

const LINE = { 'text/plain': { schema: { type: 'string', pattern: '^[^\\n]+\\n$' } } };

function line(description: string, headers: Headers = []): Answer {
  const names = ['Cache-Control', ...LIMITS, ...headers] as const;
  return { description, headers: headersOf(names), content: LINE };
}

function refusal(code: RefusalCode, headers: Headers = []): Answer {
  return line(REFUSALS[code].detail, headers);
}

const delivery = {
  ...callbacks.delivery,
  requestBody: {
    required: true,
    content: {
      [typeOf(ROUTES.getAtomFeed.path)]: TEXT,
      [typeOf(ROUTES.getReviews.path)]: {
        schema: { anyOf: [schemaRef('Dataset'), schemaRef('JsonFeed')] },
      },
    },
  },
} as Operation;

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
      callback: {
        '{$request.body#/hub.callback}': {
          get: callbacks.verification as Operation,
          post: delivery,
        },
      },
    },
  };
  return { requestSubscription: request };
}
