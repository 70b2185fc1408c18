import { SweepClock } from '@heddle/platform-database';
import type { FactoryProvider } from '@nestjs/common';
import type { Pool } from 'pg';
import { RegistryLogger } from '../registry-logger.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { RegistrySettings } from '../settings.js';

const JUMPED = 'the clock of the database jumped: sweeps wait until it is right, or has stayed where it is';

export const sweepClock: FactoryProvider<SweepClock> = {
  provide: SweepClock,
  inject: [REGISTRY_POOL, RegistryLogger, RegistrySettings],
  useFactory: (pool: Pool, logger: RegistryLogger, { clockToleranceMs }: RegistrySettings) =>
    new SweepClock(pool, (offMs) => logger.warn(JUMPED, { offMs }), clockToleranceMs),
};
