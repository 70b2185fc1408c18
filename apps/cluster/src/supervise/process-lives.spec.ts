import { describe, expect, it } from 'vitest';
import { ProcessLives } from './process-lives.js';

const PLACE = { name: 's3', logFile: '/data/s3/server.log', port: 9000, callsPort: null, opsPort: null };

function observed() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const lines: string[] = [];
  const given: string[] = [];
  let changes = 0;
  const watch = {
    changed: () => void changes++,
    say: (line: string) => void lines.push(line),
    gaveUp: (reason: string) => void given.push(reason),
  };
  const lives = new ProcessLives(PLACE, watch, () => now);
  return { lives, lines, given, changes: () => changes, pass: (ms: number) => (now += ms) };
}

describe('the lives of a process', () => {
  it('say where it stands, and count each start but the first as a restart', () => {
    const { lives, pass, changes } = observed();
    expect(lives.status).toMatchObject({ state: 'starting', pid: null, restarts: 0 });
    lives.runs(17);
    expect(lives.status).toMatchObject({ state: 'running', pid: 17, startedAt: '2026-01-01T00:00:00.000Z' });
    pass(60_000);
    lives.ended('SIGKILL');
    expect(lives.status).toMatchObject({ state: 'restarting', pid: null, startedAt: null, restarts: 0 });
    lives.runs(18);
    expect(lives.status).toMatchObject({ state: 'running', pid: 18, restarts: 1 });
    expect(changes()).toBe(3);
  });

  it('say in one line how it ended, when it is started again, and where its log is', () => {
    const { lives, lines } = observed();
    lives.runs(17);
    lives.ended('SIGKILL');
    expect(lines).toEqual(['s3 ended (SIGKILL) and is started again in 0.2 s; its log: /data/s3/server.log']);
  });

  it('pause for twice as long after each failure, up to a bound, and give the process up in the end', () => {
    const { lives, given, lines } = observed();
    lives.runs(17);
    const pauses = Array.from({ length: 8 }, () => lives.ended('exit code 1'));
    expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, null]);
    expect(lives.status.state).toBe('failed');
    expect(given).toEqual(['s3 failed 8 times in a row (exit code 1); its log: /data/s3/server.log']);
    expect(lines).toHaveLength(7);
  });

  it('count failures anew once the process ran for a while', () => {
    const { lives, pass } = observed();
    for (let run = 0; run < 20; run++) {
      lives.runs(run);
      pass(10_001);
      expect(lives.ended('SIGKILL')).toBe(200);
    }
    lives.runs(21);
    pass(9_999);
    expect(lives.ended('SIGKILL')).toBe(400);
  });
});
