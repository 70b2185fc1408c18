import type { DeploymentId } from './ids.js';
import type { JobLease, LeaseKey, LeaseState } from './lease.js';
import type { DurableReport, VolatileReport } from './worker-reports.js';

/**
 * A worker's calls to the jobs service: direct in standalone, the worker protocol in a cluster
 * (docs/architecture/11-worker-protocol.md). Both pass `test/internal-calls/work-port.suite.ts`.
 */
export interface WorkPort {
  /** Never fails: it waits for an unreachable service. */
  open(worker: WorkerIdentity, listener: WorkListener): WorkSession;
}
/** A job with more outputs fails; a worker may be set to fewer. */
export const MAX_JOB_OUTPUTS = 1_000;

export const WORK_PORT = Symbol('WorkPort');

/**
 * The port inside the jobs service, for the server side of the protocol: one implementation, which passes
 * `test/internal-calls/work-port.suite.ts`.
 */
export interface ServedWorkPort extends WorkPort {
  /**
   * Requeues the jobs that the rows, but not the worker's own list, assign to the worker: their leases never reached
   * it.
   */
  handBackOthers(worker: WorkerIdentity, held: readonly LeaseKey[]): Promise<void>;
}

/** The workers that serve the jobs of one deployment, with one revision of its environment. */
export interface WorkerPool {
  readonly deploymentId: DeploymentId;
  /** 0 where environments have no revisions: the self-hosted and the shared pool. */
  readonly revision: number;
}

/** One text for each pool, for maps and sets. */
export function poolKey({ deploymentId, revision }: WorkerPool): string {
  return `${deploymentId} ${revision}`;
}

export interface WorkerIdentity extends WorkerPool {
  /**
   * Unique among workers. For a served worker of a dedicated deployment it contains the deployment, so that names of
   * different deployments never collide.
   */
  readonly workerId: string;
  /** e.g. `builtin/0.1.0` */
  readonly environment: string;
}

/** Messages that the service sends unasked. */
export interface WorkListener {
  leases(leases: readonly JobLease[]): void;
  /** A cancel was requested, or a lease was lost. */
  state(state: LeaseState): void;
}

/** One worker's session with the jobs service. No suite: that of `ServedWorkPort` opens each session and works through it. */
export interface WorkSession {
  /** How many more leases the worker accepts; replaces the previous number. */
  offer(slots: number): void;
  /** Extends leases. Rejects if the service does not answer in time. */
  heartbeat(leases: readonly LeaseKey[]): Promise<readonly LeaseState[]>;
  /**
   * Resolves after the commit, with one verdict per report, in order. Rejects if the service cannot store them now: the
   * caller repeats them. Reports of one lease must be in sequence order.
   */
  report(reports: readonly DurableReport[]): Promise<readonly ReportVerdict[]>;
  /** Volatile: may be lost. Resolves when it was passed on; never rejects. */
  show(report: VolatileReport): Promise<void>;
  /** The job is queued again, with its attempt unspent. Rejects if the service does not answer in time. */
  handBack(lease: LeaseKey): Promise<void>;
  /** Accepts no more leases; those in progress are handed back, held ones stay. */
  close(): Promise<void>;
}

/** `stored`: in the log, now or already. Other verdicts are final too: the report changes nothing. */
export type ReportVerdict = 'stored' | ReportRefusal;
/** `stale_fence`: the lease is not (or no longer) the worker's. */
export type ReportRefusal = 'stale_fence' | 'not_found' | 'malformed' | 'unknown_kind' | 'too_large';
