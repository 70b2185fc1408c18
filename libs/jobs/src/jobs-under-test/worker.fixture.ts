import { SELF_HOSTED_POOL } from '@heddle/contracts-messages';
import type {
  DurableReport,
  JobId,
  JobLease,
  LeaseKey,
  LeaseState,
  ReportVerdict,
  WorkerReport,
  WorkerPool,
  WorkPort,
  WorkSession,
} from '@heddle/contracts-messages';

/** A test worker's request to the queue. */
export interface LeaseRequest {
  readonly workerId: string;
  readonly environment: string;
  readonly deploymentId: WorkerPool['deploymentId'];
  /** Absent: 0. */
  readonly revision?: number;
  readonly slots: number;
  readonly waitMs: number;
}

interface Line {
  readonly session: WorkSession;
  readonly received: JobLease[];
  readonly listeners: Set<(state: LeaseState) => void>;
  /** Null while nobody waits for leases: leases that arrive then are handed back, as by a stopping worker. */
  wake: (() => void) | null;
}

/** The pools of leased jobs, at every replica of a test file: a worker that names a lease is of its pool. */
const pools = new Map<JobId, WorkerPool>();

/** Test workers, each with an open session; leases are requested one batch at a time. */
export class WorkerFixture {
  readonly #lines = new Map<string, Line>();
  /** Workers that received a lease may show its progress. */
  readonly #holders = new Map<string, Line>();

  constructor(private readonly work: WorkPort) {}

  /** Returns the first leases at once; none after the wait, or when the signal is aborted. */
  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    if (request.slots < 1) return [];
    const { deploymentId, revision = 0 } = request;
    const line = this.#line(request.workerId, { deploymentId, revision });
    const done = new Promise<void>((resolve) => {
      line.wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const timer = setTimeout(() => line.wake?.(), request.waitMs);
    if (!signal.aborted) line.session.offer(request.slots);
    if (line.received.length === 0 && !signal.aborted) await done;
    clearTimeout(timer);
    line.session.offer(0);
    line.wake = null;
    const leases = line.received.splice(0);
    for (const { jobId, fence } of leases) {
      this.#holders.set(`${jobId}:${fence}:${request.workerId}`, line);
      pools.set(jobId, { deploymentId, revision });
    }
    return leases;
  }

  async heartbeat(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    return await this.#lineFor(workerId, leases[0]).session.heartbeat(leases);
  }

  watch(workerId: string, listener: (state: LeaseState) => void): () => void {
    // News of a lease goes to the worker's name: a session of any pool hears it.
    const { listeners } = this.#lineFor(workerId);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  async handBack(workerId: string, lease: LeaseKey): Promise<void> {
    await this.#lineFor(workerId, lease).session.handBack(lease);
  }

  /** Reports by the named workers. Resolves when all are stored, with the verdicts of the durable ones. */
  async ingest(reports: readonly (WorkerReport & { readonly workerId: string })[]): Promise<readonly ReportVerdict[]> {
    const verdicts: ReportVerdict[] = [];
    for (const workerId of new Set(reports.map((report) => report.workerId))) {
      const theirs = reports.filter((report) => report.workerId === workerId);
      const { session } = this.#lineFor(workerId, theirs[0]);
      const durable = theirs.filter((report): report is DurableReport & { readonly workerId: string } => {
        return report.kind !== 'progress' && report.kind !== 'preview';
      });
      const shown = theirs.map(async (report) => {
        const holder = this.#holders.get(`${report.jobId}:${report.fence}:${workerId}`)?.session ?? session;
        if (report.kind === 'progress' || report.kind === 'preview') await holder.show(report);
      });
      verdicts.push(...(await session.report(durable)));
      await Promise.all(shown);
    }
    return verdicts;
  }

  async close(): Promise<void> {
    for (const { wake } of this.#lines.values()) wake?.();
    await Promise.all([...this.#lines.values()].map(({ session }) => session.close()));
  }

  /** The line of a worker that names the lease. */
  #lineFor(workerId: string, lease?: LeaseKey): Line {
    const known = lease === undefined ? undefined : pools.get(lease.jobId);
    return this.#line(workerId, known ?? SELF_HOSTED_POOL);
  }

  #line(workerId: string, { deploymentId, revision }: WorkerPool): Line {
    const name = `${workerId} ${deploymentId} ${revision}`;
    const known = this.#lines.get(name);
    if (known !== undefined) return known;
    const received: JobLease[] = [];
    const listeners = new Set<(state: LeaseState) => void>();
    const session = this.work.open(
      { workerId, environment: 'builtin/0.1.0', deploymentId, revision },
      {
        leases: (leases) => {
          // What cannot be handed back, such as while the database is away, runs out.
          if (line.wake === null) for (const lease of leases) session.handBack(lease).catch(() => undefined);
          else received.push(...leases);
          line.wake?.();
        },
        state: (state) => listeners.forEach((listener) => listener(state)),
      },
    );
    const line: Line = { session, received, listeners, wake: null };
    this.#lines.set(name, line);
    return line;
  }
}
