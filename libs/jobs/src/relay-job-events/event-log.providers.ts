import type { Provider } from '@nestjs/common';
import { AgeLog } from '../age-log/age-log.js';
import { SnapshotCheck } from '../check-snapshots/snapshot-check.js';
import { QueueDepth } from '../observe-queue/queue-depth.js';
import { JobHoldingsReader } from '../read-holdings/job-holdings.js';
import { LogController } from '../sequence-events/log-controller.js';
import { SequencerListener } from '../sequence-events/sequencer-listener.js';
import { sequencer } from '../sequence-events/sequencer.provider.js';
import { JobEventsRelay } from './job-events-relay.js';
import { JobMessages } from './job-messages.js';
import { OlderEnvelopes } from './older-envelopes.js';
import { RelayListener } from './relay-listener.js';
import { RelayStop } from './relay-stop.js';
import { relayReader } from './relay.provider.js';

/** Numbers the events of the log and publishes them. */
export const EVENT_LOG: readonly Provider[] = [
  LogController,
  SequencerListener,
  sequencer,
  OlderEnvelopes,
  JobHoldingsReader,
  JobMessages,
  JobEventsRelay,
  RelayStop,
  RelayListener,
  relayReader,
  AgeLog,
  SnapshotCheck,
  QueueDepth,
];
