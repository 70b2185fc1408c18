import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EndOrphanedLeases } from './enforce-deadlines/end-orphaned-leases.js';
import { JOBS_BACKGROUND } from './jobs-background.js';
import type { Background } from './jobs-background.js';
import { LeaseDispatcher } from './lease-job/lease-dispatcher.js';
import { ReplicaMembership } from './notify-peers/replica-membership.js';

/** Starts and stops background tasks in the order of their dependencies. */
@Injectable()
export class JobsRuntime implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  #drained: Promise<void> | undefined;

  constructor(
    private readonly membership: ReplicaMembership,
    private readonly orphans: EndOrphanedLeases,
    private readonly dispatcher: LeaseDispatcher,
    @Inject(JOBS_BACKGROUND) private readonly background: readonly Background[],
  ) {}

  /** The replica must be in the table before a worker can ask it for work. */
  async onApplicationBootstrap(): Promise<void> {
    await this.membership.join();
    await this.orphans.atStart();
    for (const one of this.background) one.start();
  }

  /** While subscribers of committed events still exist: events that the relay is publishing reach them. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
    for (const one of this.background) await one.stop();
  }

  /**
   * First step of a stop, before the servers in front of this module close: answers waiting workers, so that no long
   * poll delays the close, and notifies other replicas. Runs once.
   */
  async drain(): Promise<void> {
    this.#drained ??= this.#drain();
    await this.#drained;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.membership.announceLeave();
  }

  async #drain(): Promise<void> {
    this.dispatcher.drain();
    await this.membership.leave();
  }
}
