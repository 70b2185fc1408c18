import type { DeploymentId, JobId } from './ids.js';
import type { LeaseState } from './lease.js';
import type { PartnerCredentials } from './secret.js';

/**
 * What replicas of the jobs service tell each other, on the internal port alone: one port is one replica, at its address in
 * the table of replicas. Hints are needed for no answer to be right: every replica finds out by itself within a second or
 * two (docs/decisions/0016). Every call rejects where that replica did not answer.
 */
export interface PeersPort {
  /** What is new at the sender; the receiver looks where it says. May be lost, doubled or late. */
  hint(hints: PeerHints): Promise<void>;
  /**
   * The credentials of a job, from the replica that took its submission; it keeps its copy. null: this replica said that it
   * has none. A replica that could not be asked must not look so, or the job ends with credential_lost.
   */
  takeCredentials(jobId: JobId): Promise<PartnerCredentials | null>;
  /** A replica that goes away leaves what it holds to the receiver. */
  keepCredentials(held: readonly HeldCredentials[]): Promise<void>;
}
export const PEERS_PORT = Symbol('PeersPort');

/** Most elements of each list of one call. */
export const MAX_HINTS = 256;

export interface PeerHints {
  /** Jobs that wait and that no worker of the sender takes. */
  readonly work: readonly WaitingJob[];
  /** What workers have to hear about their leases, whichever replica they listen to. */
  readonly states: readonly WorkerLeaseState[];
  /** Jobs that ended and had credentials: nobody needs these any more. */
  readonly ended: readonly JobId[];
  /** Events were committed: for whoever sequences the log. */
  readonly commits: boolean;
  /** Events got their sequence numbers: for whoever publishes them. */
  readonly sequenced: boolean;
}

export interface WaitingJob {
  readonly deploymentId: DeploymentId;
  /** null: some job of the deployment, the queue knows which. */
  readonly jobId: JobId | null;
}

export interface WorkerLeaseState {
  readonly workerId: string;
  readonly state: LeaseState;
}

export interface HeldCredentials {
  readonly jobId: JobId;
  readonly credentials: PartnerCredentials;
}
