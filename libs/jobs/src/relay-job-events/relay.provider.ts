import type { FactoryProvider } from '@nestjs/common';
import { LogReader } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';
import { JOBS_RELAY, JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { ReplicaTable } from '../notify-peers/replicas.js';
import { RelayListener } from './relay-listener.js';

/** Events that the relay reads and moves its cursor over at once: the maximum repeated after a crash. */
const RELAY_BATCH = 4_000;

/** Reads the log for the bus. One replica leads. */
export const relayReader: FactoryProvider<LogReader> = {
  provide: LogReader,
  inject: [JOBS_POOL, JOBS_ALONE, ReplicaTable, RelayListener],
  useFactory: (pool: Pool, isAlone: boolean, replicas: ReplicaTable, listener: RelayListener) =>
    new LogReader({
      pool,
      schema: JOBS_SCHEMA,
      consumer: JOBS_RELAY,
      batchSize: RELAY_BATCH,
      holder: replicas.id,
      takeOver: isAlone,
      mayLead: listener.mayLead,
      handle: listener.handle,
      onError: listener.onError,
    }),
};
