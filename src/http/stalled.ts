// Readers that stop taking what they asked for: each would keep the memory of the snapshot that it was
// answered from. They are looked for now and then, because a timer for every request takes a tenth of it.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const PATIENCE_MS = 60_000;
/** How often in that time they are looked for. */
const LOOKS = 4;

/** Ends the connections whose readers take not one piece of what waits for them in so long. */
export function endStalled(server: Server, patienceMs = PATIENCE_MS): void {
  const sockets = new Map<Socket, { readonly taken: number; readonly at: number }>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { taken: 0, at: performance.now() });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of sockets) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== last.taken)
        sockets.set(socket, { taken, at: now });
      else if (now - last.at >= patienceMs) socket.destroy();
    }
  }, patienceMs / LOOKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
