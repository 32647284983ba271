// Closes connections whose clients read an answer too slowly: each keeps the memory of the snapshot that
// it is answered from. They are checked at intervals, because a timer for each request costs a tenth of it.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const WINDOW_MS = 60_000;
/** How often connections are checked in that time. */
const CHECKS = 4;
/** What a client has to read in each window while more waits for it. */
const LEAST_BYTES = 256 * 1024;

/** When a connection last had nothing waiting, or had read enough since the time before. */
interface Window {
  readonly takenBytes: number;
  readonly startMs: number;
}

/** Closes the connections that drain slower than 256 KB in a window while something waits for them. */
export function closeStalled(server: Server, windowMs = WINDOW_MS): void {
  const windows = new Map<Socket, Window>();
  server.on('connection', (socket: Socket) => {
    windows.set(socket, { takenBytes: 0, startMs: performance.now() });
    socket.once('close', () => windows.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, { takenBytes, startMs }] of windows) {
      const nowTaken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || nowTaken - takenBytes >= LEAST_BYTES) {
        windows.set(socket, { takenBytes: nowTaken, startMs: nowMs });
      } else if (nowMs - startMs >= windowMs) {
        socket.destroy();
      }
    }
  }, windowMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
