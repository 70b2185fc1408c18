import { MAX_OUTPUT_CONTENT_TYPE, MAX_OUTPUT_NAME } from '@heddle/contracts-messages';
import type { AssetId, OutputType, OutputUpload, WorkerAssetsPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf, isId, textIn } from '../encode-values/call-arguments.js';
import { CALLS, WORKERS } from '../internal-calls.js';
import { OUTAGES, underLease, workerLeaseIn } from '../lease-authority/worker-lease.js';

/** Characters: a node's id with two ordinals. */
const MAX_KEY = 1_024;
const TYPES: Readonly<Record<OutputType, true>> = {
  image: true,
  video: true,
  audio: true,
  text: true,
  file: true,
  latent: true,
};

/** The serving half of WorkerAssetsPort. */
export function serveWorkerAssetsPort(routes: CallRoutes, assets: WorkerAssetsPort): void {
  routes.route({
    kind: 'download',
    path: CALLS.workerAssets.openInput,
    openTo: WORKERS,
    tells: OUTAGES,
    handle: async (call) => {
      const { assetId } = argumentsOf<{ assetId: AssetId }>(call.head, 'assetId');
      if (!isId(assetId)) throw new MalformedParcelError('the call names no asset');
      const lease = workerLeaseIn(call);
      return { head: null, body: await underLease(async () => await assets.openInput(lease, assetId)) };
    },
  });
  routes.route({
    kind: 'upload',
    path: CALLS.workerAssets.commitOutput,
    openTo: WORKERS,
    tells: ['OutputTooLargeError', ...OUTAGES],
    handle: async (call, body) => {
      const output = outputIn(call.head);
      const lease = workerLeaseIn(call);
      return { head: await underLease(async () => await assets.commitOutput(lease, { ...output, body })) };
    },
  });
}

function outputIn(head: unknown): Omit<OutputUpload, 'body'> {
  const { output } = argumentsOf<{ output: unknown }>(head, 'output');
  const { key, name, type, contentType } = argumentsOf<Record<keyof Omit<OutputUpload, 'body'>, unknown>>(
    output,
    'key',
    'name',
    'type',
    'contentType',
  );
  if (!isOutputType(type))
    throw new MalformedParcelError(`'type' of the output is none of ${Object.keys(TYPES).join(', ')}`);
  return {
    key: textIn(key, 'key', MAX_KEY),
    name: textIn(name, 'name', MAX_OUTPUT_NAME),
    type,
    contentType: textIn(contentType, 'contentType', MAX_OUTPUT_CONTENT_TYPE),
  };
}

function isOutputType(value: unknown): value is OutputType {
  return typeof value === 'string' && Object.hasOwn(TYPES, value);
}
