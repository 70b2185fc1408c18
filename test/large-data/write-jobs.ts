import { JobsSettings } from '@heddle/jobs';
import { copyInto } from '@heddle/platform-database';
import pg from 'pg';
import { countOrRollBack, WHOLE_DEPLOYMENT } from './count-waiting.ts';
import { BatchEncoder } from './encode-batch.ts';
import type { EncodedBatch } from './encode-batch.ts';
import { TABLES } from './job-columns.ts';
import { uuidText } from './mixed-numbers.ts';
import { accountOf, deploymentOf } from './plan-job.ts';
import type { JobPlan } from './plan-job.ts';
import { servedTenant } from './served-tenant.ts';
import type { ServedTenant } from './served-tenant.ts';
import { writeDeployments } from './write-deployments.ts';
import { workflowPool } from './workflow-pool.ts';

export interface LargeDataOptions {
  readonly jobs: number;
  /** Accounts in addition to the served one */
  readonly accounts: number;
  /** Deployments, including the served one */
  readonly deployments: number;
  readonly seed: number;
  /** Maximum of unended jobs; default: the limit of the queue depths */
  readonly unended?: number;
}

/** Jobs per transaction: about 100 ms of work, so that interrupts are quick and locks are short. */
const BATCH = 2_500;
/** One writer for each core of a small machine */
const WRITERS = 2;
const WORKFLOWS = 1_000;

const SETTINGS = new JobsSettings();

/**
 * Writes the jobs in batches, each a transaction with its events, rows, assets and keys. Calls `written` after every batch.
 * An abort stops between batches; written jobs stay complete. Resolves with the number of written jobs.
 */
export async function writeJobs(
  url: string,
  options: LargeDataOptions,
  { signal, written }: { readonly signal: AbortSignal; readonly written: (jobs: number) => void },
): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: WRITERS }, async () => await Session.open(url)));
  try {
    const plan = await planned(sessions[0]!.client, options);
    const encoder = new BatchEncoder(plan);
    let next = 1;
    const encodeNext = (): EncodedBatch | null => {
      if (next > plan.ended || signal.aborted) return null;
      const from = next;
      next = Math.min(from + BATCH, plan.ended + 1);
      return encoder.batch(from, next - 1);
    };
    let total = 0;
    const work = async (session: Session): Promise<void> => {
      for (let batch = encodeNext(); batch !== null;) {
        const writing = session.write(batch);
        // Encodes the next batch while the server writes this one.
        const following = encodeNext();
        await writing;
        total += batch.jobs;
        written(total);
        batch = following;
      }
    };
    await Promise.all(sessions.map(work));
    if (signal.aborted || plan.unended === 0) return total;
    await sessions[0]!.write(encoder.batch(plan.ended + 1, options.jobs));
    written(options.jobs);
    return options.jobs;
  } finally {
    await Promise.all(sessions.map(async ({ client }) => await client.end()));
  }
}

class Session {
  static async open(url: string): Promise<Session> {
    const client = new pg.Client({ connectionString: url, application_name: 'heddle-large-data' });
    await client.connect();
    await client.query('set synchronous_commit = off; set statement_timeout = 0');
    // A superuser's session skips triggers and foreign keys, because these rows are consistent.
    const hasTriggers = await client.query('set session_replication_role = replica').then(
      () => false,
      () => true,
    );
    return new Session(client, hasTriggers);
  }

  readonly client: pg.Client;
  readonly #hasTriggers: boolean;

  private constructor(client: pg.Client, hasTriggers: boolean) {
    this.client = client;
    this.#hasTriggers = hasTriggers;
  }

  async write({ tables, unended }: EncodedBatch): Promise<void> {
    do {
      await this.client.query('begin');
      for (const { table, columns, bytes } of tables) {
        // The trigger of jobs wrote these rows.
        if (this.#hasTriggers && table === TABLES.label.name) continue;
        await copyInto(this.client, `copy ${table} (${columns.join(', ')}) from stdin (format binary)`, bytes);
      }
    } while (unended.length > 0 && !(await countOrRollBack(this.client, unended)));
    await this.client.query('commit');
  }
}

/** Keeps unended jobs below half of the queue depths. Running jobs count as waiting, because a rescue queues them again. */
async function planned(session: pg.Client, options: LargeDataOptions): Promise<JobPlan> {
  const workflows = workflowPool(WORKFLOWS);
  const tenant = await servedTenant(session);
  await openPartitions(session);
  await session.query(
    `insert into jobs.workflow (hash, bytes) select * from unnest($1::bytea[], $2::bytea[]) order by 1 on conflict do nothing`,
    [workflows.map(({ hash }) => hash), workflows.map(({ bytes }) => bytes)],
  );
  const { rows } = await session.query<{ served: number; others: number; now: string }>(
    `select coalesce(sum(waiting + running) filter (where account_id = $1), 0)::int as served,
       coalesce(sum(waiting + running) filter (where account_id <> $1), 0)::int as others,
       extract(epoch from heddle.clock_now_ms()) * 1000 as now
     from jobs.queue_depth where account_id <> '${WHOLE_DEPLOYMENT}'`,
    [uuidText(tenant.accountId)],
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
  const { retentionMs } = SETTINGS;
  await writeDeployments(session, tenant, { deployments: options.deployments, now: Number(now), retentionMs });
  await openCounters(session, options, tenant);
  return {
    seed: options.seed,
    ended: options.jobs - ofServed - ofOthers,
    unended: ofServed + ofOthers,
    unendedOfServed: ofServed,
    now: Number(now),
    retentionMs,
    accounts: options.accounts,
    deployments: options.deployments,
    served: tenant,
    workflows,
  };
}

/** Creates the counters of accounts, which stay when no job waits. */
async function openCounters(
  session: pg.Client,
  { jobs, accounts, deployments }: LargeDataOptions,
  tenant: ServedTenant,
): Promise<void> {
  const served = [uuidText(tenant.deploymentId), uuidText(tenant.accountId)] as const;
  const seen = Array.from({ length: Math.min(accounts, Math.ceil(jobs / 2)) }, (_, n) => n);
  const ofAccounts = seen.map(
    (n) => [uuidText(deploymentOf(n % deployments, tenant)), uuidText(accountOf(n))] as const,
  );
  const counters = [served, ...ofAccounts];
  const whole = [...new Set(counters.map(([deployment]) => deployment))];
  await session.query(
    `insert into jobs.queue_depth (deployment_id, account_id) select * from unnest($1::uuid[], $2::uuid[]) on conflict do nothing`,
    [
      [...counters.map(([deployment]) => deployment), ...whole],
      [...counters.map(([, account]) => account), ...whole.map(() => WHOLE_DEPLOYMENT)],
    ],
  );
}

const WEEK_MS = 7 * 86_400_000;

/** Creates partitions for jobs that began before the migration of the log. */
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
