import { Injectable } from '@nestjs/common';
import type { DeploymentId, JobId, JobLease, WaitingJob, WorkerIdentity } from '@heddle/contracts-messages';
import { plainArray } from '../group-commit/byte-arena.js';
import type { CommittedJob } from '../commit-job-events/committed-job.js';
import { JobsLog } from '../jobs-log.js';
import { Peers } from '../tell-peers/peers.js';
import { LeaseDelivery } from './lease-delivery.js';
import { PutOffJobs } from './put-off-jobs.js';
import { OfferingWorker } from './offering-worker.js';
import { QueueLook } from './queue-look.js';
import type { Candidate } from './queue-look.js';

const MAX_CANDIDATES = 128;
/** A look learns which accounts wait from its rows alone: cut off at the free slots, it would go on with the first account. */
const LOOK_BEYOND = 8;
interface Arrival {
  readonly deploymentId: DeploymentId;
  /** Queued by this replica, which tells the others if nobody here takes it; nobody passes on what was told. */
  readonly isOurs: boolean;
}

/**
 * Brings waiting jobs and waiting workers together. A job that is committed while a worker waits is leased from memory
 * at once; otherwise the queue is asked in its fair order. One round at a time, so that the claims of a round share
 * their statement. Jobs that no worker of this replica takes are told to the others; a slow poll (`poll`) is the net under
 * lost wake-ups.
 */
@Injectable()
export class LeaseDispatcher {
  /** Workers that take leases, the one that offered longest ago first. */
  readonly #waiting = new Set<OfferingWorker>();
  /** Jobs that were just queued, while somebody waited. */
  readonly #arrived = new Map<JobId, Arrival>();
  /** Jobs that are being submitted and leased in one, by their workers. */
  readonly #promised = new Map<JobId, OfferingWorker>();
  readonly #putOff = new PutOffJobs();
  #askQueue = false;
  #busy = false;
  #draining = false;

  constructor(
    private readonly queue: QueueLook,
    private readonly leases: LeaseDelivery,
    private readonly peers: Peers,
    private readonly log: JobsLog,
  ) {}

  /** A worker opens its session; it takes leases once it offers slots. */
  join(identity: WorkerIdentity, take: (leases: readonly JobLease[]) => void): OfferingWorker {
    return new OfferingWorker(identity, take);
  }

  offer(worker: OfferingWorker, slots: number): void {
    worker.offer(slots);
    // To the end of the line: workers have their turn one after the other.
    this.#waiting.delete(worker);
    if (this.#draining || !worker.isOffering) return;
    this.#waiting.add(worker);
    this.poll();
  }

  /** Resolves when no lease is under way to it; what was is handed back. */
  async leave(worker: OfferingWorker): Promise<void> {
    this.#waiting.delete(worker);
    await worker.leave();
  }

  /** Asks for whatever waits, if anybody does: the net under lost wake-ups and under delays that ran out. */
  lookAgain(): void {
    this.queue.distrust();
    this.poll();
  }

  /** Asks the queue if anybody waits. */
  poll(): void {
    if (this.#waiting.size === 0) return;
    this.#askQueue = true;
    this.#turn();
  }

  /** Keeps a slot of a worker for a job that is being submitted; null where no worker waits for it. */
  promise(jobId: JobId, deploymentId: DeploymentId): WorkerIdentity | null {
    const worker = this.#workerFor(deploymentId);
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

  /** It was not: the slot is free again. Whom the queue has for it is asked, as jobs may have been passed over meanwhile. */
  withdraw(jobId: JobId): WorkerIdentity | null {
    const worker = this.#promised.get(jobId);
    this.#promised.delete(jobId);
    worker?.release();
    this.poll();
    return worker?.identity ?? null;
  }

  /** Subscribed to what is committed here. */
  onCommitted({ jobId, accountId, deploymentId, before, after }: CommittedJob): void {
    if (after.status !== 'queued' || this.#promised.has(jobId)) return;
    // A lost attempt waits a little before the next one; the poll finds it then.
    const isNew = before.status === 'unsubmitted';
    if (isNew) this.queue.arrived(deploymentId, accountId);
    else this.queue.forget();
    if (this.#waiting.size === 0) this.peers.tellWork([{ deploymentId, jobId: isNew ? jobId : null }]);
    else this.#arrive(isNew ? jobId : null, { deploymentId, isOurs: true });
  }

  /** Another replica has jobs that nobody takes there. */
  onWork(jobs: readonly WaitingJob[]): void {
    this.queue.forget();
    if (this.#waiting.size === 0) return;
    for (const { deploymentId, jobId } of jobs) this.#arrive(jobId, { deploymentId, isOurs: false });
  }

  /** Leases no more jobs; leases under way are still delivered. */
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
        for (const { jobId, deploymentId } of await this.#nextOfQueue()) {
          if (!candidates.has(jobId)) candidates.set(jobId, { deploymentId, isOurs: false });
        }
      }
      if (candidates.size === 0) return;
      await this.#grantAll(candidates);
    }
    // Whoever comes next here asks the queue itself; somebody may wait elsewhere.
    this.#tellOthers(this.#takeArrived());
    this.#askQueue = false;
  }

  async #grantAll(candidates: ReadonlyMap<JobId, Arrival>): Promise<void> {
    const served = new Set<OfferingWorker>();
    const grants: Promise<void>[] = [];
    const left = new Map<JobId, Arrival>();
    for (const [jobId, arrival] of candidates) {
      const worker = this.#workerFor(arrival.deploymentId);
      // Left in the queue: another replica, the next round or the poll meets it.
      if (worker === undefined) {
        left.set(jobId, arrival);
        continue;
      }
      worker.reserve();
      served.add(worker);
      grants.push(this.#grant(jobId, worker));
    }
    this.#tellOthers(left);
    if (grants.length < candidates.size || grants.length === MAX_CANDIDATES) this.#askQueue = this.#freeSlots() > 0;
    await Promise.all(grants);
    for (const worker of served) await this.#flush(worker);
  }

  #workerFor(deploymentId: DeploymentId): OfferingWorker | undefined {
    return [...this.#waiting].find((one) => one.freeSlots > 0 && one.takes(deploymentId));
  }

  async #flush(worker: OfferingWorker): Promise<void> {
    await this.leases.flush(worker);
    if (!worker.isOffering) this.#waiting.delete(worker);
  }

  async #grant(jobId: JobId, worker: OfferingWorker): Promise<void> {
    const outcome = await this.leases.grant(jobId, worker);
    if (outcome === 'later') this.#putOff.add(jobId);
    // Somebody else was first: there may be more where it came from.
    if (outcome === 'later' || outcome === 'gone') this.#askQueue = true;
  }

  #freeSlots(): number {
    let free = 0;
    for (const worker of this.#waiting) free += worker.freeSlots;
    return free;
  }

  #tellOthers(left: ReadonlyMap<JobId, Arrival>): void {
    const ours = [...left].filter(([, { isOurs }]) => isOurs);
    this.peers.tellWork(ours.map(([jobId, { deploymentId }]) => ({ jobId, deploymentId })));
  }

  #takeArrived(): Map<JobId, Arrival> {
    const arrived = new Map(this.#arrived);
    this.#arrived.clear();
    return arrived;
  }

  async #nextOfQueue(): Promise<readonly Candidate[]> {
    const workers = [...this.#waiting].filter((worker) => worker.freeSlots > 0);
    const wanted = new Set(workers.map((worker) => worker.identity.deploymentId));
    const deployments = wanted.has(null) ? null : plainArray([...wanted]);
    const limit = Math.min(MAX_CANDIDATES, this.#freeSlots());
    const rows = await this.queue.next(deployments, limit + LOOK_BEYOND, this.#putOff.jobs());
    return rows.slice(0, limit);
  }
}
