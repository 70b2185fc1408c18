import type { DeploymentId, JobId, JobLease, LeaseRequest } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { plainArray } from '../group-commit/byte-arena.js';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import type { JobsLog } from '../jobs-log.js';
import type { GrantLease } from './grant-lease.js';
import type { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import { WaitingWorker } from './waiting-worker.js';
import { candidatesSql } from './leases.sql.js';

const MOST_WAITING_WORKERS = 10_000;
const MOST_CANDIDATES = 128;

/**
 * Brings waiting jobs and waiting workers together. A job that is committed while a worker waits is leased from memory
 * at once; otherwise the queue is asked in its fair order. One round at a time, so that the claims of a round share
 * their statement. A slow poll (`poll`) is the net under lost wake-ups and the way to jobs of other processes.
 */
export class LeaseDispatcher {
  readonly #waiting = new Set<WaitingWorker>();
  /** Jobs that were just queued here, while somebody waited. */
  readonly #arrived = new Map<JobId, DeploymentId>();
  #askQueue = false;
  #busy = false;

  constructor(
    private readonly pool: Pool,
    private readonly leases: GrantLease,
    private readonly handBack: HandBackLeaseHandler,
    private readonly log: JobsLog,
  ) {}

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    if (signal.aborted || request.slots < 1 || this.#waiting.size >= MOST_WAITING_WORKERS) return [];
    const worker = new WaitingWorker(request);
    const timer = setTimeout(() => worker.timeOut(), request.waitMs);
    const hangUp = (): void => worker.hangUp();
    signal.addEventListener('abort', hangUp, { once: true });
    this.#waiting.add(worker);
    this.poll();
    try {
      return await worker.result;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', hangUp);
      this.#waiting.delete(worker);
    }
  }

  /** Asks the queue if anybody waits. */
  poll(): void {
    if (this.#waiting.size === 0) return;
    this.#askQueue = true;
    this.#turn();
  }

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, deploymentId, before, after }: CommittedJob): void {
    if (after.status !== 'queued' || this.#waiting.size === 0) return;
    // A lost attempt waits a little before the next one; the poll finds it then.
    if (before.status !== 'unsubmitted') this.#askQueue = true;
    else if (this.#arrived.size < MOST_CANDIDATES) this.#arrived.set(jobId, deploymentId);
    else this.#askQueue = true;
    this.#turn();
  }

  #turn(): void {
    if (this.#busy) return;
    this.#busy = true;
    void this.#rounds()
      .catch((error: unknown) => this.log.failed('waiting jobs were not dispatched', error))
      .finally(() => {
        this.#busy = false;
        if (this.#waiting.size > 0 && (this.#arrived.size > 0 || this.#askQueue)) this.#turn();
      });
  }

  async #rounds(): Promise<void> {
    while (this.#freeSlots() > 0) {
      const candidates = this.#takeArrived();
      if (candidates.size < this.#freeSlots() && this.#askQueue) {
        this.#askQueue = false;
        for (const [jobId, deploymentId] of await this.#askForCandidates()) candidates.set(jobId, deploymentId);
      }
      if (candidates.size === 0) return;
      await this.#grantAll(candidates);
    }
    // Whoever comes next asks the queue itself.
    this.#arrived.clear();
    this.#askQueue = false;
  }

  async #grantAll(candidates: ReadonlyMap<JobId, DeploymentId>): Promise<void> {
    const served = new Set<WaitingWorker>();
    const grants: Promise<void>[] = [];
    for (const [jobId, deploymentId] of candidates) {
      const worker = [...this.#waiting].find((one) => one.freeSlots > 0 && one.takes(deploymentId));
      // Left in the queue: the next round or poll meets it.
      if (worker === undefined) continue;
      worker.reserve();
      served.add(worker);
      grants.push(this.#grant(jobId, worker));
    }
    if (grants.length < candidates.size || grants.length === MOST_CANDIDATES) this.#askQueue = this.#freeSlots() > 0;
    await Promise.all(grants);
    for (const worker of served) if (worker.answerIfAny()) this.#waiting.delete(worker);
  }

  async #grant(jobId: JobId, worker: WaitingWorker): Promise<void> {
    try {
      const lease = await this.leases.grant(jobId, worker.request);
      // Somebody else was first: there may be more where it came from.
      if (lease === null) this.#askQueue = true;
      else if (worker.isListening) worker.deliver(lease);
      else await this.handBack.handle(worker.request.workerId, lease);
    } catch (error) {
      this.log.failed(`job ${jobId} was not leased`, error);
    } finally {
      worker.release();
    }
  }

  #freeSlots(): number {
    let free = 0;
    for (const worker of this.#waiting) free += worker.freeSlots;
    return free;
  }

  #takeArrived(): Map<JobId, DeploymentId> {
    const arrived = new Map(this.#arrived);
    this.#arrived.clear();
    return arrived;
  }

  async #askForCandidates(): Promise<readonly (readonly [JobId, DeploymentId])[]> {
    const workers = [...this.#waiting].filter((worker) => worker.freeSlots > 0);
    const wanted = new Set(workers.map((worker) => worker.request.deploymentId));
    const deployments = wanted.has(null) ? null : plainArray([...wanted]);
    const limit = Math.min(MOST_CANDIDATES, this.#freeSlots());
    const { rows } = await this.pool.query<{ job_id: JobId; deployment_id: DeploymentId }>({
      name: 'lease-candidates',
      text: candidatesSql,
      values: [deployments, limit],
    });
    return rows.map((row) => [row.job_id, row.deployment_id] as const);
  }
}
