import { JobsSettings } from '@heddle/jobs';
import { SELF_HOSTED_PRINCIPAL } from '@heddle/contracts-messages';
import pg from 'pg';
import { countOrRollBack } from './count-waiting.ts';
import { ROW_STATEMENTS } from './job-columns.ts';
import { accountOf, deploymentOf, planSql, sessionSql } from './plan-jobs.sql.ts';
import { workflowPool } from './workflow-pool.ts';
import { EVENT_STATEMENTS } from './write-log.sql.ts';

export interface LargeDataOptions {
  readonly jobs: number;
  /** Beside the served one. */
  readonly accounts: number;
  /** The served one among them. */
  readonly deployments: number;
  readonly seed: number;
  /** Jobs that have not ended, at most; what the queue depths allow unless given. */
  readonly unended?: number;
}

/** Jobs a transaction: some 400 ms of work, so that an interruption is quick and nobody waits long for a lock of it. */
const BATCH = 10_000;
/** One for each of the two cores that a small machine has. */
const WRITERS = 2;
const WORKFLOWS = 1_000;

const SETTINGS = new JobsSettings();
const STATEMENTS = [...EVENT_STATEMENTS, ...ROW_STATEMENTS];

/**
 * Writes the jobs in batches, each a transaction with its events, rows, assets and keys. `written` hears of every batch.
 * Stops between batches when the signal says so; what is written stays and is whole. Resolves with the jobs written.
 */
export async function writeJobs(
  url: string,
  options: LargeDataOptions,
  { signal, written }: { readonly signal: AbortSignal; readonly written: (jobs: number) => void },
): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: WRITERS }, async () => await openSession(url)));
  try {
    const plan = await planned(sessions[0]!, options);
    let next = 1;
    let total = 0;
    const work = async (session: pg.Client): Promise<void> => {
      while (next <= plan.ended && !signal.aborted) {
        const from = next;
        const to = Math.min(from + BATCH - 1, plan.ended);
        next = to + 1;
        await writeBatch(session, plan, from, to);
        total += to - from + 1;
        written(total);
      }
    };
    await Promise.all(sessions.map(work));
    if (signal.aborted) return total;
    await writeBatch(sessions[0]!, plan, plan.ended + 1, options.jobs);
    written(options.jobs);
    return options.jobs;
  } finally {
    await Promise.all(sessions.map(async (session) => await session.end()));
  }
}

interface Plan {
  readonly ended: number;
  readonly values: readonly unknown[];
}

async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url, application_name: 'heddle-large-data' });
  await session.connect();
  await session.query(
    `set synchronous_commit = off; set temp_buffers = '64MB'; set work_mem = '32MB'; set jit = off; set statement_timeout = 0`,
  );
  // Triggers and foreign keys check each row by itself; a superuser's session may leave that out, as these rows agree.
  await session.query('set session_replication_role = replica').catch(() => undefined);
  await session.query(sessionSql);
  return session;
}

/** Places the unended jobs below half of the queue depths: rescued ones wait again, so running ones count as waiting. */
async function planned(session: pg.Client, options: LargeDataOptions): Promise<Plan> {
  const { accountId, deploymentId } = SELF_HOSTED_PRINCIPAL;
  await openPartitions(session);
  await session.query(
    `insert into jobs.workflow (hash, bytes) select * from unnest($1::bytea[], $2::bytea[]) order by 1 on conflict do nothing`,
    [workflows.map(({ hash }) => hash), workflows.map(({ bytes }) => bytes)],
  );
  const { rows } = await session.query<{ served: number; others: number; now: string }>(
    `select coalesce(sum(waiting + running) filter (where account_id = $1), 0)::int as served,
       coalesce(sum(waiting + running) filter (where account_id <> $1), 0)::int as others, heddle.clock_now_ms()::text as now
     from jobs.queue_depth where account_id <> '00000000-0000-0000-0000-000000000000'`,
    [accountId],
  );
  const { served, others, now } = rows[0]!;
  const share = Math.min(Math.floor(options.jobs / 20), Math.ceil((options.unended ?? options.jobs) / 2));
  const ofServed = Math.max(0, Math.min(Math.floor(SETTINGS.queueDepthAccount * 0.4) - served, share));
  const ofOthers = Math.max(
    0,
    Math.min(
      Math.floor(SETTINGS.queueDepth * 0.2) - others,
      share,
      options.accounts * Math.floor(SETTINGS.queueDepthAccount * 0.2),
    ),
  );
  const ended = options.jobs - ofServed - ofOthers;
  await session.query(countersSql, [
    Math.min(options.accounts, Math.ceil(options.jobs / 2)),
    options.deployments,
    accountId,
    deploymentId,
  ]);
  const values = [
    options.seed,
    ended,
    now,
    SETTINGS.retentionMs,
    accountId,
    deploymentId,
    options.accounts,
    options.deployments,
    ofServed,
    ofServed + ofOthers,
    workflows.map(({ hash }) => hash),
  ];
  return { ended, values };
}

const workflows = workflowPool(WORKFLOWS);

/** The counters of an account stay when none of its jobs waits. */
const countersSql = `
insert into jobs.queue_depth (deployment_id, account_id)
select $4::uuid, $3::uuid
union select distinct ${deploymentOf('n % $2::bigint', '$4::uuid')}, '00000000-0000-0000-0000-000000000000'::uuid from generate_series(0, $1::bigint - 1) n
union select ${deploymentOf('n % $2::bigint', '$4::uuid')}, ${accountOf('n')} from generate_series(0, $1::bigint - 1) n
union select $4::uuid, '00000000-0000-0000-0000-000000000000'::uuid
on conflict do nothing`;

const WEEK_MS = 7 * 86_400_000;

/** A log in partitions has them from its migration on; these jobs began before. */
async function openPartitions(session: pg.Client): Promise<void> {
  const make = `to_regprocedure('jobs.make_event_partitions(bigint, bigint[])')`;
  const { rows } = await session.query<{ parted: boolean }>(`select ${make} is not null as parted`);
  if (!rows[0]!.parted) return;
  const weeks = Math.ceil(SETTINGS.retentionMs / WEEK_MS) + 1;
  await session.query('select jobs.make_event_partitions($1, $2)', [
    WEEK_MS,
    Array.from({ length: weeks + 1 }, (_, n) => Date.now() - n * WEEK_MS),
  ]);
}

async function writeBatch(session: pg.Client, plan: Plan, from: number, to: number): Promise<void> {
  if (to < from) return;
  do {
    await session.query('begin');
    await session.query({ name: 'plan', text: planSql, values: [from, to, ...plan.values] });
    for (const [n, text] of STATEMENTS.entries()) await session.query({ name: `rows-${n}`, text });
  } while (from > plan.ended && !(await countOrRollBack(session)));
  await session.query('commit');
}
