import type { WorkerPool } from '@heddle/contracts-messages';
import type { Logger } from '@heddle/platform-telemetry';
import type { WorkerPorts } from '../run-attempt/run-attempt.handler.js';

/**
 * Starts workers once their engine answers, because a deployment counts as ready once its workers poll. Resolves with null
 * if `leaving` aborts first, or if the engine cannot be waited for.
 */
export async function startOnceReady<T>(
  { logger }: { readonly logger: Pick<Logger, 'error'> },
  { deploymentId }: Pick<WorkerPool, 'deploymentId'>,
  engine: WorkerPorts['engine'],
  leaving: AbortSignal,
  start: () => T,
): Promise<T | null> {
  try {
    await engine.whenReady?.(leaving);
  } catch (error) {
    logger.error({ err: error, deploymentId }, 'the workers of a deployment were not started');
    return null;
  }
  return leaving.aborted ? null : start();
}
