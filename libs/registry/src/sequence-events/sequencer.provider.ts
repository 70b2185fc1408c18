import type { FactoryProvider } from '@nestjs/common';
import { reportedTrouble, Sequencer } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { RegistryLogger } from '../registry-logger.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { REGISTRY_SCHEMA } from '../registry-schema/registry-migrations.js';
import { RegistryRelay } from '../relay-events/registry-relay.js';

/** Numbers the events of the registry. */
export const sequencer: FactoryProvider<Sequencer> = {
  provide: Sequencer,
  inject: [REGISTRY_POOL, RegistryRelay, RegistryLogger],
  useFactory: (pool: Pool, relay: RegistryRelay, logger: RegistryLogger) =>
    new Sequencer({
      pool,
      schema: REGISTRY_SCHEMA,
      onTurn: ({ count }) => {
        if (count > 0) relay.nudge();
      },
      ...reportedTrouble(logger),
    }),
};
