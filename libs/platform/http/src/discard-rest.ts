import type { IncomingMessage } from 'node:http';
import { isFinelyCut } from './gathered-bytes.js';
import { thrownAway } from './thrown-away.js';

const PATIENCE_MS = 5_000;
const MAX_BYTES = 128 * 1024 * 1024;
/** A rest of this size is read by the server itself; the connection can go on. */
const SMALL_BYTES = 64 * 1024;

/** True while more of the body may come than is worth waiting for on a connection that is to be used again. */
export function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

/**
 * Reads on without keeping anything, for a bounded time and amount: a connection that is closed while its client still
 * sends loses the answer on its way. Calls `done` once.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let left = MAX_BYTES;
  let chunks = 0;
  const free = thrownAway(request);
  const finish = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', finish).off('close', finish).pause();
    done();
  };
  const count = (chunk: Buffer): void => {
    left -= chunk.length;
    chunks += 1;
    free(chunk);
    if (left < 0 || isFinelyCut(chunks, MAX_BYTES - left)) finish();
  };
  const timer = setTimeout(finish, PATIENCE_MS).unref();
  request.on('data', count).once('end', finish).once('close', finish).resume();
}
