import type { MetricDeclaration } from '@heddle/platform-telemetry';

/** Metrics of a follower of job events. */
export const INBOX_METRICS = {
  inboxPlace: {
    name: 'heddle_inbox_place',
    help: 'Sequence number of the log of jobs up to which nothing is missing here',
  },
  inboxFailed: {
    name: 'heddle_inbox_failed_events',
    help: 'Job events that could not be applied and wait for an operator',
  },
  inboxCaughtUp: {
    name: 'heddle_inbox_caught_up_total',
    help: 'Job events that the bus did not deliver and that were read from the log',
  },
} as const satisfies Record<string, MetricDeclaration>;
