import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProcessLives } from './process-lives.js';
import { SupervisedServer } from './supervised-server.js';

const PLACE = { name: 's3', logFile: '/data/s3/server.log', port: 9000, callsPort: null, opsPort: null };

/** A server whose starts succeed or fail as told. */
function supervised(start: () => Promise<void>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const given: string[] = [];
  const calls: string[] = [];
  const watch = {
    changed: () => undefined,
    say: (line: string) => void lines.push(line),
    gaveUp: (reason: string) => void given.push(reason),
  };
  const server = new SupervisedServer(new ProcessLives(PLACE, watch), {
    start: async () => {
      calls.push('start');
      await start();
    },
    stop: () => Promise.resolve(void calls.push('stop')),
    pid: () => 17,
  });
  return { server, lines, given, calls };
}

describe('a supervised server', () => {
  it('is started again when it ended unasked', async () => {
    const { server, calls } = supervised(() => Promise.resolve());
    server.ended('SIGKILL');
    expect(server.lives.status.state).toBe('restarting');
    await vi.runAllTimersAsync();
    expect(calls).toEqual(['start']);
    expect(server.lives.status).toMatchObject({ state: 'running', restarts: 1 });
  });

  it('that cannot start is tried a bounded number of times, each reported in one line', async () => {
    const { server, calls, lines, given } = supervised(() => Promise.reject(new Error('no such folder\nlog: …')));
    server.ended('SIGKILL');
    await vi.runAllTimersAsync();
    expect(calls).toHaveLength(7);
    expect(lines).toHaveLength(7);
    expect(lines[1]).toContain('s3 ended (it did not start: no such folder) and is started again');
    expect(given).toEqual([expect.stringContaining('s3 failed 8 times in a row (it did not start: no such folder)')]);
  });

  it('does not come back once it is stopped, not even from a start that was under way', async () => {
    let began = (): void => undefined;
    const { server, calls } = supervised(() => new Promise((done) => (began = done)));
    server.ended('SIGKILL');
    await vi.runAllTimersAsync();
    const stopped = server.stop();
    began();
    await stopped;
    expect(calls).toEqual(['start', 'stop', 'stop']);
    expect(server.lives.status.state).toBe('stopped');
    server.ended('SIGTERM');
    await vi.runAllTimersAsync();
    expect(calls).toHaveLength(3);
  });
});
