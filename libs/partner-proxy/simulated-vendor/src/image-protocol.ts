import { randomUUID } from 'node:crypto';
import { signWebhook, webhookKey } from '@heddle/platform-webhooks';
import { faultIn } from './faults.js';
import type { VendorProtocol } from './protocol.js';
import type { SimulatedState } from './task-life.js';

const CREATE = '/v1/ai/image-upscaler-precision-v2';
const STATUSES: Readonly<Record<SimulatedState, string>> = {
  created: 'CREATED',
  queueing: 'CREATED',
  processing: 'IN_PROGRESS',
  success: 'COMPLETED',
  failed: 'FAILED',
};

/** The image vendor: the precision upscaler. Its callbacks are Standard Webhooks, signed by a secret of their own. */
export function imageProtocol(key: string, webhookSecret: string): VendorProtocol {
  return {
    kind: 'image',
    createPath: CREATE,
    taskIn: (path) => (path.startsWith(`${CREATE}/`) ? path.slice(CREATE.length + 1) : null),
    credential: ['x-freepik-api-key', key],
    readCreate: ({ image, webhook_url: url }) => {
      const problem = typeof image === 'string' && image !== '' ? null : 'image: field required';
      return { fault: faultIn([image]), callbackUrl: typeof url === 'string' ? url : null, problem, echo: {} };
    },
    created: (id) => ({ data: data(id, 'created') }),
    status: (id, state) => ({ data: data(id, state) }),
    error: (_, message) => ({ message }),
    reported: ['processing', 'success', 'failed'],
    callbackBody: data,
    sign: ({ body, now }) => {
      const message = { id: randomUUID(), timestamp: Math.floor(now / 1_000), body };
      return { ...signWebhook(message, webhookKey(webhookSecret)) };
    },
  };
}

function data(id: string, state: SimulatedState): object {
  const generated = state === 'success' ? [`https://image-vendor.example/generated/${id}.png`] : [];
  return { task_id: id, status: STATUSES[state], generated };
}
