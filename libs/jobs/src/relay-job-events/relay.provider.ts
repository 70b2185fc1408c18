import type { FactoryProvider } from '@nestjs/common';
import { LogReader, StoppedBefore } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';
import { JobsLog } from '../jobs-log.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { ReplicaTable } from '../notify-peers/replicas.js';
import { JobEventsRelay } from './job-events-relay.js';
import { RelayStop } from './relay-stop.js';

/** Events that the relay reads and moves its cursor over at once: the maximum repeated after a crash. */
const RELAY_BATCH = 4_000;

type Needs = [
  pool: Pool,
  isAlone: boolean,
  replicas: ReplicaTable,
  relay: JobEventsRelay,
  stop: RelayStop,
  log: JobsLog,
];

/** Reads the log for the bus. One replica leads; it stops before an event that its build cannot read. */
export const relayReader: FactoryProvider<LogReader> = {
  provide: LogReader,
  inject: [JOBS_POOL, JOBS_ALONE, ReplicaTable, JobEventsRelay, RelayStop, JobsLog],
  useFactory: (...[pool, isAlone, replicas, relay, stop, log]: Needs) =>
    new LogReader({
      pool,
      schema: JOBS_SCHEMA,
      consumer: 'jobs-relay',
      batchSize: RELAY_BATCH,
      holder: replicas.id,
      takeOver: isAlone,
      mayLead: () => stop.mayLead(),
      handle: async (events) => {
        await relay.publish(events);
        stop.wentOn();
      },
      onError: (error) => {
        if (error instanceof StoppedBefore) stop.stopped(error);
        else log.failed('committed events were not published', error);
      },
    }),
};
