import type { Terminal } from '../terminal/terminal.js';

export interface InterruptQuestion {
  /** Asked on a terminal; the promise resolves with whether the job is to be cancelled. */
  readonly onCancel: () => Promise<void>;
  readonly jobId: string;
}

/** The command was left before its job ended; the job goes on. */
export class LeftRunning extends Error {
  constructor(readonly signalNumber: number) {
    super('left');
  }
}

/**
 * Ctrl-C offers to cancel the job, a second one leaves it running. Where nobody can answer, the first one leaves.
 * The signal of the answer aborts the following with LeftRunning as its reason.
 */
export function offerCancel(
  terminal: Terminal,
  question: InterruptQuestion,
): { signal: AbortSignal; close: () => void } {
  const left = new AbortController();
  const leave = (signalNumber: number): void => left.abort(new LeftRunning(signalNumber));
  let asking = false;
  const onAnswer = (chunk: Buffer): void => {
    asking = false;
    process.stdin.pause();
    if (!/^\s*y/i.test(chunk.toString())) return terminal.say('the job goes on');
    terminal.say('cancelling');
    void question.onCancel();
  };
  const onInterrupt = (): void => {
    if (asking || !terminal.live || process.stdin.isTTY !== true) return leave(2);
    asking = true;
    terminal.say(`\nCancel job ${question.jobId}? [y/N] (Ctrl-C again leaves it running)`);
    process.stdin.once('data', onAnswer);
    process.stdin.resume();
  };
  const onTerminate = (): void => leave(15);
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return {
    signal: left.signal,
    close: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      process.stdin.off('data', onAnswer);
      process.stdin.pause();
    },
  };
}
