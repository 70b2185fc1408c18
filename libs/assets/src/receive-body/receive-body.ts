import type { Readable } from 'node:stream';

export type BodyEnding =
  | { readonly kind: 'ended' }
  /** The consumer wants no more; the rest stays unread. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'too_slow' }
  /** The sender broke off. */
  | { readonly kind: 'broken'; readonly error: unknown }
  /** The bytes could not be stored. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Time-outs and minimum rate of a sender, milliseconds. */
interface BodyPace {
  readonly totalMs: number;
  readonly windowMs: number;
  /** Fewer bytes in a whole window abort the body. */
  readonly windowBytes: number;
}

/**
 * Passes chunks on as they arrive from the socket, with events instead of an async iterator, which would join buffered
 * chunks by copying. `take` returns `stop`, or a promise to wait for. The body is only paused, never destroyed, so that
 * an answer can still be sent.
 */
export function receiveBody(
  body: Readable,
  take: (chunk: Buffer) => 'stop' | Promise<void> | undefined,
  pace: BodyPace | null,
): Promise<BodyEnding> {
  return new Promise((resolve) => {
    let windowBytes = 0;
    let waiting = false;
    let waited = false;
    let done = false;

    const finish = (ending: BodyEnding): void => {
      if (done) return;
      done = true;
      clearTimeout(total);
      clearInterval(window);
      body.off('data', onData).off('end', onEnd).off('close', onClose);
      if (ending.kind !== 'ended') body.pause();
      resolve(ending);
    };
    const onData = (chunk: Buffer): void => {
      if (done) return;
      windowBytes += chunk.length;
      let answer: ReturnType<typeof take>;
      try {
        answer = take(chunk);
      } catch (error) {
        return finish({ kind: 'failed', error });
      }
      if (answer === 'stop') return finish({ kind: 'stopped' });
      if (answer === undefined) return;
      waiting = waited = true;
      body.pause();
      answer.then(
        () => {
          waiting = false;
          if (!done) body.resume();
        },
        (error: unknown) => finish({ kind: 'failed', error }),
      );
    };
    const onEnd = (): void => finish({ kind: 'ended' });
    const onClose = (): void => finish({ kind: 'broken', error: body.errored ?? new Error('the body broke off') });

    const total = pace === null ? undefined : setTimeout(() => finish({ kind: 'too_slow' }), pace.totalMs);
    const window =
      pace === null
        ? undefined
        : setInterval(() => {
            // A window in which we made the sender wait says nothing about the sender.
            if (!waited && windowBytes < pace.windowBytes) return finish({ kind: 'too_slow' });
            windowBytes = 0;
            waited = waiting;
          }, pace.windowMs);

    body.on('error', ignore).on('data', onData).on('end', onEnd).on('close', onClose);
    if (body.readableEnded || body.destroyed) onClose();
  });
}

function ignore(): void {
  // A broken body also closes, and is reported there; without a listener its error would end the process.
}
