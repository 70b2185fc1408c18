import { setTimeout as delay } from 'node:timers/promises';
import { isLockTimeout } from '@heddle/platform-database';
import type { ClientBase } from 'pg';
import { JOBS_SCHEMA } from '../jobs-schema/jobs-migrations.js';
import { changesFrom, foldChanged } from './fold-changed.js';
import { formerOf, grantShadow, TABLES } from './shadow-tables.js';
import { triggersSql } from './shadow-tables.sql.js';

/** Nothing was swapped: other transactions held the tables, or their changes, all the time. */
export class TablesInUseError extends Error {
  override readonly name = 'TablesInUseError';
}

/** While the swap waits for its lock, every other statement on the tables waits behind it. */
const LOCK_WITHIN = '300ms';
const MAX_ATTEMPTS = 200;
const PAUSE_MS = 250;
/** Folded under the lock within some tens of milliseconds. */
const FEW_JOBS = 200;
const MAX_ROUNDS = 50;

/**
 * Puts the shadow tables in the place of the live ones, in one transaction: lock, fold the last changes, exchange
 * names. `since`: the place of `changesFrom` before the first job was folded. Afterwards `schema` holds the former
 * tables, without their triggers.
 */
export async function swapTables(
  client: ClientBase,
  schema: string,
  since: string,
  signal?: AbortSignal,
): Promise<void> {
  let place = await catchUp(client, schema, since, signal);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; set local lock_timeout = '${LOCK_WITHIN}'`);
      await client.query(
        `lock table ${TABLES.map((name) => `${JOBS_SCHEMA}.${name}`).join(', ')} in access exclusive mode`,
      );
      // Earlier changes of a job have committed: the lock waited for them. Later ones wait.
      await foldChanged(client, schema, place, { apart: false });
      await exchange(client, schema);
      signal?.throwIfAborted();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!isLockTimeout(error)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new TablesInUseError(
          `nothing was swapped: other transactions held the tables of jobs during ${MAX_ATTEMPTS} attempts. End long ` +
            'transactions (pg_stat_activity) and run the command again',
        );
    }
    await delay(PAUSE_MS);
    place = await catchUp(client, schema, place, signal);
  }
}

/** Folds what has changed, until little changes meanwhile: the rest is folded under the lock. */
async function catchUp(client: ClientBase, schema: string, since: string, signal?: AbortSignal): Promise<string> {
  let [place, before] = [since, Infinity];
  for (let round = 1; ; round++) {
    const next = await changesFrom(client);
    const jobs = await foldChanged(client, schema, place, { apart: true, signal });
    if (jobs <= FEW_JOBS) return next;
    if (round === MAX_ROUNDS)
      throw new TablesInUseError(
        `nothing was swapped: ${jobs} jobs have changed since the oldest open transaction began, or change too fast. End ` +
          'long transactions (pg_stat_activity) and run the command again',
      );
    // As many as before: an open transaction keeps its changes in view.
    if (jobs >= before) await delay(PAUSE_MS);
    [place, before] = [next, jobs];
  }
}

/** Indexes and constraints go with their table, so the live ones must leave before those with the same names come. */
async function exchange(client: ClientBase, schema: string): Promise<void> {
  const { rows: triggers } = await client.query<{ statement: string }>(triggersSql, [TABLES]);
  await grantShadow(client, schema);
  const former = formerOf(schema);
  await client.query(`create schema ${former}`);
  // A change of a former row must not reach the live labels.
  for (const { statement } of triggers) await client.query(statement);
  for (const name of TABLES) await client.query(`alter table ${JOBS_SCHEMA}.${name} set schema ${former}`);
  for (const name of TABLES) await client.query(`alter table ${schema}.${name} set schema ${JOBS_SCHEMA}`);
  for (const name of TABLES) await client.query(`alter table ${former}.${name} set schema ${schema}`);
  await client.query(`drop schema ${former}`);
}
