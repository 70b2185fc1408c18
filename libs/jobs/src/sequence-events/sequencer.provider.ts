import { BackgroundLogger } from '@heddle/platform-database';
import type { FactoryProvider } from '@nestjs/common';
import { reportedTrouble, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_ALONE, JOBS_POOL } from '../jobs-connections.js';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { ReplicaTable } from '../notify-peers/replicas.js';
import { SequencerListener } from './sequencer-listener.js';

/** In a single process only consumers with checkpoints wait for a seq, so larger batches are better. */
const ALONE_BATCHES = { batchWaitMs: 40, busyBatchWaitMs: 120 };

/** Numbers the events. The bus receives an event as soon as it has its number. */
export const sequencer: FactoryProvider<Sequencer> = {
  provide: Sequencer,
  inject: [JOBS_POOL, JOBS_ALONE, ReplicaTable, SequencerListener, BackgroundLogger],
  useFactory: (
    pool: Pool,
    isAlone: boolean,
    replicas: ReplicaTable,
    { onTurn }: SequencerListener,
    log: BackgroundLogger,
  ) =>
    new Sequencer({
      pool,
      schema: JOBS_SCHEMA,
      holder: replicas.id,
      takeOver: isAlone,
      ...(isAlone ? ALONE_BATCHES : {}),
      onTurn,
      ...reportedTrouble(log),
    }),
};
