import type { RegistryErrorCode } from '../registry-errors.js';
import type { RegistryRoute } from '../registry-route.js';

const VIDEO = '/proxy/videovendor';
const UPSCALER = '/proxy/imagevendor/v1/ai/image-upscaler-precision-v2';
const VENDOR: readonly RegistryErrorCode[] = [
  'vendor_error',
  'vendor_not_configured',
  'vendor_unavailable',
  'vendor_timeout',
];
const CREATION: readonly RegistryErrorCode[] = ['insufficient_credits', 'idempotency_key_reuse', ...VENDOR];
const DONE = [{ status: 204, description: 'taken' }] as const;

/** Routes of the partner proxy. */
export const PROXY_ROUTES: readonly RegistryRoute[] = [
  {
    operation: 'createMultiframe',
    method: 'POST',
    path: `${VIDEO}/multiframe`,
    summary: 'Make a video of 2 to 9 frames',
    who: 'account',
    successes: [{ status: 200, schema: 'CreatedVideo', description: 'the task was taken' }],
    errors: CREATION,
    request: 'Multiframe',
    hasKey: true,
    hasDetails: true,
  },
  {
    operation: 'getVideoTask',
    method: 'GET',
    path: `${VIDEO}/tasks/{task}/creations`,
    summary: 'State and results of a video task',
    who: 'account',
    successes: [{ status: 200, schema: 'VideoTask', description: 'the task' }],
    errors: ['not_found', ...VENDOR],
    hasDetails: true,
  },
  {
    operation: 'receiveVideoCallback',
    method: 'POST',
    path: `${VIDEO}/callbacks/{token}`,
    summary: 'The video vendor reports a change; its signature is the credential',
    who: 'signed',
    successes: DONE,
    errors: ['unauthorized', 'payload_too_large'],
    hasDetails: true,
  },
  {
    operation: 'createUpscale',
    method: 'POST',
    path: UPSCALER,
    summary: 'Upscale an image',
    who: 'account',
    successes: [{ status: 200, schema: 'Upscale', description: 'the task was taken' }],
    errors: CREATION,
    request: 'NewUpscale',
    hasKey: true,
  },
  {
    operation: 'getUpscale',
    method: 'GET',
    path: `${UPSCALER}/{task}`,
    summary: 'State and results of an upscaler task',
    who: 'account',
    successes: [{ status: 200, schema: 'Upscale', description: 'the task' }],
    errors: ['not_found', ...VENDOR],
  },
  {
    operation: 'receiveImageCallback',
    method: 'POST',
    path: '/proxy/imagevendor/callbacks/{token}',
    summary: 'The image vendor reports a change; its signature is the credential',
    who: 'signed',
    successes: DONE,
    errors: ['unauthorized', 'payload_too_large'],
  },
  {
    operation: 'getWebhookSecret',
    method: 'GET',
    path: '/proxy/webhook-secret',
    summary: 'The secret that signs callbacks to the account',
    who: 'account',
    successes: [{ status: 200, schema: 'WebhookSecret', description: 'the secret' }],
    errors: [],
  },
  {
    operation: 'renewWebhookSecret',
    method: 'POST',
    path: '/proxy/webhook-secret',
    summary: 'Make a new secret; the earlier one signs no more',
    who: 'account',
    successes: [{ status: 200, schema: 'WebhookSecret', description: 'the new secret' }],
    errors: [],
  },
];
