import { setTimeout as delay } from 'node:timers/promises';
import type { EngineOutcome } from '@heddle/engine-port';
import type { AttemptControl, StopReason } from './attempt-control.js';
import type { OutputIntake } from './output-intake.js';

/** Longer than an output takes to be stored, shorter than anybody waits for a stop. */
const UNDER_WAY_MS = 2_000;

/**
 * How a run ended once its outputs are stored, as if the engine had waited for the last of them: a stop from outside
 * that comes meanwhile interrupts the run, and an output that cannot be stored loses the attempt. What is under way when
 * a run is stopped comes to its end before the job does, if it takes no longer than `underWayMs`: stored later it would
 * be an output that nobody names. Only of a lease that is lost nobody wants anything.
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
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  const underWay = async (): Promise<unknown> =>
    await Promise.race([stored, delay(underWayMs, undefined, { ref: false })]);
  if (control.reason === 'cancel') {
    await underWay();
    return ran;
  }
  // A stop that came before is told by the run itself; what was offered until then is stored.
  if (control.signal.aborted) return await stored;
  const ended = await Promise.race([stored, interruption(control.signal)]);
  if (control.signal.aborted && reasonOf(control) !== 'lost') await underWay();
  return ended;
}

/** Read anew: it may have changed since it was compared. */
function reasonOf({ reason }: AttemptControl): StopReason | null {
  return reason;
}

function interruption(signal: AbortSignal): Promise<EngineOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }), { once: true });
  });
}
