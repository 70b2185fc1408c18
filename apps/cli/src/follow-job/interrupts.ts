import type { EventEmitter } from 'node:events';
import type { Terminal } from '../terminal/terminal.js';

/** Source of signals and answers: the process, or a spec in place of the user. */
interface Keyboard {
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  readonly input: Pick<EventEmitter, 'once' | 'off'> & {
    readonly isTTY?: boolean;
    resume(): unknown;
    pause(): unknown;
  };
}

interface InterruptQuestion {
  readonly jobId: string;
  readonly onCancel: () => Promise<void>;
}

/** The user left before the job ended; the job continues. */
export class LeftRunning extends Error {
  constructor(readonly signalNumber: number) {
    super('left');
  }
}

/**
 * Ctrl-C offers to cancel the job, a second one leaves it running. Without a terminal the first one leaves. Leaving
 * aborts the signal with LeftRunning as its reason.
 */
export function offerCancel(
  terminal: Terminal,
  question: InterruptQuestion,
  { signals, input }: Keyboard = { signals: process, input: process.stdin },
): { readonly signal: AbortSignal; close(): void } {
  const left = new AbortController();
  const leave = (signalNumber: number): void => left.abort(new LeftRunning(signalNumber));
  let asking = false;
  const onAnswer = (chunk: Buffer): void => {
    asking = false;
    input.pause();
    terminal.answered();
    if (!/^\s*y/i.test(chunk.toString())) return terminal.say('the job continues');
    terminal.say('canceling');
    void question.onCancel();
  };
  const onInterrupt = (): void => {
    if (asking || !terminal.live || input.isTTY !== true) return leave(2);
    asking = true;
    terminal.ask(`\nCancel job ${question.jobId}? [y/N]\n(Ctrl-C again leaves it running) `);
    input.once('data', onAnswer);
    input.resume();
  };
  const onTerminate = (): void => leave(15);
  signals.on('SIGINT', onInterrupt);
  signals.on('SIGTERM', onTerminate);
  return {
    signal: left.signal,
    close: () => {
      signals.off('SIGINT', onInterrupt);
      signals.off('SIGTERM', onTerminate);
      input.off('data', onAnswer);
      if (asking) input.pause();
      terminal.answered();
    },
  };
}
