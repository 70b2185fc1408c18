import type { JobSubmitted } from '@heddle/jobs-domain';

/** A plain submission, for specs to which its contents do not matter. */
export const submittedJob: JobSubmitted = {
  type: 'JobSubmitted',
  data: {
    workflowHash: `blake3:${'0'.repeat(64)}`,
    nodesTotal: 1,
    inputs: [],
    metadata: {},
    idempotencyKey: null,
    hasCredentials: false,
    maxAttempts: 3,
    retentionMs: 1e9,
    maxQueueWaitMs: 1e9,
    surface: 'self-hosted',
    traceparent: null,
  },
};
