import type { Provider } from '@nestjs/common';
import type { Database } from '@heddle/platform-database';
import type { Pool } from 'pg';
import { JOBS_ROLE } from './jobs-schema/jobs-migrations.js';

/** Connections for writes and for the reads of writers. */
export const JOBS_POOL = Symbol('JobsPool');
/** Connections for clients' reads: a slow list takes none from the writers. */
export const JOBS_READS = Symbol('JobsReads');
/** The message bus for job events and previews. */
export const JOBS_BUS = Symbol('JobsBus');
/** True if this process is alone on its database. */
export const JOBS_ALONE = Symbol('JobsAlone');

export function jobsPools(database: Pick<Database, 'pool'>): Provider[] {
  return [
    { provide: JOBS_POOL, useValue: withGenericPlans(database.pool(JOBS_ROLE)) },
    { provide: JOBS_READS, useValue: withGenericPlans(database.pool(JOBS_ROLE, 'reads')) },
  ];
}

/**
 * Forces generic plans: the statements of this service are prepared and long, and their plans do not depend on values.
 * PostgreSQL would plan the submission each time, which costs more than running it. A plan made while tables are small
 * must stay right when they are large, so every statement walks indexes in order; a bitmap scan would fetch every row
 * version that cannot be pruned.
 */
function withGenericPlans(pool: Pool): Pool {
  pool.options.options =
    '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';
  return pool;
}
