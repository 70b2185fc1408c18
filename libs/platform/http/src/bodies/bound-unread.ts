import type { IncomingMessage } from 'node:http';

const UNREAD_BYTES = 4 * 1024;

/**
 * For a body that is streamed on and not read at once. Node buffers 64 KiB of it, which in one-byte chunks is 32 MiB
 * per connection. There is no public way to lower this for one request; if a later Node renames the field, nothing
 * changes.
 */
export function boundUnread(request: IncomingMessage): void {
  const state: unknown = Reflect.get(request, '_readableState');
  if (typeof state === 'object' && state !== null) Reflect.set(state, 'highWaterMark', UNREAD_BYTES);
}
