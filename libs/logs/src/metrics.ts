import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** What the logs service counts. */
export const LOGS_METRICS = {
  logBytes: { name: 'heddle_execution_log_bytes_total', help: 'Bytes of execution logs that were kept' },
  logsRefused: {
    name: 'heddle_execution_logs_refused_total',
    help: 'Captures that came too late: of an older attempt, or of a job that is gone',
  },
} as const satisfies Record<string, MetricDeclaration>;
