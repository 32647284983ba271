// Sends requests over one persistent connection.

import { connect, type Socket } from 'node:net';
import { AnswerReader } from './answer-reader.ts';

interface Asking {
  /** The bytes of the next request. */
  readonly next: () => Uint8Array;
  readonly onAnswer: () => void;
  readonly onError: (error: Error) => void;
}

/** Sends the next request after each answer, until the socket is destroyed. */
export function ask(origin: string, { next, onAnswer, onError }: Asking): Socket {
  const { hostname, port } = new URL(origin);
  const reader = new AnswerReader();
  const socket = connect(Number(port), hostname, () => socket.write(next()));
  socket.setNoDelay(true);
  socket.once('error', onError);
  socket.once('end', () => onError(new Error('the server has closed a connection')));
  socket.on('data', (chunk) => {
    if (!reader.take(chunk)) return;
    if (reader.status >= 400) {
      onError(new Error(`an answer has ${reader.status}`));
      return;
    }
    onAnswer();
    if (!socket.destroyed) socket.write(next());
  });
  return socket;
}

/** Sends one request and waits for the whole answer. */
export async function askOnce(origin: string, request: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = ask(origin, {
    next: () => request,
    onAnswer: () => {
      socket.destroy();
      resolve();
    },
    onError: reject,
  });
  await promise;
}
