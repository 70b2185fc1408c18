import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PlainProgress } from './plain-progress.js';
import { TerminalProgress } from './terminal-progress.js';

const CLOCK = ['setInterval', 'clearInterval', 'setTimeout', 'performance'] as const;

function fakeClock(): void {
  vi.useFakeTimers({ toFake: [...CLOCK] });
  onTestFinished(() => void vi.useRealTimers());
}

const lasting = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

describe('progress in a log', () => {
  it('has a line for the start, for each note and for the end of a step, with its time', async () => {
    fakeClock();
    const lines: string[] = [];
    const work = new PlainProgress((line) => void lines.push(line)).step('Apache Kafka', async (note) => {
      note('fetching');
      await lasting(3_100);
      return 7;
    });
    await vi.advanceTimersByTimeAsync(3_100);
    expect(await work).toBe(7);
    expect(lines).toEqual(['Apache Kafka: starting', 'Apache Kafka: fetching', 'Apache Kafka: ready after 3.1 s']);
  });

  it('is never silent for long, and says nothing of a step that failed: the error does', async () => {
    fakeClock();
    const lines: string[] = [];
    const progress = new PlainProgress((line) => void lines.push(line));
    const work = progress.step('S3', async () => {
      await lasting(25_000);
      throw new Error('no Go');
    });
    const failed = expect(work).rejects.toThrow('no Go');
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(lines).toEqual(['S3: starting', 'S3: still starting after 10.0 s', 'S3: still starting after 20.0 s']);
  });
});

describe('progress on a terminal', () => {
  it('moves one line for each step, and leaves them with their times', async () => {
    fakeClock();
    let written = '';
    const progress = new TerminalProgress({ write: (text) => (written += text), columns: 80 });
    const both = Promise.all([
      progress.step('PostgreSQL', async () => await lasting(900)),
      progress.step('Apache Kafka', async (note) => {
        note('fetching');
        await lasting(65_000);
      }),
    ]);
    await vi.advanceTimersByTimeAsync(500);
    expect(screen(written)).toEqual([
      expect.stringMatching(/^\S PostgreSQL +0\.5 s$/),
      expect.stringMatching(/^\S Apache Kafka +0\.5 s {2}fetching$/),
    ]);
    await vi.advanceTimersByTimeAsync(500);
    progress.say('Java is old');
    await vi.advanceTimersByTimeAsync(65_000);
    await both;
    progress.say('done');
    expect(screen(written)).toEqual([
      'heddle: Java is old',
      expect.stringMatching(/^✓ PostgreSQL +0\.9 s$/),
      expect.stringMatching(/^✓ Apache Kafka +65\.0 s$/),
      'heddle: done',
    ]);
  });

  it('marks the step that failed, and cuts what is wider than the terminal', async () => {
    let written = '';
    const progress = new TerminalProgress({ write: (text) => (written += text), columns: 30 });
    const failing = progress.step('S3', async (note) => {
      note('a text that is longer than this terminal is wide');
      progress.say('x');
      await Promise.reject(new Error('no Go'));
    });
    await expect(failing).rejects.toThrow('no Go');
    expect(screen(written)).toEqual(['heddle: x', expect.stringMatching(/^✗ S3/)]);
    expect(written.split(/[\r\n]/).every((line) => line.length < 40)).toBe(true);
  });
});

/** The resulting screen of a terminal: lines, cursor movements, and erased lines. */
function screen(written: string): string[] {
  const lines: string[] = [];
  let row = 0;
  for (const [piece] of written.matchAll(/\u001b\[(\d*)([AJK])|\r|\n|[^\u001b\r\n]+/g)) {
    if (piece.endsWith('A') && piece.startsWith('\u001b')) row -= Number(piece.slice(2, -1));
    else if (piece === '\u001b[0J') lines.length = row;
    else if (piece === '\u001b[2K') lines[row] = '';
    else if (piece === '\n') row++;
    else if (piece !== '\r') lines[row] = (lines[row] ?? '') + piece;
  }
  return lines;
}
