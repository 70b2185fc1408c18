import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import { poolKey } from '@heddle/contracts-messages';
import type { DeploymentId, JobId, JobLease, WaitingJob, WorkerIdentity, WorkerPool } from '@heddle/contracts-messages';
import type { BackgroundTask } from '../background-task.js';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import type { JobsSettings } from '../settings.js';
import { Peers } from '../notify-peers/peers.js';
import { LeaseDelivery } from './lease-delivery.js';
import { RetryQueue } from './retry-queue.js';
import { OfferingWorker } from './offering-worker.js';
import { QueuePolls } from './queue-polls.js';
import type { Candidate } from './queue-poll.js';

const MAX_CANDIDATES = 128;
/**
 * A poll learns which accounts wait only from its rows: limited to the free slots, it would keep serving the first
 * account.
 */
const LOOK_BEYOND = 8;

interface Arrival {
  readonly pool: WorkerPool;
  /** Queued by this replica, which notifies the others if no worker here takes it; notifications are not passed on. */
  readonly isOurs: boolean;
}

/**
 * Matches queued jobs with waiting workers. A job committed while a worker waits is leased from memory at once;
 * otherwise the queue is read in its fair order. One round at a time, so that the claims of a round share a statement.
 * Other replicas are notified of jobs that no worker here takes; a slow poll (`poll`) covers lost wake-ups.
 */
@Injectable()
export class LeaseDispatcher implements BackgroundTask {
  readonly failure = 'waiting jobs were not polled';
  readonly needsClock = false;
  /** Workers that accept leases, longest waiting first. */
  readonly #waiting = new Set<OfferingWorker>();
  /** Jobs queued just now, while a worker waited. */
  readonly #arrived = new Map<JobId, Arrival>();
  /** Jobs being submitted and leased together, with their workers. */
  readonly #promised = new Map<JobId, OfferingWorker>();
  readonly #retryQueue = new RetryQueue();
  #askQueue = false;
  #busy = false;
  #draining = false;

  constructor(
    private readonly queue: QueuePolls,
    private readonly leases: LeaseDelivery,
    private readonly peers: Peers,
    private readonly log: BackgroundLogger,
  ) {}

  /** A worker of a new session; it gets leases once it offers slots. */
  newWorker(
    identity: WorkerIdentity,
    take: (leases: readonly JobLease[]) => void,
    isPaused?: () => boolean,
  ): OfferingWorker {
    return new OfferingWorker(identity, take, isPaused);
  }

  offer(worker: OfferingWorker, slots: number): void {
    worker.offer(slots);
    // To the end of the line: workers take turns.
    this.#waiting.delete(worker);
    if (this.#draining || !worker.isOffering) return;
    this.#waiting.add(worker);
    this.poll();
  }

  /** How many workers of each deployment accept a lease now. */
  waitingWorkers(): ReadonlyMap<DeploymentId, number> {
    const counts = new Map<DeploymentId, number>();
    for (const { identity, freeSlots } of this.#waiting) {
      if (freeSlots > 0) counts.set(identity.deploymentId, (counts.get(identity.deploymentId) ?? 0) + 1);
    }
    return counts;
  }

  /** Resolves when no lease is on its way to the worker; undelivered ones are handed back. */
  async leave(worker: OfferingWorker): Promise<void> {
    this.#waiting.delete(worker);
    await worker.leave();
  }

  intervalMs({ sweepIntervalMs, retryDelayMs }: JobsSettings): number {
    return Math.min(sweepIntervalMs, retryDelayMs);
  }

  /** Checks the queue if a worker waits: covers lost wake-ups and expired delays. */
  async run(): Promise<boolean> {
    this.queue.distrust();
    this.poll();
    return await Promise.resolve(false);
  }

  /** Reads the queue if a worker waits. */
  poll(): void {
    if (this.#waiting.size === 0) return;
    this.#askQueue = true;
    this.#turn();
  }

  /** Reserves a worker's slot for a job that is being submitted; null if no worker waits for it. */
  promise(jobId: JobId, pool: WorkerPool): WorkerIdentity | null {
    const worker = this.#workerFor(pool);
    if (worker === undefined) return null;
    worker.reserve();
    this.#promised.set(jobId, worker);
    return worker.identity;
  }

  /** The job was leased with its submission. */
  async keep(lease: JobLease): Promise<void> {
    const worker = this.#promised.get(lease.jobId);
    if (worker === undefined) return;
    this.#promised.delete(lease.jobId);
    worker.deliver(lease);
    await this.#flush(worker);
  }

  /** It was not: the slot is free again. The queue is read, because jobs may have been passed over meanwhile. */
  withdraw(jobId: JobId): WorkerIdentity | null {
    const worker = this.#promised.get(jobId);
    this.#promised.delete(jobId);
    worker?.release();
    this.poll();
    return worker?.identity ?? null;
  }

  /** Called after each commit in this process. */
  onCommitted({ jobId, accountId, deploymentId, before, after }: CommittedJob): void {
    if (before.status !== 'unsubmitted' && this.queue.limitsWait) this.poll();
    if (after.status !== 'queued' || this.#promised.has(jobId)) return;
    // A lost attempt is delayed before the next one; the poll finds it then.
    const isNew = before.status === 'unsubmitted';
    const pool = { deploymentId, revision: after.facts.submission.revision };
    if (isNew) this.queue.arrived(pool, accountId);
    else this.queue.reset();
    if (this.#waiting.size === 0) this.peers.announceWork([{ ...pool, jobId: isNew ? jobId : null }]);
    else this.#arrive(isNew ? jobId : null, { pool, isOurs: true });
  }

  /** Accounts may run more jobs than they could; other replicas find them with their next poll. */
  limitsChanged(): void {
    this.queue.reset();
    this.poll();
  }

  /** Another replica has jobs that no worker takes there. */
  onWork(jobs: readonly WaitingJob[]): void {
    this.queue.reset();
    if (this.#waiting.size === 0) return;
    for (const { jobId, ...pool } of jobs) this.#arrive(jobId, { pool, isOurs: false });
  }

  /** Grants no more leases; those in progress are still delivered. */
  drain(): void {
    this.#draining = true;
    this.#waiting.clear();
  }

  #arrive(jobId: JobId | null, arrival: Arrival): void {
    if (jobId === null || this.#arrived.size >= MAX_CANDIDATES) this.#askQueue = true;
    else this.#arrived.set(jobId, arrival);
    this.#turn();
  }

  #turn(): void {
    if (this.#busy) return;
    this.#busy = true;
    void this.#rounds()
      .catch((error: unknown) => this.log.error('waiting jobs were not dispatched', error))
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
        for (const { jobId, ...pool } of await this.#nextOfQueue()) {
          if (!candidates.has(jobId)) candidates.set(jobId, { pool, isOurs: false });
        }
      }
      if (candidates.size === 0) return;
      await this.#grantAll(candidates);
    }
    // Later workers read the queue themselves; workers may wait at other replicas.
    this.#notifyOthers(this.#takeArrived());
    this.#askQueue = false;
  }

  async #grantAll(candidates: ReadonlyMap<JobId, Arrival>): Promise<void> {
    const served = new Set<OfferingWorker>();
    const grants: Promise<void>[] = [];
    const left = new Map<JobId, Arrival>();
    for (const [jobId, arrival] of candidates) {
      const worker = this.#workerFor(arrival.pool);
      // It stays queued: another replica, the next round or the poll finds it.
      if (worker === undefined) {
        left.set(jobId, arrival);
        continue;
      }
      worker.reserve();
      served.add(worker);
      grants.push(this.#grant(jobId, worker));
    }
    this.#notifyOthers(left);
    if (grants.length < candidates.size || grants.length === MAX_CANDIDATES) this.#askQueue = this.#freeSlots() > 0;
    await Promise.all(grants);
    for (const worker of served) await this.#flush(worker);
  }

  #workerFor(pool: WorkerPool): OfferingWorker | undefined {
    return [...this.#waiting].find((one) => one.freeSlots > 0 && one.takes(pool));
  }

  async #flush(worker: OfferingWorker): Promise<void> {
    await this.leases.flush(worker);
    if (!worker.isOffering) this.#waiting.delete(worker);
  }

  async #grant(jobId: JobId, worker: OfferingWorker): Promise<void> {
    const outcome = await this.leases.grant(jobId, worker);
    if (outcome === 'later') this.#retryQueue.add(jobId);
    // Another replica or a limit was first: there may be more jobs in the queue, and a poll passes by what is held.
    if (outcome === 'later' || outcome === 'gone' || outcome === 'held') this.#askQueue = true;
  }

  #freeSlots(): number {
    let free = 0;
    for (const worker of this.#waiting) free += worker.freeSlots;
    return free;
  }

  #notifyOthers(left: ReadonlyMap<JobId, Arrival>): void {
    const ours = [...left].filter(([, { isOurs }]) => isOurs);
    this.peers.announceWork(ours.map(([jobId, { pool }]) => ({ jobId, ...pool })));
  }

  #takeArrived(): Map<JobId, Arrival> {
    const arrived = new Map(this.#arrived);
    this.#arrived.clear();
    return arrived;
  }

  async #nextOfQueue(): Promise<readonly Candidate[]> {
    const workers = [...this.#waiting].filter((worker) => worker.freeSlots > 0);
    const pools = new Map(workers.map(({ identity }) => [poolKey(identity), identity]));
    const limit = Math.min(MAX_CANDIDATES, this.#freeSlots());
    const rows = await this.queue.next({
      pools: [...pools].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pool]) => pool),
      limit: limit + LOOK_BEYOND,
      retried: this.#retryQueue.jobs(),
    });
    return rows.slice(0, limit);
  }
}
