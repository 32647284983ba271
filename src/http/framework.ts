// The web framework with our settings: errors in our shape, and no body parsed by default.

import { maxHeaderSize } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerFactory,
  LogController,
} from 'fastify';
import { answerError, answerUnreadable } from './problems.ts';
import { requestId } from './request-ids.ts';
import { parseQuery } from './requests.ts';

export function createFramework(
  logger: FastifyBaseLogger,
  serverFactory: FastifyServerFactory,
  onUnreadable: (status: number) => void,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    genReqId: requestId,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests that arrive while the server closes are still answered.
    return503OnClosing: false,
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => onUnreadable(answerUnreadable(error, socket)),
    // The framework answers 414 to longer parameters, but a malformed date of any length gets a 400.
    routerOptions: { maxParamLength: maxHeaderSize, querystringParser: parseQuery },
    serverFactory,
  });
  // Only bodies of the type that a route reads are parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler(answerError);
  return app;
}
