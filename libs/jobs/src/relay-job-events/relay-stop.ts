import { Inject, Injectable } from '@nestjs/common';
import type { StoppedBefore } from '@heddle/platform-event-log';
import { JobsLog } from '../jobs-log.js';
import { ReplicaTable } from '../notify-peers/replicas.js';

/** The unreadable event before which this replica's relay has stopped, for log, readiness, metric and lease. */
@Injectable()
export class RelayStop {
  #before: StoppedBefore | null = null;

  constructor(
    private readonly log: JobsLog,
    @Inject(ReplicaTable) private readonly replicas: Pick<ReplicaTable, 'othersReadMore'>,
  ) {}

  /** Logged once per event. */
  stopped(stop: StoppedBefore): void {
    if (this.#before?.seq !== stop.seq) this.log.failed(stop.message, stop.cause);
    this.#before = stop;
  }

  wentOn(): void {
    this.#before = null;
  }

  /** False while another replica reads a newer format: leave the cursor to it. */
  mayLead(): boolean {
    return this.#before === null || !this.replicas.othersReadMore;
  }

  /** Why nothing is published, and what to do; null while this or another replica publishes. */
  get reason(): string | null {
    return this.#before === null || !this.mayLead() ? null : this.#before.message;
  }
}
