import type { AssetsPort, JobsPort, PeersPort, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { serveAssetBytes } from './assets/asset-bytes.js';
import { serveJobsPort } from './jobs/serve-jobs-port.js';
import { servePeersPort } from './peers/serve-peers-port.js';
import { serveWorkerAssetsPort } from './worker-assets/serve-worker-assets-port.js';

export interface JobsPorts {
  readonly jobs: JobsPort;
  /** Null: this replica is the only one. */
  readonly peers: PeersPort | null;
  /** Name of this replica among its peers, such as a UUID made at start; RemotePeers here has the same. */
  readonly instanceId: string;
}

/** Everything that other services ask of the jobs service; workers speak a protocol of their own (`work/`). */
export function serveJobs(routes: CallRoutes, ports: JobsPorts): void {
  const { jobs, peers, instanceId } = ports;
  serveJobsPort(routes, jobs);
  if (peers !== null) servePeersPort(routes, peers, instanceId);
}

export interface AssetsPorts {
  readonly assets: AssetsPort;
  readonly workerAssets: WorkerAssetsPort;
}

/** Bytes that other services send to the assets service, and read from it. */
export function serveAssets(routes: CallRoutes, { assets, workerAssets }: AssetsPorts): void {
  serveAssetBytes(routes, assets);
  serveWorkerAssetsPort(routes, workerAssets);
}
