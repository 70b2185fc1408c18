import type { EngineOutcome } from '@heddle/engine-port';
import type { AttemptControl } from './attempt-control.js';
import type { OutputIntake } from './output-intake.js';

/**
 * How a run ended once its outputs are stored, as if the engine had waited for the last of them: a stop from outside
 * that comes meanwhile interrupts the run, and an output that cannot be stored loses the attempt. Of a run that was
 * cancelled, or whose lease is lost, nobody wants the outputs that are still on their way.
 */
export async function whenStored(
  ran: EngineOutcome,
  intake: Pick<OutputIntake, 'settled'>,
  control: AttemptControl,
): Promise<EngineOutcome> {
  if (control.reason === 'cancel' || control.reason === 'lost') return ran;
  const stored = intake.settled().then(
    () => ran,
    (error: unknown): EngineOutcome => ({
      kind: 'lost',
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  // A stop that came before is told by the run itself; what was offered until then is stored.
  return control.signal.aborted ? await stored : await Promise.race([stored, interruption(control.signal)]);
}

function interruption(signal: AbortSignal): Promise<EngineOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }), { once: true });
  });
}
