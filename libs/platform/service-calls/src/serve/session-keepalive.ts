import type { Http2Server, Http2Session } from 'node:http2';

const PING_MS = 2_000;
/** A caller that answers no ping for so long is gone. It may just be busy, and its calls have deadlines of their own. */
const MAX_SILENCE_MS = 5_000;
/**
 * For the calls of a session that closes: Node sends no ping there that would show whether their caller is gone. Longer than the
 * longest deadline of a call.
 */
const MAX_CLOSING_MS = 20_000;

/**
 * Ends the sessions of callers that are gone. grpc-js would end a session that closes with calls under way: Node sends no ping
 * there, and grpc-js takes that for a caller that is gone (https://github.com/grpc/grpc-node/issues/3068).
 */
export function keepSessionsAlive(server: Http2Server): void {
  server.on('session', (session: Http2Session) => {
    let closingMs = 0;
    const pings = setInterval(() => {
      if (!session.closed) return ping(session);
      closingMs += PING_MS;
      if (closingMs > MAX_CLOSING_MS) session.destroy();
    }, PING_MS).unref();
    session.once('close', () => clearInterval(pings));
  });
}

function ping(session: Http2Session): void {
  // After what a busy process has not read yet.
  const late = setTimeout(() => setImmediate(() => isAnswered || session.destroy()), MAX_SILENCE_MS).unref();
  let isAnswered = false;
  session.ping(() => {
    isAnswered = true;
    clearTimeout(late);
  });
}
