import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EndOrphanedLeases } from './enforce-deadlines/end-orphaned-leases.js';
import { JOBS_BACKGROUND } from './jobs-background.js';
import type { Background } from './jobs-background.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { ReplicaMembership } from './tell-peers/replica-membership.js';

/** Starts and stops what runs beside the requests, in the order in which the parts need each other. */
@Injectable()
export class JobsRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  #drained: Promise<void> | undefined;

  constructor(
    private readonly membership: ReplicaMembership,
    private readonly orphans: EndOrphanedLeases,
    private readonly dispatcher: LeaseDispatcher,
    @Inject(JOBS_BACKGROUND) private readonly background: readonly Background[],
  ) {}

  /** The replica is in the table before a worker of this process can ask for work. */
  async onApplicationBootstrap(): Promise<void> {
    await this.membership.join();
    await this.orphans.atStart();
    for (const one of this.background) one.start();
  }

  /** While those who hear of committed events are still there: what the relay has in hand reaches them. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
    for (const one of this.background) await one.stop();
  }

  /**
   * The first step of a stop, before the servers in front of this module close: waiting workers are answered, so that no
   * long poll holds the close up, and other replicas know that this one goes. Once, however often it is called.
   */
  async drain(): Promise<void> {
    this.#drained ??= this.#drain();
    await this.#drained;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.membership.sayGoodbye();
  }

  async #drain(): Promise<void> {
    this.dispatcher.drain();
    await this.membership.leave();
  }
}
