/** A fault between two processes; `null` elsewhere means none. */
export type NetworkFault =
  /** Delays each piece of data in each direction; pieces of one connection keep their order and wait for each other. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Per connection and direction. */
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** New connections are reset at once; open ones continue. */
  | { readonly kind: 'refuse' }
  /** Connections are accepted and never answered; open ones go silent and continue afterwards. */
  | { readonly kind: 'black-hole' }
  /** The server's end of each connection is gone without the client's knowledge; it is reset when the fault ends. */
  | { readonly kind: 'half-open' }
  /** Requests pass; with this probability an answer is replaced by a reset, so that executed work looks unexecuted. */
  | { readonly kind: 'reset-answer'; readonly chance: number }
  /** Every connection is answered with these bytes and closed; the server receives nothing. */
  | { readonly kind: 'reply'; readonly bytes: Buffer };

/** For `reply` over HTTP/1.1: `status` without a body, then the connection closes. */
export function httpReply(status: number, reason: string): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
