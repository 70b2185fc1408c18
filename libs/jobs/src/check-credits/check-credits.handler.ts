import { Inject, Injectable } from '@nestjs/common';
import type { AccountCredits, CreditCheck } from '@heddle/contracts-messages';
import { copyRows } from '@heddle/platform-database';
import type { ClientBase, Pool } from 'pg';
import { JOBS_READS } from '../jobs-connections.js';
import { JobsSettings } from '../settings.js';
import {
  balancesSql,
  entriesSql,
  jobEntriesSql,
  PART_ENTRIES,
  pricedEventsSql,
  snapshotSql,
  taskEntriesSql,
} from './check-credits.sql.js';
import { firstPlace, readCheckPlace, placeText } from './check-place.js';
import type { CheckPlace } from './check-place.js';
import { LedgerWalk } from './ledger-walk.js';
import type { WalkedEntry } from './ledger-walk.js';
import { PricedJobs } from './priced-jobs.js';
import { TaskEntries } from './task-entries.js';

const MAX_PROBLEMS = 100;

/**
 * `heddle credits check`, while the service runs. It compares ledgers with balances by account, then ledgers with the log
 * by job, in both directions, then the entries of tasks by task. Each part reads a bounded number of rows in one
 * snapshot. Its place holds what the next part needs.
 */
@Injectable()
export class CheckCreditsHandler {
  constructor(
    @Inject(JOBS_READS) private readonly pool: Pool,
    private readonly settings: JobsSettings,
  ) {}

  async handle(from: string | null): Promise<CreditCheck> {
    const place = from === null ? firstPlace : readCheckPlace(from);
    const client = await this.pool.connect();
    try {
      await client.query(snapshotSql);
      switch (place.of) {
        case 'ledger':
          return await checkLedger(client, place);
        case 'log':
          return await checkLog(client, place.after);
        case 'tasks':
          return await checkTasks(client, place.after, this.settings.taskSettleMs);
      }
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
      entryId: row.integer(1),
      kind: row.text(2),
      amount: row.integer(3),
      balance: row.integer(4),
      charged: row.isNull(5) ? 0 : row.integer(5),
    });
  });
  const isLast = entries.length < PART_ENTRIES;
  const { problems, problem } = firstProblems();
  const balances = await balancesBetween(client, place, isLast ? null : entries.at(-1)!.accountId);
  const walk = new LedgerWalk(place.carried, balances, problem);
  for (const entry of entries) walk.take(entry);
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
    const [balance, reserved, granted, charged, withdrawn] = [1, 2, 3, 4, 5].map((at) => row.integer(at));
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

/** The entries of the next jobs against their events, and the events against the entries. */
async function checkLog(client: ClientBase, after: string): Promise<CreditCheck> {
  const { problems, problem } = firstProblems();
  const jobs = new PricedJobs(problem);
  await copyRows(client, jobEntriesSql(after), (row) => jobs.takeEntry(row));
  await copyRows(client, pricedEventsSql(after, jobs.last), (row) => jobs.takeEvent(row));
  const next = jobs.end();
  const place: CheckPlace = next === null ? { of: 'tasks', after: firstPlace.accountId } : { of: 'log', after: next };
  return { accounts: 0, entries: 0, problems, next: placeText(place) };
}

/** The entries of the next tasks against each other. */
async function checkTasks(client: ClientBase, after: string, settleMs: number): Promise<CreditCheck> {
  const { problems, problem } = firstProblems();
  const tasks = new TaskEntries(settleMs, problem);
  await copyRows(client, taskEntriesSql(after), (row) => tasks.take(row));
  const next = tasks.end();
  return { accounts: 0, entries: 0, problems, next: next === null ? null : placeText({ of: 'tasks', after: next }) };
}

function firstProblems(): { readonly problems: readonly string[]; readonly problem: (text: string) => void } {
  const problems: string[] = [];
  return {
    problems,
    problem: (text) => {
      if (problems.length < MAX_PROBLEMS) problems.push(text);
    },
  };
}
