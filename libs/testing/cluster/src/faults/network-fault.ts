/** What goes wrong on a way between two processes; `null` elsewhere means that nothing does. */
export type NetworkFault =
  /** Each piece of data waits so long in each direction; pieces of one connection keep their order and wait for each other. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Of each connection, in each direction. */
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** New connections are reset at once; those that are open go on. */
  | { readonly kind: 'refuse' }
  /** Connections are taken and nothing ever comes back; those that are open fall silent and go on afterwards. */
  | { readonly kind: 'black-hole' }
  /** The server's end of each connection is gone and the client is not told; it is reset when the fault is over. */
  | { readonly kind: 'half-open' }
  /** Requests go through; with this chance an answer is replaced by a reset, so that what was done looks undone. */
  | { readonly kind: 'reset-answer'; readonly chance: number }
  /** Every connection is answered with these bytes and ended, whatever it asks; the server hears nothing. */
  | { readonly kind: 'reply'; readonly bytes: Buffer };

/** For `reply`, over HTTP/1.1: `status` without a body, and the connection is over. */
export function httpReply(status: number, reason: string): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
