import { Injectable } from '@nestjs/common';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { MetricsRegistry } from '@heddle/platform-telemetry';
import { JOBS_METRICS } from '../metrics.js';
import type { Observed } from '../jobs-telemetry/observed.js';

/** Which parts of the log this replica has in hand: of all replicas one numbers the events, and one publishes them. */
@Injectable()
export class LogController implements Observed {
  constructor(
    private readonly sequencer: Sequencer,
    private readonly relay: LogReader,
  ) {}

  registerGauges(registry: MetricsRegistry): void {
    registry.gauge(JOBS_METRICS.logController, () => [
      [{ of: 'sequencer' }, Number(this.sequencer.leads)],
      [{ of: 'relay' }, Number(this.relay.leads)],
    ]);
  }
}
