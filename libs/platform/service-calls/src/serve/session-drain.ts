import { constants } from 'node:http2';
import type { Http2Server, Http2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

/** A GOAWAY with the highest id: the caller opens no more calls, and sent calls are served. */
const MAX_STREAM_ID = 2 ** 31 - 1;
/** Time-out of the ping that confirms the GOAWAY */
const MAX_CONFIRM_MS = 1_000;

/**
 * Ends HTTP/2 sessions without losing a call. One GOAWAY is not enough: a call that crosses it may reach an ended session.
 * So the first GOAWAY names the highest id, a ping confirms that the caller read it, and then the last GOAWAY is sent.
 */
export class SessionDrain {
  readonly #sessions = new Set<Http2Session>();
  readonly #connections = new Set<Duplex>();
  #isDraining = false;
  #whenDrained: () => void = () => undefined;

  /** Call it before the first connection. */
  watch(server: Http2Server): void {
    server.on('session', (session: Http2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      if (this.#isDraining) end(session);
    });
  }

  /** Adds a connection that was handed to the server. */
  add(connection: Duplex): void {
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#whenDrained();
    });
  }

  /** Resolves when every call has ended and every caller has left. After `graceMs`, closes the connections. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    for (const session of this.#sessions) end(session);
    if (this.#connections.size === 0) return;
    const drained = new Promise<void>((resolve) => (this.#whenDrained = resolve));
    const late = setTimeout(() => this.#cut(), graceMs);
    await drained;
    clearTimeout(late);
  }

  /** Destroys the connections instead of resetting their calls: callers would read a reset as their own cancel. */
  #cut(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}

function end(session: Http2Session): void {
  if (session.closed || session.destroyed) return;
  const close = (): void => {
    clearTimeout(late);
    session.close();
  };
  const late = setTimeout(close, MAX_CONFIRM_MS);
  session.goaway(constants.NGHTTP2_NO_ERROR, MAX_STREAM_ID);
  session.ping(close);
}
