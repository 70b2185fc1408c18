import type { IncomingMessage } from 'node:http';
import { isFinelyCut } from './collected-bytes.js';
import { chunkDiscarder } from './chunk-discarder.js';

const PATIENCE_MS = 5_000;
const MAX_BYTES = 128 * 1024 * 1024;
/** A rest up to this size is read, and the connection is kept. */
const SMALL_BYTES = 64 * 1024;

/** True if more of the body may arrive than is worth reading to keep the connection. */
export function hasLongRest({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BYTES;
}

/**
 * Reads and discards, for a bounded time and amount: closing a connection while its client still sends loses the
 * answer. Calls `done` once.
 */
export function discardRest(request: IncomingMessage, done: () => void): void {
  let left = MAX_BYTES;
  let chunks = 0;
  const free = chunkDiscarder(request);
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
