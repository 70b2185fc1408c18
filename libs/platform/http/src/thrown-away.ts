import type { IncomingMessage } from 'node:http';
import { freeBytes } from './gathered-bytes.js';

/**
 * For the chunks of a request that is thrown away, to be called by the one listener that the caller adds after this: frees
 * each at once, unless somebody else reads or has read the request, who may still have the chunk.
 */
export function thrownAway(request: IncomingMessage): (chunk: Buffer) => void {
  let isShared = request.listenerCount('data') > 0;
  return (chunk) => {
    isShared ||= request.listenerCount('data') > 1 || request.listenerCount('readable') > 0;
    if (!isShared) freeBytes(chunk);
  };
}
