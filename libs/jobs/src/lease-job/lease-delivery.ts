import { BackgroundLogger } from '@heddle/platform-database';
import { Injectable } from '@nestjs/common';
import type { JobId, JobLease } from '@heddle/contracts-messages';
import { GrantLease } from './grant-lease.js';
import { HandBackLeaseHandler } from './hand-back-lease.handler.js';
import type { OfferingWorker } from './offering-worker.js';

/** `gone`: another worker has the job, or it ended. `held`, `later`: it cannot be leased here yet. */
type GrantOutcome = 'delivered' | 'gone' | 'held' | 'later' | 'undelivered';

/** Grants a lease to a worker that reserves a slot for it, and hands it back if the worker is gone. */
@Injectable()
export class LeaseDelivery {
  constructor(
    private readonly leases: GrantLease,
    private readonly handBack: HandBackLeaseHandler,
    private readonly log: BackgroundLogger,
  ) {}

  /** The slot becomes free again unless the lease was delivered. */
  async grant(jobId: JobId, worker: OfferingWorker): Promise<GrantOutcome> {
    const outcome = await this.#grant(jobId, worker).catch((error: unknown) => {
      this.log.error(`job ${jobId} was not leased`, error);
      return 'undelivered' as const;
    });
    if (outcome !== 'delivered') worker.release();
    return outcome;
  }

  async flush(worker: OfferingWorker): Promise<void> {
    for (const lease of worker.flush()) await this.#giveBack(worker, lease);
  }

  async #grant(jobId: JobId, worker: OfferingWorker): Promise<GrantOutcome> {
    const grant = await this.leases.grant(jobId, worker.identity);
    if (grant.kind !== 'granted') return grant.kind;
    if (worker.isListening) {
      worker.deliver(grant.lease);
      return 'delivered';
    }
    await this.#giveBack(worker, grant.lease);
    return 'undelivered';
  }

  async #giveBack({ identity }: OfferingWorker, lease: JobLease): Promise<void> {
    await this.handBack
      .handle(identity, lease)
      .catch((error: unknown) => this.log.error(`job ${lease.jobId} was not handed back`, error));
  }
}
