import type { TestDatabase } from '@heddle/testing-database';
import { until } from './open-jobs.fixture.js';

const LOCK = 15;

/**
 * Stops every statement that changes the table at its first row, in the middle of what it does, then ends its connection:
 * the crash of a service between two writes. Resolves once the table is as before.
 */
export async function crashedAt(
  { owner }: Pick<TestDatabase, 'owner'>,
  table: 'jobs.ledger' | 'jobs.balance',
  call: () => Promise<unknown>,
): Promise<unknown> {
  const holder = await owner.connect();
  try {
    await holder.query(`select pg_advisory_lock(${LOCK});
      create function public.hold() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(${LOCK}); return new; end';
      create trigger hold before insert or update on ${table} for each row execute function public.hold()`);
    const outcome = call().catch((error: unknown) => error);
    await until(async () => {
      const { rowCount } = await holder.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
      );
      return rowCount === 1;
    }, 'the statement');
    return await outcome;
  } finally {
    await holder.query(
      `select pg_advisory_unlock(${LOCK}); drop trigger hold on ${table}; drop function public.hold()`,
    );
    holder.release();
  }
}
