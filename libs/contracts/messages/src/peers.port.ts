import type { JobId } from './ids.js';
import type { LeaseState } from './lease.js';
import type { PartnerCredentials } from './secret.js';
import type { WorkerPool } from './work.port.js';

/**
 * Calls between replicas of the jobs service, only on the internal port: one port is one replica, at its address in the
 * table of replicas. No answer depends on hints: every replica finds out by itself within a second or two
 * (docs/decisions/0016). Every call rejects if that replica did not answer.
 * Implementations pass `test/internal-calls/peers-port.suite.ts`.
 */
export interface PeersPort {
  /** News of the sender; the receiver reads the details. Hints may be lost, repeated or late. */
  hint(hints: PeerHints): Promise<void>;
  /**
   * The credentials of a job, from the replica that accepted its submission; it keeps its copy. null: this replica
   * reported that it has none. A replica that could not be asked must not look like that, or the job ends with
   * credential_lost.
   */
  takeCredentials(jobId: JobId): Promise<PartnerCredentials | null>;
  /** A stopping replica hands its credentials to the receiver. */
  keepCredentials(held: readonly HeldCredentials[]): Promise<void>;
}
export const PEERS_PORT = Symbol('PeersPort');

/** Maximum elements of each list in one call. */
export const MAX_HINTS = 256;

export interface PeerHints {
  /** Waiting jobs that no worker of the sender takes. */
  readonly work: readonly WaitingJob[];
  /** News for workers about their leases, whichever replica they are connected to. */
  readonly states: readonly WorkerLeaseState[];
  /** Jobs with credentials that ended: the credentials can be dropped. */
  readonly ended: readonly JobId[];
  /** Events were committed: for the sequencer. */
  readonly commits: boolean;
  /** Events were numbered: for the relay. */
  readonly sequenced: boolean;
}

export interface WaitingJob extends WorkerPool {
  /** null: some job of the pool, see the queue. */
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
