import { BackgroundLogger } from '@heddle/platform-database';
import type { FactoryProvider } from '@nestjs/common';
import { reportedTrouble, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';
import { DEPLOYMENTS_SCHEMA } from '../deployments-schema/deployments-migrations.js';

/** Numbers the events of deployments. */
export const sequencer: FactoryProvider<Sequencer> = {
  provide: Sequencer,
  inject: [DEPLOYMENTS_POOL, BackgroundLogger],
  useFactory: (pool: Pool, logger: BackgroundLogger) =>
    new Sequencer({ pool, schema: DEPLOYMENTS_SCHEMA, ...reportedTrouble(logger) }),
};
