import type { IncomingMessage } from 'node:http';

const UNREAD_BYTES = 4 * 1024;

/**
 * For a body that is handed on and not read at once. Node keeps 64 KiB of it: of chunks of one byte that is 32 MiB for each
 * connection. There is no public way to say less for one request; where a later Node names it otherwise, nothing changes.
 */
export function boundUnread(request: IncomingMessage): void {
  const state: unknown = Reflect.get(request, '_readableState');
  if (typeof state === 'object' && state !== null) Reflect.set(state, 'highWaterMark', UNREAD_BYTES);
}
