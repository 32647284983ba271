// A line of the log for each answer, for operators who want one. Addresses are shortened, so that they name no person,
// and what readers search for is left out.

import type { RequestListener } from 'node:http';
import { isIPv4 } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Admission } from './admission/admission.ts';
import { givenId } from './request-ids.ts';

/** Longer ones are not ours. */
const LONGEST_PATH = 200;

export function accessLog(
  logger: Pick<FastifyBaseLogger, 'info'>,
  admission: Pick<Admission, 'clientOf'>,
): RequestListener {
  return (request, response) => {
    const startedAtMs = performance.now();
    const { method, url = '' } = request;
    const path = url.split('?', 1)[0]?.slice(0, LONGEST_PATH);
    const client = shortened(admission.clientOf(request));
    response.once('close', () => {
      const ms = Math.round((performance.now() - startedAtMs) * 10) / 10;
      // A client that went away got no answer.
      const status = response.headersSent ? response.statusCode : null;
      const id = givenId(request);
      logger.info({ client, method, path, status, ms, ...(id && { reqId: id }) }, 'request');
    });
  };
}

/** An IPv4 address without its last byte, an IPv6 network of 48 bits; "-" of what is no address. */
function shortened(client: string): string {
  if (isIPv4(client)) return client.replace(/\d+$/, '0');
  if (!client.includes(':')) return '-';
  const [head = ''] = client.split('::', 1);
  return `${head.split(':').slice(0, 3).join(':')}::`;
}
