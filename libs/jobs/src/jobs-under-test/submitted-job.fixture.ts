import { FREE } from '@heddle/jobs-domain';
import type { JobSubmitted } from '@heddle/jobs-domain';

/** A minimal submission, for specs that do not depend on its content. */
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
    price: FREE,
    reserved: 0,
    revision: 0,
    traceparent: null,
  },
};
