// The part of the document about what operators ask.

import { answerRef, jsonContent, READ_ERRORS } from './responses.ts';
import { headersOf } from './headers.ts';
import type { Answers, MediaType, Operation, Paths } from './types.ts';

const HEADERS = headersOf(['Cache-Control'], { isLimited: false });

/** These are never limited, and answer before there is anything to read. */
const {
  '429': _limited,
  '503': _notReady,
  ...ERRORS
} = READ_ERRORS as Record<string, Answers[string]>;

function operatorRead(
  operationId: string,
  summary: string,
  content: Readonly<Record<string, MediaType>>,
): Operation {
  return {
    operationId,
    summary,
    tags: ['Operating'],
    responses: { '200': { description: summary, headers: HEADERS, content }, ...ERRORS },
  };
}

export function operatingPaths({ metrics }: { readonly metrics: boolean }): Paths {
  const readiness = operatorRead(
    'getReadiness',
    'Whether reviews are served',
    jsonContent('Readiness'),
  );
  const paths: Paths = {
    '/healthz': {
      get: operatorRead('getHealth', 'Whether the process lives', jsonContent('Health')),
    },
    '/readyz': {
      get: {
        ...readiness,
        responses: {
          ...readiness.responses,
          '503': {
            description: 'The server has only just started.',
            headers: HEADERS,
            content: jsonContent('Readiness'),
          },
        },
      },
    },
  };
  if (!metrics) return paths;
  const prometheus = { 'text/plain': { schema: { type: 'string' } } };
  const metricsRead = operatorRead('getMetrics', 'Metrics for Prometheus', prometheus);
  return {
    ...paths,
    '/metrics': {
      get: {
        ...metricsRead,
        responses: { ...metricsRead.responses, '403': answerRef('OperatorsOnly') },
      },
    },
  };
}
