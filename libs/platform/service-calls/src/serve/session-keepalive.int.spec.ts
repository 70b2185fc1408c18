import { connect, createServer } from 'node:http2';
import type { Http2Server, Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepSessionsAlive } from './session-keepalive.js';

const ROUND_MS = 2_000;

describe('the keepalive of sessions', () => {
  let server: Http2Server;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    server = createServer();
    keepSessionsAlive(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    vi.useRealTimers();
    server.close();
  });

  async function connected(): Promise<{ readonly session: Http2Session; readonly leave: () => void }> {
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    client.on('error', () => undefined);
    const [session] = (await once(server, 'session')) as [Http2Session];
    return { session, leave: () => client.destroy() };
  }

  it('pings a session as long as it lives', async () => {
    const { session, leave } = await connected();
    const ping = vi.spyOn(session, 'ping');
    vi.advanceTimersByTime(3 * ROUND_MS);
    expect(ping).toHaveBeenCalledTimes(3);
    const closed = once(session, 'close');
    leave();
    await closed;
    vi.advanceTimersByTime(ROUND_MS);
    expect(ping).toHaveBeenCalledTimes(3);
  });

  it('leaves a session alone that is destroyed and has not closed yet', async () => {
    const { session, leave } = await connected();
    session.destroy();
    expect([session.destroyed, session.closed]).toEqual([true, false]);
    // Node throws ERR_HTTP2_INVALID_SESSION for a ping here, which would end the process.
    expect(() => vi.advanceTimersByTime(ROUND_MS)).not.toThrow();
    leave();
  });
});
