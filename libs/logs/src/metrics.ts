import type { MetricDeclaration } from '@heddle/platform-telemetry';

export const LOGS_METRICS = {
  logBytes: { name: 'heddle_execution_log_bytes_total', help: 'Bytes of stored execution logs' },
  logsRefused: {
    name: 'heddle_execution_logs_refused_total',
    help: 'Captures that arrived too late: of an older attempt, or of a purged job',
  },
} as const satisfies Record<string, MetricDeclaration>;
