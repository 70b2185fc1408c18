import type { IncomingMessage } from 'node:http';
import { freeBytes } from './collected-bytes.js';

/**
 * Returns a function for the chunks of a discarded request, to be called by the one listener that the caller adds
 * afterwards: it frees each chunk at once, unless somebody else reads or has read the request and may still hold the
 * chunk.
 */
export function chunkDiscarder(request: IncomingMessage): (chunk: Buffer) => void {
  let isShared = request.listenerCount('data') > 0;
  return (chunk) => {
    isShared ||= request.listenerCount('data') > 1 || request.listenerCount('readable') > 0;
    if (!isShared) freeBytes(chunk);
  };
}
