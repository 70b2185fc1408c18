import { createHmac, randomUUID } from 'node:crypto';
import { faultIn } from './faults.js';
import type { CreateCall, SignedCallback, VendorProtocol } from './protocol.js';
import type { SimulatedState } from './task-life.js';

const ACCESS_KEY = 'vidu';
const TASK = /^\/ent\/v2\/tasks\/([^/]+)\/creations$/;
const MAX_SETTINGS = 9;
const REASONS: Readonly<Record<number, string>> = {
  400: 'FieldInvalid',
  401: 'Unauthorized',
  404: 'TaskNotFound',
  429: 'TooManyRequests',
};

/** The video vendor: `/ent/v2/multiframe`. Its callbacks are signed by its key, and their body is not signed. */
export function videoProtocol(key: string): VendorProtocol {
  return {
    kind: 'video',
    createPath: '/ent/v2/multiframe',
    taskIn: (path) => TASK.exec(path)?.[1] ?? null,
    credential: ['authorization', `Token ${key}`],
    readCreate,
    created: (task_id, { echo }, { createdAt }) => {
      return { task_id, state: 'created', ...echo, credits: 10, created_at: new Date(createdAt).toISOString() };
    },
    status,
    error: (code, message) => ({ code, reason: REASONS[code] ?? 'InternalError', message, metadata: {} }),
    reported: ['processing', 'success', 'failed'],
    callbackBody: status,
    sign: (callback) => signVideoCallback(callback, key),
  };
}

function readCreate(body: Readonly<Record<string, unknown>>): CreateCall {
  const { model, start_image, image_settings: settings, prompt, callback_url, duration, resolution, payload } = body;
  const list = Array.isArray(settings) ? (settings as Readonly<Record<string, unknown> | null>[]) : [];
  const isComplete = typeof model === 'string' && typeof start_image === 'string';
  return {
    fault: faultIn([prompt, start_image, ...list.flatMap((one) => [one?.['prompt'], one?.['key_image']])]),
    callbackUrl: typeof callback_url === 'string' ? callback_url : null,
    problem: !isComplete
      ? 'FieldLacking: model, start_image'
      : list.length < 2 || list.length > MAX_SETTINGS
        ? 'FieldItemCountOutOfRange: image_settings'
        : null,
    echo: { model, start_image, image_settings: settings, prompt, duration, resolution, payload },
  };
}

function status(id: string, state: SimulatedState): object {
  const url = `https://video-vendor.example/creations/${id}`;
  return {
    id,
    state,
    err_code: state === 'failed' ? 'CreationPolicyViolation' : '',
    credits: state === 'success' ? 10 : 0,
    payload: '',
    creations: state === 'success' ? [{ id: `${id}-1`, url: `${url}.mp4`, cover_url: `${url}.png` }] : [],
  };
}

/**
 * Method, path, query, access key and date, a line each, then a line `name:value` of each signed header. The last line ends with
 * a line feed too.
 */
function signVideoCallback({ url, now }: SignedCallback, key: string): Readonly<Record<string, string>> {
  const date = new Date(now).toUTCString();
  const nonce = randomUUID();
  const text = ['POST', url.pathname, url.search.slice(1), ACCESS_KEY, date, `x-request-nonce:${nonce}`, ''].join('\n');
  return {
    date,
    'x-request-nonce': nonce,
    'x-hmac-signed-headers': 'x-request-nonce',
    'x-hmac-algorithm': 'hmac-sha256',
    'x-hmac-access-key': ACCESS_KEY,
    'x-hmac-signature': createHmac('sha256', key).update(text).digest('base64'),
  };
}
