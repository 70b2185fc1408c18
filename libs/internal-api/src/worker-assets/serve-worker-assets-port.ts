import type { JobInput, LeaseKey, OutputUpload, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf, principalIn } from '../encode-values/call-arguments.js';
import { CALLS, WORKERS } from '../internal-calls.js';
import { foreign } from '../leases/bound-worker.js';

/** The serving half of WorkerAssetsPort. */
export function serveWorkerAssetsPort(routes: CallRoutes, assets: WorkerAssetsPort): void {
  routes.route({
    kind: 'download',
    path: CALLS.workerAssets.openInput,
    openTo: WORKERS,
    handle: async ({ head }) => {
      const { lease, input } = argumentsOf<{ lease: LeaseKey; input: JobInput }>(head, 'lease', 'input');
      return { head: null, body: await assets.openInput(lease, input) };
    },
  });
  routes.route({
    kind: 'upload',
    path: CALLS.workerAssets.commitOutput,
    openTo: WORKERS,
    tells: ['OutputTooLargeError'],
    handle: async ({ head, caller }, body) => {
      type Arguments = { readonly lease: LeaseKey; readonly output: Omit<OutputUpload, 'body'> };
      const { lease, output } = argumentsOf<Arguments>(head, 'lease', 'output');
      const principal = principalIn(head);
      if (caller.deploymentId !== null && principal.deploymentId !== caller.deploymentId) {
        throw foreign(caller, principal.deploymentId);
      }
      return { head: await assets.commitOutput({ ...lease, principal }, { ...output, body }) };
    },
  });
}
