import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import type { EngineOutcome } from '@heddle/engine-port';
import type { AttemptControl, StopReason } from './attempt-control.js';
import type { OutputIntake } from './output-intake.js';

/** Longer than storing an output takes, shorter than anyone waits for a stop. */
const UNDER_WAY_MS = 2_000;

/**
 * The outcome of a run once its outputs are stored, as if the engine had waited for the last one: a stop from outside
 * interrupts the run, and an output that cannot be stored loses the attempt. When a run is stopped, outputs in progress
 * finish before the job ends, if they need no longer than `underWayMs`; an output stored later would belong to no job.
 * After a lost lease, nothing is awaited.
 */
export async function whenStored(
  ran: EngineOutcome,
  intake: Pick<OutputIntake, 'settled'>,
  control: AttemptControl,
  underWayMs = UNDER_WAY_MS,
): Promise<EngineOutcome> {
  if (control.reason === 'lost') return ran;
  const stored = intake.settled().then(
    () => ran,
    (error: unknown): EngineOutcome => ({
      kind: 'lost',
      reason: errorMessage(error),
    }),
  );
  const underWay = async (): Promise<unknown> =>
    await Promise.race([stored, delay(underWayMs, undefined, { ref: false })]);
  if (control.reason === 'cancel') {
    await underWay();
    return ran;
  }
  // An earlier stop is reported by the run itself; outputs offered until then are stored.
  if (control.signal.aborted) return await stored;
  const ended = await Promise.race([stored, interruption(control.signal)]);
  if (control.signal.aborted && reasonOf(control) !== 'lost') await underWay();
  return ended;
}

/** Read again: it may have changed since it was compared. */
function reasonOf({ reason }: AttemptControl): StopReason | null {
  return reason;
}

function interruption(signal: AbortSignal): Promise<EngineOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }), { once: true });
  });
}
