import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of a worker. */
export const WORKER_METRICS = {
  workerSlots: {
    name: 'heddle_worker_slots',
    help: 'Slots of the worker by state: busy, idle or draining',
    labelNames: ['state'],
  },
  logsLost: {
    name: 'heddle_worker_logs_lost_total',
    help: 'Execution logs that the logs service did not store in time; their jobs ended without a log',
  },
} as const satisfies Record<string, MetricDeclaration>;
