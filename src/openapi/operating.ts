// Operations for operators and their machines.

import { type OperationIn, ROUTES } from '../model/routes.ts';
import { headersOf } from './headers.ts';
import { answerRef, jsonContent, READ_ERRORS, TEXT } from './responses.ts';
import type { Answers, MediaType, OperationDetails } from '../model/openapi.ts';

const HEADERS = headersOf(['Cache-Control']);

/** Pages of other sites may not read metrics. */
const {
  'Access-Control-Allow-Origin': _allowed,
  'Access-Control-Expose-Headers': _exposed,
  ...METRICS_HEADERS
} = HEADERS;

/** They are never rate limited, and answer before there is a snapshot. */
const {
  '429': _limited,
  '503': _notReady,
  ...ERRORS
} = READ_ERRORS as Record<string, Answers[string]>;

function operatorRead(
  id: OperationIn<'Operating'>,
  content: Readonly<Record<string, MediaType>>,
  more: Answers = {},
  headers: typeof HEADERS = HEADERS,
): OperationDetails {
  const { what: description } = ROUTES[id];
  return { responses: { '200': { description, headers, content }, ...ERRORS, ...more } };
}

export function operatingDetails(): Record<OperationIn<'Operating'>, OperationDetails> {
  return {
    getHealth: operatorRead('getHealth', jsonContent('Health')),
    getReadiness: operatorRead('getReadiness', jsonContent('Readiness'), {
      '503': {
        description: 'The server is starting.',
        headers: HEADERS,
        content: jsonContent('Readiness'),
      },
    }),
    getMetrics: operatorRead(
      'getMetrics',
      { 'text/plain': TEXT },
      { '403': answerRef('OperatorsOnly'), '503': answerRef('MetricsUnavailable') },
      METRICS_HEADERS,
    ),
  };
}
