import type { IncomingMessage } from 'node:http';

const PATIENCE_MS = 5_000;
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Reads on without keeping anything, for a bounded time and amount: a connection that is closed while its client still
 * sends loses the answer on its way.
 */
export function discardRest(request: IncomingMessage): void {
  let left = MOST_BYTES;
  const giveUp = (): void => void request.socket.destroy();
  const timer = setTimeout(giveUp, PATIENCE_MS);
  const done = (): void => clearTimeout(timer);
  request
    .on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) giveUp();
    })
    .once('end', done)
    .once('close', done)
    .resume();
}
