import { BackgroundLogger } from '@heddle/platform-database';
import type { FactoryProvider } from '@nestjs/common';
import { CheckpointFolder } from '@heddle/platform-event-log';
import type { Pool } from 'pg';
import { JOBS_POOL } from '../jobs-connections.js';
import type { JobsModuleOptions } from '../jobs-module-options.js';
import { LogCheckpoints } from './log-checkpoints.js';

export function checkpointsIn({
  checkpoints,
}: Pick<JobsModuleOptions, 'checkpoints'>): FactoryProvider<LogCheckpoints> {
  const folder = checkpoints ? new CheckpointFolder(checkpoints.folder, checkpoints.keyFile ?? undefined) : null;
  return {
    provide: LogCheckpoints,
    inject: [JOBS_POOL, BackgroundLogger],
    useFactory: (pool: Pool, log: BackgroundLogger) => new LogCheckpoints(pool, folder, log),
  };
}
