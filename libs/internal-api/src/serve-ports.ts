import type { JobsPort, PeersPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { serveJobsPort } from './jobs/serve-jobs-port.js';
import { servePeersPort } from './peers/serve-peers-port.js';

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
