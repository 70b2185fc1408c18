import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of a worker. */
export const WORKER_METRICS = {
  workerSlots: {
    name: 'heddle_worker_slots',
    help: 'Slots of the worker by state: busy, idle or draining',
    labelNames: ['state'],
  },
} as const satisfies Record<string, MetricDeclaration>;
