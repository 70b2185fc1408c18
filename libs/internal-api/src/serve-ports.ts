import type { PeersPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { servePeersPort } from './peers/serve-peers-port.js';

export interface ReplicaPorts {
  /** Null: this replica is the only one. */
  readonly peers: PeersPort | null;
  /** Name of this replica among its peers, such as a UUID made at start; RemotePeers here has the same. */
  readonly instanceId: string;
}

/** What replicas of the jobs service tell each other. */
export function serveJobs(routes: CallRoutes, { peers, instanceId }: ReplicaPorts): void {
  if (peers !== null) servePeersPort(routes, peers, instanceId);
}
