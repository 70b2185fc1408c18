import { Injectable } from '@nestjs/common';
import { LogReader } from '@heddle/platform-event-log';
import type { SequencerOptions, SequencerTurn } from '@heddle/platform-event-log';
import { JobsMetrics } from '../jobs-telemetry/jobs-metrics.js';
import { Peers } from '../notify-peers/peers.js';

/** What follows a turn of the sequencer: the relay, wherever it runs, reads what was numbered. */
@Injectable()
export class SequencerListener implements Pick<Required<SequencerOptions>, 'onTurn'> {
  constructor(
    private readonly relay: LogReader,
    private readonly peers: Peers,
    private readonly metrics: JobsMetrics,
  ) {}

  readonly onTurn = (turn: SequencerTurn): void => {
    this.metrics.sequenced(turn);
    if (turn.count === 0) return;
    this.relay.nudge();
    if (this.relay.leader !== null) this.peers.notify(this.relay.leader, { sequenced: true });
  };
}
