// Limits connections: in all, and of one client address, so that no client can take them from the others.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import { clientKey } from './callers.ts';

/** The limits that close a connection: of all connections, of its client, of waiting requests, of speed. */
export const REFUSAL_REASONS = ['all', 'client', 'pipeline', 'stalled'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

type Limits = Pick<Config, 'maxConnections' | 'maxConnectionsPerClient' | 'trustProxy'>;

/** Closes new connections beyond the limits; `onRefused` is called for each. 0 means unlimited. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerClient, trustProxy }: Limits,
  onRefused: (reason: RefusalReason) => void,
): void {
  if (maxConnections > 0) server.maxConnections = maxConnections;
  server.on('drop', () => onRefused('all'));
  // The connections of a trusted proxy belong to many clients.
  if (trustProxy !== false || maxConnectionsPerClient === 0) return;
  const counts = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (!isPublic(remoteAddress)) return;
    const client = clientKey(remoteAddress);
    const count = (counts.get(client) ?? 0) + 1;
    if (count > maxConnectionsPerClient) {
      socket.destroy();
      onRefused('client');
      return;
    }
    counts.set(client, count);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    });
  });
}

/** Other addresses are those of proxies and gateways, whose connections belong to many clients. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
