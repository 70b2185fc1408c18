import { BackgroundLogger } from '@heddle/platform-database';
import { Inject, Injectable } from '@nestjs/common';
import type { StoppedBefore } from '@heddle/platform-event-log';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { JOBS_METRICS } from '../metrics.js';
import { ReplicaTable } from '../notify-peers/replicas.js';
import type { Observed } from '../jobs-telemetry/observed.js';

/** The unreadable event before which this replica's relay has stopped, for log, readiness, metric and lease. */
@Injectable()
export class RelayStop implements Observed {
  readonly readinessCheck = { name: 'job events', check: () => this.reason };
  #before: StoppedBefore | null = null;

  constructor(
    private readonly log: BackgroundLogger,
    @Inject(ReplicaTable) private readonly replicas: Pick<ReplicaTable, 'othersReadMore'>,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.relayStopped, () => Number(this.reason !== null));
  }

  /** Logged once per event. */
  stopped(stop: StoppedBefore): void {
    if (this.#before?.seq !== stop.seq) this.log.error(stop.message, stop.cause);
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
