import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of the partner proxy. */
export const PARTNER_PROXY_METRICS = {
  tasksEnded: {
    name: 'heddle_proxy_tasks_ended_total',
    help: 'Ended tasks by vendor and by how they ended',
    labelNames: ['vendor', 'end'],
  },
  answersLost: {
    name: 'heddle_proxy_answers_lost_total',
    help: 'Calls that may have made a task at the vendor, whose answer was lost: nothing was charged',
    labelNames: ['vendor'],
  },
  vendorCalls: {
    name: 'heddle_proxy_vendor_calls_total',
    help: 'Calls of vendors by outcome',
    labelNames: ['vendor', 'outcome'],
  },
  vendorSeconds: {
    name: 'heddle_proxy_vendor_seconds',
    help: 'Time until a vendor answered',
    labelNames: ['vendor'],
  },
  callbacksReceived: {
    name: 'heddle_proxy_callbacks_total',
    help: 'Callbacks of vendors by outcome: taken or refused',
    labelNames: ['vendor', 'outcome'],
  },
  deliveryAttempts: {
    name: 'heddle_proxy_delivery_attempts_total',
    help: 'Attempts to deliver a change of a task by what followed: delivered, retry or dead',
    labelNames: ['next'],
  },
  tasks: {
    name: 'heddle_proxy_tasks',
    help: 'Tasks that are not over, by step, counted up to 20,000',
    labelNames: ['step'],
  },
  stepAge: {
    name: 'heddle_proxy_step_age_seconds',
    help: 'Time since the task that is longest in a step entered it; 0 without one',
    labelNames: ['step'],
  },
  deliveries: {
    name: 'heddle_proxy_deliveries',
    help: 'Callbacks to clients that wait or are dead, each counted up to 20,000',
    labelNames: ['status'],
  },
  deliveryLag: {
    name: 'heddle_proxy_delivery_lag_seconds',
    help: 'Time since the callback that is longest due was due',
  },
} as const satisfies Record<string, MetricDeclaration>;
