// Downloads in their own process: some read continuously and repeatedly, some stop after the head.

import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions } from '../companion.ts';

export type DownloadQuestion =
  | {
      readonly kind: 'read';
      readonly request: Uint8Array;
      readonly port: number;
      readonly count: number;
      readonly forMs: number;
    }
  | {
      readonly kind: 'stall';
      readonly request: Uint8Array;
      readonly port: number;
      readonly count: number;
    }
  | { readonly kind: 'end' };

/** Bytes a second of continuous downloads. */
export type DownloadAnswer = number;

/** Small requests on the same core have priority: their wait is measured. */
const LAST = 19;

setPriority(LAST);
const stalled = new Set<Socket>();

/** Reads into one buffer and ignores the content. */
function download(port: number, request: Uint8Array, onBytes: (bytes: number) => void): Socket {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const socket = connect({
    port,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback: (bytes) => {
        onBytes(bytes);
        return true;
      },
    },
  });
  socket.write(request);
  return socket;
}

async function read({
  port,
  request,
  count,
  forMs,
}: DownloadQuestion & { kind: 'read' }): Promise<number> {
  let bytes = 0;
  let isOver = false;
  const sockets = new Set<Socket>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const start = (): void => {
    // The server closes each when all is sent, and another begins.
    const socket = download(port, request, (some) => {
      bytes += some;
    });
    sockets.add(socket);
    socket.on('error', reject);
    socket.once('close', () => {
      sockets.delete(socket);
      if (!isOver) start();
    });
  };
  for (let started = 0; started < count; started++) start();
  const begin = performance.now();
  await Promise.race([sleep(forMs), failed]);
  isOver = true;
  const perSecond = (bytes * 1000) / (performance.now() - begin);
  for (const socket of sockets) socket.destroy();
  return perSecond;
}

/** Starts downloads and stops reading. */
async function stall({
  port,
  request,
  count,
}: DownloadQuestion & { kind: 'stall' }): Promise<void> {
  const begun = Array.from({ length: count }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    stalled.add(socket);
    socket.on('error', reject);
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
    return promise;
  });
  await Promise.all(begun);
}

answerQuestions(async (question: DownloadQuestion): Promise<DownloadAnswer> => {
  switch (question.kind) {
    case 'read':
      return read(question);
    case 'stall':
      await stall(question);
      return 0;
    case 'end':
      for (const socket of stalled) socket.destroy();
      stalled.clear();
      return 0;
  }
});
