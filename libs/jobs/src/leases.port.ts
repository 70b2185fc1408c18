import type { JobLease, LeaseKey, LeaseRequest, LeasesPort, LeaseState, WorkerEvent } from '@heddle/contracts-messages';
import type { IngestWorkerEventsHandler } from './ingest-worker-events/ingest-worker-events.handler.js';
import type { HandBackLeaseHandler } from './lease-job/hand-back-lease.handler.js';
import type { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import type { LeaseWatch } from './lease-job/lease-watch.js';
import type { RenewLeasesHandler } from './lease-job/renew-leases.handler.js';

/** An outcome came before an output that it names; the worker sends what it still holds, and the outcome again. */
export class OutcomeTooEarly extends Error {
  override readonly name = 'OutcomeTooEarly';
}

/** What workers hold and what they hear about it. */
export class HeldLeases {
  constructor(
    readonly renew: RenewLeasesHandler,
    readonly watch: LeaseWatch,
    readonly handBack: HandBackLeaseHandler,
  ) {}
}

/** What a worker asks of this service, answered in this process. */
export class LocalLeases implements LeasesPort {
  constructor(
    private readonly dispatcher: LeaseDispatcher,
    private readonly held: HeldLeases,
    private readonly ingestWorkerEvents: IngestWorkerEventsHandler,
  ) {}

  async acquire(request: LeaseRequest, signal: AbortSignal): Promise<readonly JobLease[]> {
    return await this.dispatcher.acquire(request, signal);
  }

  async heartbeat(workerId: string, leases: readonly LeaseKey[]): Promise<readonly LeaseState[]> {
    return await this.held.renew.handle(workerId, leases);
  }

  watch(workerId: string, listener: (state: LeaseState) => void): () => void {
    return this.held.watch.watch(workerId, listener);
  }

  async handBack(workerId: string, lease: LeaseKey): Promise<void> {
    await this.held.handBack.handle(workerId, lease);
  }

  async ingest(events: readonly WorkerEvent[]): Promise<void> {
    const waiting = await this.ingestWorkerEvents.handle(events);
    if (waiting.length > 0) throw new OutcomeTooEarly(`outputs are missing for the outcome of ${waiting.join(', ')}`);
  }
}
