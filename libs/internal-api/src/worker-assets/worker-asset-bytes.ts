import type { Readable } from 'node:stream';
import { status } from '@grpc/grpc-js';
import { INPUT_BLOCKED, InputBlockedError, MAX_OUTPUT_CONTENT_TYPE, MAX_OUTPUT_NAME } from '@heddle/contracts-messages';
import type { AssetId, OutputType, OutputUpload, WorkerAssetsPort, WorkerLease } from '@heddle/contracts-messages';
import { MalformedCallError, RefusedCallError } from '@heddle/platform-service-calls/serve';
import type { ByteRoute } from '@heddle/platform-service-calls/serve';
import { WORKER_BYTES } from '../assets/byte-paths.js';
import { fieldsIn, idIn, numberIn, textIn } from '../encode-values/json-head.js';
import type { JsonFields } from '../encode-values/json-head.js';
import { WORKERS } from '../internal-calls.js';
import { callersLease, underLease } from '../lease-authority/callers-lease.js';

/** In characters: a node's id with two ordinals. */
const MAX_KEY = 1_024;
const TYPES: Readonly<Record<OutputType, true>> = {
  image: true,
  video: true,
  audio: true,
  text: true,
  file: true,
  latent: true,
};

/** Serves WorkerAssetsPort over HTTP. */
export function workerAssetBytes(assets: WorkerAssetsPort): readonly ByteRoute[] {
  return [
    {
      kind: 'download',
      path: WORKER_BYTES.openInput,
      openTo: WORKERS,
      handle: async (head) => {
        const fields = fieldsIn(head);
        const [assetId, lease] = [idIn<AssetId>(fields, 'assetId'), leaseIn(fields)];
        return { head: null, body: await underLease(async () => await openUnblocked(assets, lease, assetId)) };
      },
    },
    {
      kind: 'download',
      path: WORKER_BYTES.blockedInputs,
      openTo: WORKERS,
      handle: async (head) => {
        const lease = leaseIn(fieldsIn(head));
        return { head: await underLease(async () => await assets.blockedInputs(lease)), body: null };
      },
    },
    {
      kind: 'upload',
      path: WORKER_BYTES.commitOutput,
      openTo: WORKERS,
      handle: async (head, body) => {
        const fields = fieldsIn(head);
        const [output, lease] = [outputIn(fields), leaseIn(fields)];
        return await underLease(async () => await assets.commitOutput(lease, { ...output, body }));
      },
    },
  ];
}

async function openUnblocked(assets: WorkerAssetsPort, lease: WorkerLease, assetId: AssetId): Promise<Readable> {
  try {
    return await assets.openInput(lease, assetId);
  } catch (error) {
    if (!(error instanceof InputBlockedError)) throw error;
    throw new RefusedCallError(status.PERMISSION_DENIED, INPUT_BLOCKED, error.message);
  }
}

function leaseIn(fields: JsonFields): WorkerLease {
  const lease = fieldsIn(fields['lease'], 'lease of the call');
  const named = { jobId: textIn(lease, 'jobId'), fence: numberIn(lease, 'fence') };
  return callersLease({ ...named, workerId: textIn(fields, 'workerId') });
}

function outputIn(fields: JsonFields): Omit<OutputUpload, 'body'> {
  const output = fieldsIn(fields['output'], 'output of the call');
  const type = textIn(output, 'type');
  if (!isOutputType(type)) {
    throw new MalformedCallError(`'type' of the output must be one of ${Object.keys(TYPES).join(', ')}`);
  }
  return {
    key: textIn(output, 'key', MAX_KEY),
    name: textIn(output, 'name', MAX_OUTPUT_NAME),
    type,
    contentType: textIn(output, 'contentType', MAX_OUTPUT_CONTENT_TYPE),
  };
}

function isOutputType(type: string): type is OutputType {
  return Object.hasOwn(TYPES, type);
}
