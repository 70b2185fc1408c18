import type { FactoryProvider, Provider } from '@nestjs/common';
import { holderOfOwn, LEASE_AUTHORITY_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { LeaseAuthorityPort, WorkerAssetsPort } from '@heddle/contracts-messages';
import { AssetsMetrics } from '../assets-metrics.js';
import { CommitOutputHandler } from '../commit-output/commit-output.handler.js';

/** The calls of workers, answered in this process; the jobs service says whose lease it is. */
const port: FactoryProvider<WorkerAssetsPort> = {
  provide: WORKER_ASSETS_PORT,
  inject: [AssetsMetrics, LEASE_AUTHORITY_PORT, CommitOutputHandler],
  useFactory: (
    metrics: AssetsMetrics,
    authority: LeaseAuthorityPort,
    outputs: CommitOutputHandler,
  ): WorkerAssetsPort => ({
    openInput: async (lease, assetId) => await outputs.openInput(lease, await holderOfOwn(authority, lease), assetId),
    blockedInputs: async (lease) => await outputs.blockedInputs(lease, await holderOfOwn(authority, lease)),
    commitOutput: async (lease, output) =>
      metrics.stored(await outputs.handle(lease, await holderOfOwn(authority, lease), output)),
  }),
};

export const LOCAL_WORKER_ASSETS: readonly Provider[] = [CommitOutputHandler, port];
