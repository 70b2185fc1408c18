import { expect, it } from 'vitest';
import { Terminal } from '../terminal/terminal.js';
import { JobDisplay } from './job-display.js';
import type { JobWatchState } from './job-watch.js';

const MINUTE_MS = 60_000;

function shown(times: Partial<JobWatchState['times']>, columns?: number): string {
  let written = '';
  const stream = {
    write: (text: string) => (written += text),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  };
  const terminal = new Terminal({ stdout: stream, stderr: stream, env: { NO_COLOR: '1' }, json: false });
  const display = new JobDisplay(terminal, []);
  const unknown = { createdAt: null, startedAt: null, completedAt: null };
  const id = '0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10';
  const running = { id, status: 'running', queuePosition: null, progress: null, outputs: [] };
  display.status({ ...running, times: { ...unknown, ...times } });
  display.away(true);
  display.away(false);
  display.close();
  return written;
}

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

it('the header of a job has the time since it started, whenever watching began', () => {
  expect(shown({ createdAt: ago(9 * MINUTE_MS), startedAt: ago(5 * MINUTE_MS) }, 80)).toContain('running, 5 min 0');
  const ended = { startedAt: ago(9 * MINUTE_MS), completedAt: ago(5 * MINUTE_MS) };
  expect(shown(ended, 80)).toContain('running, 4 min 00 s');
});

it('a lost connection and its return are lines of their own, on a terminal and elsewhere', () => {
  for (const columns of [undefined, 80])
    expect(shown({}, columns)).toMatch(/the connection is lost; trying again\n[^]*the connection is back\n/);
});
