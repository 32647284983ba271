// Closes connections whose clients read too slowly, because each holds its snapshot in memory. A timer per
// request would cost a tenth of a request, so connections are checked at intervals.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const WINDOW_MS = 60_000;
/** Checks per window. */
const CHECKS = 4;
/** Bytes that must drain in each window while data is pending. */
const MIN_BYTES = 256 * 1024;

/** Begins when nothing was pending, or when enough had drained since the last window. */
interface Window {
  readonly drainedBytes: number;
  readonly startMs: number;
}

/** Closes connections that drain slower than 256 KB per window while data is pending. */
export function closeStalled(server: Server, windowMs = WINDOW_MS): void {
  const windows = new Map<Socket, Window>();
  server.on('connection', (socket: Socket) => {
    windows.set(socket, { drainedBytes: 0, startMs: performance.now() });
    socket.once('close', () => windows.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, { drainedBytes, startMs }] of windows) {
      const drainedNow = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || drainedNow - drainedBytes >= MIN_BYTES) {
        windows.set(socket, { drainedBytes: drainedNow, startMs: nowMs });
      } else if (nowMs - startMs >= windowMs) {
        socket.destroy();
      }
    }
  }, windowMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
