import type { Http2Server, Http2Session } from 'node:http2';

const PING_MS = 2_000;
/** Time-out of a ping. It is long, because a caller may be busy and its calls have deadlines. */
const MAX_SILENCE_MS = 5_000;
/**
 * Time for the calls of a closing session, longer than the longest deadline of a call. Node sends no ping in a closing
 * session, so a gone caller is not noticed.
 */
const MAX_CLOSING_MS = 20_000;

/**
 * Ends the sessions of gone callers. The keepalive of grpc-js would also end a closing session with calls under way: Node
 * sends no ping there, and grpc-js treats it as unanswered (https://github.com/grpc/grpc-node/issues/3068).
 */
export function keepSessionsAlive(server: Http2Server): void {
  server.on('session', (session: Http2Session) => {
    let closingMs = 0;
    const pings = setInterval(() => {
      // A destroyed session closes later, and a ping of it throws.
      if (session.destroyed) return;
      if (!session.closed) return ping(session);
      closingMs += PING_MS;
      if (closingMs > MAX_CLOSING_MS) session.destroy();
    }, PING_MS).unref();
    session.once('close', () => clearInterval(pings));
  });
}

function ping(session: Http2Session): void {
  // A busy process first reads what has arrived.
  const late = setTimeout(() => setImmediate(() => isAnswered || session.destroy()), MAX_SILENCE_MS).unref();
  let isAnswered = false;
  session.ping(() => {
    isAnswered = true;
    clearTimeout(late);
  });
}
