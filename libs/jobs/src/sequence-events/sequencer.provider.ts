import type { FactoryProvider } from '@nestjs/common';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';
import { JobsLog } from '../jobs-log.js';
import { JobsMetrics } from '../jobs-metrics.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { Peers } from '../notify-peers/peers.js';
import { ReplicaTable } from '../notify-peers/replicas.js';

/** In a single process only consumers with checkpoints wait for a seq, so larger batches are better. */
const ALONE_GATHERS = { gatherMs: 40, busyGatherMs: 120 };

type Needs = [
  pool: Pool,
  isAlone: boolean,
  replicas: ReplicaTable,
  peers: Peers,
  relay: LogReader,
  metrics: JobsMetrics,
  log: JobsLog,
];

const RESTORED =
  'the log was restored from another server, so no event gets a number; stop all services and run heddle migrate --adopt-restored-log';

/** Numbers the events. The bus receives an event as soon as it has its number. */
export const sequencer: FactoryProvider<Sequencer> = {
  provide: Sequencer,
  inject: [JOBS_POOL, JOBS_ALONE, ReplicaTable, Peers, LogReader, JobsMetrics, JobsLog],
  useFactory: (...[pool, isAlone, replicas, peers, relay, metrics, log]: Needs) =>
    new Sequencer({
      pool,
      schema: JOBS_SCHEMA,
      holder: replicas.id,
      takeOver: isAlone,
      ...(isAlone ? ALONE_GATHERS : {}),
      onTurn: (turn) => {
        metrics.sequenced(turn);
        if (turn.count === 0) return;
        relay.nudge();
        if (relay.leader !== null) peers.tell(relay.leader, { sequenced: true });
      },
      onAlarm: (alarm) => log.noticed(alarm.kind === 'restored' ? RESTORED : 'the log is stalled', { ...alarm }),
      onError: (error) => log.failed('the log was not sequenced', error),
    }),
};
