import type { FactoryProvider } from '@nestjs/common';
import { LogReader, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';
import { JobsLog } from '../jobs-log.js';
import { JobsMetrics } from '../jobs-metrics.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { Peers } from '../tell-peers/peers.js';
import { Replicas } from '../tell-peers/replicas.js';

/** Only consumers with checkpoints wait for a seq where every service lives in this process: fewer, larger batches. */
const ALONE_GATHERS = { gatherMs: 40, busyGatherMs: 120 };

type Needs = [
  pool: Pool,
  isAlone: boolean,
  replicas: Replicas,
  peers: Peers,
  relay: LogReader,
  metrics: JobsMetrics,
  log: JobsLog,
];

/** Gives each event its number. The bus hears of an event as soon as it has its place in the log. */
export const sequencer: FactoryProvider<Sequencer> = {
  provide: Sequencer,
  inject: [JOBS_POOL, JOBS_ALONE, Replicas, Peers, LogReader, JobsMetrics, JobsLog],
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
      onAlarm: (alarm) => log.noticed('the log does not move', { ...alarm }),
      onError: (error) => log.failed('the log was not sequenced', error),
    }),
};
