// Closes connections whose clients read too slowly, because each holds its snapshot in memory. A timer per
// request would cost a tenth of a request, so connections are checked at intervals.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';

/** Checks per window. */
const CHECKS = 4;
/** Begins when nothing was pending, or when enough had drained since the last window. */
interface Window {
  readonly drainedBytes: number;
  readonly startMs: number;
}

/** Closes connections that drain slower than 256 KB per window while data is pending; `onClosed` is called for each. */
export function closeStalled(server: Server, windowMs: number, onClosed: () => void): void {
  const windows = new Map<Socket, Window>();
  server.on('connection', (socket: Socket) => {
    windows.set(socket, { drainedBytes: 0, startMs: performance.now() });
    socket.once('close', () => windows.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, { drainedBytes, startMs }] of windows) {
      const drainedNow = socket.bytesWritten - socket.writableLength;
      if (
        socket.writableLength === 0 ||
        drainedNow - drainedBytes >= HTTP_LIMITS.drainBytes.value
      ) {
        windows.set(socket, { drainedBytes: drainedNow, startMs: nowMs });
      } else if (nowMs - startMs >= windowMs) {
        socket.destroy();
        onClosed();
      }
    }
  }, windowMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
