import { isUuid } from '@heddle/contracts-messages';
import type { AssetId, OutputUpload, WorkerAssetsPort } from '@heddle/contracts-messages';
import { MalformedParcelError } from '@heddle/platform-service-calls';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { CALLS, WORKERS } from '../internal-calls.js';
import { OUTAGES, underLease, workerLeaseIn } from '../lease-authority/worker-lease.js';

/** The serving half of WorkerAssetsPort. */
export function serveWorkerAssetsPort(routes: CallRoutes, assets: WorkerAssetsPort): void {
  routes.route({
    kind: 'download',
    path: CALLS.workerAssets.openInput,
    openTo: WORKERS,
    tells: OUTAGES,
    handle: async (call) => {
      const { assetId } = argumentsOf<{ assetId: AssetId }>(call.head, 'assetId');
      if (!isUuid(String(assetId))) throw new MalformedParcelError('the call names no asset');
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
      const { output } = argumentsOf<{ readonly output: Omit<OutputUpload, 'body'> }>(call.head, 'output');
      const lease = workerLeaseIn(call);
      return { head: await underLease(async () => await assets.commitOutput(lease, { ...output, body })) };
    },
  });
}
