import { Inject, Injectable } from '@nestjs/common';
import { decodeJobEvent } from '@heddle/jobs-domain';
import type { AccountCredits, CreditCheck } from '@heddle/contracts-messages';
import { copyRows } from '@heddle/platform-database';
import type { ClientBase, Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';
import {
  balancesSql,
  entriesSql,
  lastOfJobsSql,
  PART_ENTRIES,
  pricedEventsSql,
  unreservedSql,
} from './check-credits.sql.js';
import { firstPlace, placeOf, placeText } from './check-place.js';
import type { CheckPlace } from './check-place.js';
import { LedgerWalk } from './ledger-walk.js';
import type { WalkedEntry } from './ledger-walk.js';
import { PricedJobs } from './priced-jobs.js';

const MAX_PROBLEMS = 100;

/**
 * `heddle credits check`: the ledgers against balances and log, then the log against the ledgers, part by part while the
 * service runs. Each part is one snapshot and a bounded number of rows; what the next part needs is in its place.
 */
@Injectable()
export class CheckCreditsHandler {
  constructor(@Inject(JOBS_READS) private readonly pool: Pool) {}

  async handle(from: string | null): Promise<CreditCheck> {
    const place = from === null ? firstPlace : placeOf(from);
    const client = await this.pool.connect();
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      return place.of === 'ledger' ? await checkLedger(client, place) : await checkLog(client, place.after);
    } finally {
      await client.query('rollback').catch(() => undefined);
      client.release();
    }
  }
}

async function checkLedger(client: ClientBase, place: Extract<CheckPlace, { of: 'ledger' }>): Promise<CreditCheck> {
  const entries: WalkedEntry[] = [];
  await copyRows(client, entriesSql(place), (row) => {
    entries.push({
      accountId: row.uuid(0),
      entryId: Number(row.int64(1)),
      kind: row.text(2),
      amount: Number(row.int64(3)),
      balance: Number(row.int64(4)),
      jobId: row.isNull(5) ? null : row.uuid(5),
      charged: row.isNull(6) ? 0 : Number(row.int64(6)),
    });
  });
  const isLast = entries.length < PART_ENTRIES;
  const problems: string[] = [];
  const problem = (text: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(text);
  };
  const balances = await balancesBetween(client, place, isLast ? null : entries.at(-1)!.accountId);
  const walk = new LedgerWalk(place.carried, balances, problem);
  const jobs = new PricedJobs();
  await copyRows(client, pricedEventsSql(place), (row) => jobs.take(row));
  for (const entry of entries) {
    walk.take(entry);
    const trouble = jobs.trouble(entry);
    if (trouble !== null) problem(trouble);
  }
  const carried = walk.current;
  walk.end(isLast);
  const next: CheckPlace =
    isLast || carried === null
      ? { of: 'log', after: firstPlace.accountId }
      : { of: 'ledger', accountId: carried.accountId, entryId: carried.entryId, carried };
  return { accounts: walk.accounts, entries: walk.entries, problems, next: placeText(next) };
}

/** Balances from the account that the part before ended in. Of a part that is not the last, its last account is carried. */
async function balancesBetween(
  client: ClientBase,
  { accountId, carried }: Extract<CheckPlace, { of: 'ledger' }>,
  last: string | null,
): Promise<Map<string, AccountCredits>> {
  const balances = new Map<string, AccountCredits>();
  await copyRows(client, balancesSql(carried?.accountId ?? accountId, last), (row) => {
    const [balance, reserved, granted, charged, withdrawn] = [1, 2, 3, 4, 5].map((at) => Number(row.int64(at)));
    balances.set(row.uuid(0), {
      balance: balance!,
      reserved: reserved!,
      granted: granted!,
      charged: charged!,
      withdrawn: withdrawn!,
    });
  });
  return balances;
}

/** Jobs that cost something and have no entry. */
async function checkLog(client: ClientBase, after: string): Promise<CreditCheck> {
  const { rows } = await client.query<{ id: string }>(lastOfJobsSql, [after]);
  const last = rows[0]?.id ?? null;
  const problems: string[] = [];
  await copyRows(client, unreservedSql(after, last), (row) => {
    const event = decodeJobEvent('JobSubmitted', row.int16(1), row.text(2));
    if (event.type !== 'JobSubmitted' || event.data.reserved === 0 || problems.length >= MAX_PROBLEMS) return;
    problems.push(`job ${row.uuid(0)} reserved ${event.data.reserved} by the log, and has no entry`);
  });
  return { accounts: 0, entries: 0, problems, next: last === null ? null : placeText({ of: 'log', after: last }) };
}
