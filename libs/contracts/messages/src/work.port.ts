import type { DeploymentId } from './ids.js';
import type { JobLease, LeaseKey, LeaseState } from './lease.js';
import type { DurableReport, VolatileReport } from './worker-reports.js';

/**
 * What a worker asks of the jobs service. In standalone a direct call, in the cluster the worker protocol
 * (docs/architecture/11-worker-protocol.md). One conformance suite runs on both.
 */
export interface WorkPort {
  /** Never fails: a service that is away is waited for. */
  open(worker: WorkerIdentity, listener: WorkListener): WorkSession;
}
export const WORK_PORT = Symbol('WorkPort');

/** The port as the jobs service itself has it, for the half that serves the protocol. */
export interface ServedWorkPort extends WorkPort {
  /** Queues the jobs again that the worker holds by the rows and not by its own list: their leases never reached it. */
  handBackOthers(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void>;
}

export interface WorkerIdentity {
  /** Unique among workers. A served one carries its deployment, so that no name of one deployment is a name of another. */
  readonly workerId: string;
  /** e.g. `builtin/0.1.0` */
  readonly environment: string;
  /** null = any deployment (shared pool) */
  readonly deploymentId: DeploymentId | null;
}

/** What the service sends without being asked. */
export interface WorkListener {
  leases(leases: readonly JobLease[]): void;
  /** A cancel was requested, or a lease was lost. */
  state(state: LeaseState): void;
}

/** One worker's line to the jobs service. */
export interface WorkSession {
  /** How many more leases the worker takes; replaces the number before. */
  offer(slots: number): void;
  /** Extends leases. Rejects if the service does not answer in time. */
  heartbeat(leases: readonly LeaseKey[]): Promise<readonly LeaseState[]>;
  /**
   * Resolves after the commit, with a verdict for each report, in their order. Rejects if the service cannot store
   * them now: the caller repeats them. Reports of one lease must be given in the order of their sequence.
   */
  report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]>;
  /** Volatile: may be lost. Resolves when it was passed on; never rejects. */
  show(report: VolatileReport): Promise<void>;
  /** The job is queued again, with its attempt unspent. Rejects if the service does not answer in time. */
  handBack(lease: LeaseKey): Promise<void>;
  /** Takes no more leases; those under way are handed back. Leases that are held stay. */
  close(): Promise<void>;
}

/** `stored`: in the log, now or already. Another verdict is final too: the report changes nothing. */
export type ReportVerdict = 'stored' | ReportRefusal;
/** `stale_fence`: the lease is not the worker's, any more or at all. */
export type ReportRefusal = 'stale_fence' | 'not_found' | 'malformed' | 'unknown_kind' | 'too_large';
