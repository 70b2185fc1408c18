import { Injectable } from '@nestjs/common';
import { LogReader } from '@heddle/platform-event-log';
import type { SequencerAlarm, SequencerOptions, SequencerTurn } from '@heddle/platform-event-log';
import { JobsLogger } from '../jobs-logger.js';
import { JobsMetrics } from '../jobs-metrics.js';
import { Peers } from '../notify-peers/peers.js';

const RESTORED =
  'the log was restored from another server, so no event gets a number; stop all services and run heddle migrate --adopt-restored-log';

/** What follows a turn of the sequencer: the relay, wherever it runs, reads what was numbered. */
@Injectable()
export class SequencerListener implements Pick<Required<SequencerOptions>, 'onTurn' | 'onAlarm' | 'onError'> {
  constructor(
    private readonly relay: LogReader,
    private readonly peers: Peers,
    private readonly metrics: JobsMetrics,
    private readonly log: JobsLogger,
  ) {}

  readonly onTurn = (turn: SequencerTurn): void => {
    this.metrics.sequenced(turn);
    if (turn.count === 0) return;
    this.relay.nudge();
    if (this.relay.leader !== null) this.peers.notify(this.relay.leader, { sequenced: true });
  };

  readonly onAlarm = (alarm: SequencerAlarm): void => {
    this.log.warn(alarm.kind === 'restored' ? RESTORED : 'the log is stalled', { ...alarm });
  };

  readonly onError = (error: unknown): void => {
    this.log.error('the log was not sequenced', error);
  };
}
