import type { Logger, MetricsRegistry } from '@heddle/platform-telemetry';
import { WORKER_METRICS } from './metrics.js';
import type { WorkerSettings } from './settings.js';

/** Logs what delays a running job, and logs and counts what loses its execution log. */
export function logTroubles(
  logger: Pick<Logger, 'warn'>,
  metrics: MetricsRegistry,
): Pick<WorkerSettings, 'onWait' | 'onLogLost'> {
  const lost = metrics.counter(WORKER_METRICS.logsLost);
  return {
    onWait: (error) => logger.warn({ err: error }, 'a running job waits for its inputs or outputs to be stored'),
    onLogLost: (error) => {
      lost.inc();
      logger.warn(error === null ? {} : { err: error }, 'the execution log of a job is lost');
    },
  };
}
