import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleInit,
} from '@nestjs/common';
import type { CommittedJobs } from './commit-job-events/committed-job.js';
import type { CommittedJob } from './commit-job-events/committed-job.js';

/** Whoever wants to know what was committed here, in the order in which they are told. */
export class JobsSubscribers {
  constructor(readonly inOrder: readonly { onCommitted(committed: CommittedJob): void }[]) {}
}

/** Something that runs beside the requests. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

/** What is done around the requests, beside what runs. */
export interface JobsOccasions {
  /** Before any part starts, and before a worker of this process can ask for work. */
  prepare(): Promise<void>;
  /** While the servers still answer: no new work, everybody who waits is answered. */
  drain(): Promise<void>;
  /** After every part has stopped. */
  sayGoodbye(): Promise<void>;
}

/** Started and stopped in this order. */
export class JobsBackground {
  constructor(
    readonly parts: readonly Background[],
    readonly occasions: JobsOccasions,
  ) {}
}

/** Wires the hand-over after a commit, and starts and stops what runs beside the requests. */
export class JobsRuntime
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  #drained: Promise<void> | undefined;

  constructor(
    private readonly committed: CommittedJobs,
    private readonly subscribers: JobsSubscribers,
    private readonly background: JobsBackground,
  ) {}

  onModuleInit(): void {
    for (const one of this.subscribers.inOrder) this.committed.subscribe((job) => one.onCommitted(job));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.background.occasions.prepare();
    for (const one of this.background.parts) one.start();
  }

  /** While those who hear of committed events are still there: what the relay has in hand reaches them. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
    for (const one of this.background.parts) await one.stop();
  }

  /**
   * The first step of a stop, before the servers in front of this module close: waiting workers are answered, so that no
   * long poll holds the close up, and other replicas know that this one goes. Once, however often it is called.
   */
  async drain(): Promise<void> {
    this.#drained ??= this.background.occasions.drain();
    await this.#drained;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.background.occasions.sayGoodbye();
  }
}
