import { Inject, Injectable } from '@nestjs/common';
import type { StoppedBefore } from '@heddle/platform-event-log';
import { JobsLog } from '../jobs-log.js';
import { Replicas } from '../tell-peers/replicas.js';

/** Where the relay of this replica stands before an event that it cannot read, for log, readiness, metric and lease. */
@Injectable()
export class RelayStop {
  #before: StoppedBefore | null = null;

  constructor(
    private readonly log: JobsLog,
    @Inject(Replicas) private readonly replicas: Pick<Replicas, 'othersReadMore'>,
  ) {}

  /** Told once for each event. */
  stopped(stop: StoppedBefore): void {
    if (this.#before?.seq !== stop.seq) this.log.failed(stop.message, stop.cause);
    this.#before = stop;
  }

  wentOn(): void {
    this.#before = null;
  }

  /** False while another replica reads more: the cursor is left to that one. */
  mayLead(): boolean {
    return this.#before === null || !this.replicas.othersReadMore;
  }

  /** Why nothing is published, and what to do; null while something is, here or elsewhere. */
  get reason(): string | null {
    return this.#before === null || !this.mayLead() ? null : this.#before.message;
  }
}
