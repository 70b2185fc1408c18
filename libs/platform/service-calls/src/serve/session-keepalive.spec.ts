import { EventEmitter } from 'node:events';
import type { Http2Server } from 'node:http2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepSessionsAlive } from './session-keepalive.js';

/** A caller's session: it answers pings, or not. */
class CallersSession extends EventEmitter {
  closed = false;
  destroyed = false;
  answers = true;
  pings = 0;

  ping(answered: () => void): void {
    if (this.destroyed) throw new Error('the session has been destroyed');
    this.pings += 1;
    if (this.answers) answered();
  }

  destroy(): void {
    this.destroyed = true;
  }
}

function servedSession(): CallersSession {
  const server = new EventEmitter();
  keepSessionsAlive(server as unknown as Http2Server);
  const session = new CallersSession();
  server.emit('session', session);
  return session;
}

describe('the keepalive of a session', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('pings every 2 s and keeps a session whose caller answers', async () => {
    const session = servedSession();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(session.pings).toBe(30);
    expect(session.destroyed).toBe(false);
  });

  it('destroys a session 5 s after the first ping without an answer, and not earlier', async () => {
    const session = servedSession();
    session.answers = false;
    await vi.advanceTimersByTimeAsync(6_900);
    expect(session.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(session.destroyed).toBe(true);
  });

  it('keeps a session whose late answer arrives within 5 s', async () => {
    const session = servedSession();
    const answers: (() => void)[] = [];
    vi.spyOn(session, 'ping').mockImplementation((answered) => void answers.push(answered));
    for (let ms = 0; ms < 30_000; ms += 1_000) {
      await vi.advanceTimersByTimeAsync(1_000);
      if (ms % 4_000 === 0) for (const answer of answers.splice(0)) answer();
    }
    expect(session.destroyed).toBe(false);
  });

  it('sends no ping in a closing session, and destroys it after 20 s', async () => {
    const session = servedSession();
    session.closed = true;
    await vi.advanceTimersByTimeAsync(20_500);
    expect(session.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.destroyed).toBe(true);
    expect(session.pings).toBe(0);
  });

  it('sends no ping in a destroyed session, and stops when the session has closed', async () => {
    const session = servedSession();
    session.destroy();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.pings).toBe(0);
    session.emit('close');
    expect(vi.getTimerCount()).toBe(0);
  });
});
