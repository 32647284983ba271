// An attacker in its own process: keeps a number of connections that repeat an attack until it is stopped.

import { connect, type Socket } from 'node:net';
import { answerQuestions } from '../companion.ts';

export interface AttackQuestion {
  readonly origin: string;
  readonly connections: number;
  /** Sent when a connection opens. */
  readonly first: string;
  /** Sent after every answer; null sends nothing more. */
  readonly next: string | null;
  /** Sent at intervals, without waiting for answers; null sends nothing. */
  readonly drip: string | null;
  /** Whether answers are read. */
  readonly reads: boolean;
  readonly forMs: number;
}

const DRIP_MS = 500;
const REOPEN_MS = 50;

async function attack(question: AttackQuestion): Promise<number> {
  const { origin, connections, first, next, drip, reads, forMs } = question;
  const { hostname, port } = new URL(origin);
  let [isOver, answers] = [false, 0];
  const sockets = new Set<Socket>();
  const open = () => {
    const socket = connect(Number(port), hostname, () => socket.write(first));
    sockets.add(socket);
    // The server may close a connection at any time.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      if (!isOver) setTimeout(open, REOPEN_MS);
    });
    if (!reads) socket.pause();
    else {
      socket.on('data', (chunk: Buffer) => {
        if (!chunk.includes('HTTP/1.1 ')) return;
        answers += 1;
        if (next !== null) socket.write(next);
      });
    }
  };
  for (let index = 0; index < connections; index++) open();
  const timer = setInterval(() => {
    if (drip === null) return;
    for (const socket of sockets) if (!socket.connecting) socket.write(drip);
  }, DRIP_MS);
  await new Promise((resolve) => setTimeout(resolve, forMs));
  isOver = true;
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  return answers;
}

answerQuestions(attack);
