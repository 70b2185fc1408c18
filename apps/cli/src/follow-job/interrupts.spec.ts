import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../terminal/terminal.js';
import { LeftRunning, offerCancel } from './interrupts.js';

function atKeyboard(isTTY: boolean) {
  const signals = new EventEmitter();
  const input = Object.assign(new EventEmitter(), { isTTY, resume: () => undefined, pause: () => undefined });
  const stream = { write: () => true, isTTY, columns: 80 };
  const reported: string[] = [];
  const terminal = new Terminal({
    stdout: stream,
    stderr: { ...stream, write: (text: string) => reported.push(text) },
    env: {},
    json: false,
  });
  let canceled = 0;
  const onCancel = (): Promise<void> => {
    canceled += 1;
    return Promise.resolve();
  };
  const interrupts = offerCancel(terminal, { jobId: 'J', onCancel }, { signals, input });
  const ctrlC = (): boolean => signals.emit('SIGINT');
  const answer = (text: string): boolean => input.emit('data', Buffer.from(text));
  return { interrupts, ctrlC, answer, signals, reported, canceled: () => canceled };
}

describe('Ctrl-C while a job is followed', () => {
  it('offers to cancel the job, and cancels it for a yes', () => {
    const { interrupts, ctrlC, answer, reported, canceled } = atKeyboard(true);
    ctrlC();
    expect(reported.join('')).toContain('Cancel job J? [y/N]');
    answer('y\n');
    expect(canceled()).toBe(1);
    expect(interrupts.signal.aborted).toBe(false);
  });

  it('goes on for any other answer, and asks again the next time', () => {
    const { interrupts, ctrlC, answer, canceled } = atKeyboard(true);
    for (const text of ['n\n', '\n', 'what\n']) {
      ctrlC();
      answer(text);
    }
    expect({ canceled: canceled(), left: interrupts.signal.aborted }).toEqual({ canceled: 0, left: false });
  });

  it('leaves at the second one, with the job running', () => {
    const { interrupts, ctrlC, canceled } = atKeyboard(true);
    ctrlC();
    ctrlC();
    expect(canceled()).toBe(0);
    expect(interrupts.signal.reason).toBeInstanceOf(LeftRunning);
  });

  it('leaves at once where nobody can answer', () => {
    const { interrupts, ctrlC } = atKeyboard(false);
    ctrlC();
    expect(interrupts.signal.reason).toMatchObject({ signalNumber: 2 });
  });

  it('is nothing of its any more once it is closed', () => {
    const { interrupts, signals } = atKeyboard(true);
    interrupts.close();
    expect(signals.listenerCount('SIGINT') + signals.listenerCount('SIGTERM')).toBe(0);
  });
});
