import type { Provider } from '@nestjs/common';
import type { Database } from '@heddle/platform-database';
import type { Pool } from 'pg';
import { JOBS_ROLE } from './jobs-schema/jobs-migrations.js';

/** Connections for everything that writes, and for what the writers read. */
export const JOBS_POOL = Symbol('JobsPool');
/** Connections for what clients read: a slow list takes none from the writers. */
export const JOBS_READS = Symbol('JobsReads');
/** The message bus on which job events and previews are published. */
export const JOBS_BUS = Symbol('JobsBus');
/** True when this process is the only one on its database. */
export const JOBS_ALONE = Symbol('JobsAlone');

export function jobsPools(database: Pick<Database, 'pool'>): Provider[] {
  return [
    { provide: JOBS_POOL, useValue: withGenericPlans(database.pool(JOBS_ROLE)) },
    { provide: JOBS_READS, useValue: withGenericPlans(database.pool(JOBS_ROLE, 'reads')) },
  ];
}

/**
 * The statements of this service are prepared, long, and planned well without their values; PostgreSQL would plan the
 * submission anew each time, which costs more than running it. A plan made while the tables are small must stay right
 * when they are large: every statement walks indexes, in their order. A bitmap would fetch every version that cannot be pruned.
 */
function withGenericPlans(pool: Pool): Pool {
  pool.options.options =
    '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';
  return pool;
}
