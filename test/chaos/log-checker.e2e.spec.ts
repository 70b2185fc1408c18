import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { verifyLog } from '@heddle/platform-event-log';
import { freshSeed as seed, Random } from '@heddle/testing-seed';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenInvariants, CHECK_NAMES, examine, ownerPool } from './examine.ts';
import { HeddleUnderFire, TEST_TIMEOUT_MS } from './heddle-under-fire.ts';
import { History } from './history.ts';
import { fire } from './load.ts';
import { readRun } from './recorded-run.ts';
import { settle } from './settle.ts';

const SUCCEEDED = `(select stream_id from jobs.event where type = 'JobSucceeded' order by stream_id limit 1)`;
const OF_SUCCEEDED = `stream_id = ${SUCCEEDED}`;

/** Copies an event of the chosen job as its next version, with a new id and without a sequence number. */
function again(type: string, changes: Readonly<Record<string, string>> = {}): string {
  const columns = [
    'event_id',
    'stream_id',
    'version',
    'type',
    'schema_version',
    'account_id',
    'deployment_id',
    'fence',
  ];
  const all = [...columns, 'worker_seq', 'is_terminal', 'recorded_at', 'data'];
  const values: Readonly<Record<string, string>> = {
    event_id: 'gen_random_uuid()',
    version: `(select max(version) + 1 from jobs.event where ${OF_SUCCEEDED})`,
    worker_seq: 'null',
    ...changes,
  };
  return `insert into jobs.event (${all.join()}) select ${all.map((column) => values[column] ?? column).join()}
            from jobs.event where ${OF_SUCCEEDED} and type = '${type}' limit 1`;
}

/** Changes of the stored run behind the product's back, each with the check that must fail */
const MUTANTS: readonly (readonly [what: string, sql: string, check: RegExp])[] = [
  ['a job that ends twice', again('JobSucceeded'), /^I5 at most one event/],
  ['a missing event', `delete from jobs.event where ${OF_SUCCEEDED} and version = 2`, /^I24 versions are dense/],
  ['an event without a place', again('OutputCommitted'), /^I24 every event has one place/],
  ['a hole in the order', 'delete from jobs.event_seq where seq = 3', /^I24 every event has one place/],
  ['an end before a lease', `update jobs.event set type = 'JobCanceled' where ${OF_SUCCEEDED} and version = 2`, /^I6 /],
  [
    'an output under an old fence',
    `update jobs.event set fence = 0 where ${OF_SUCCEEDED} and type = 'OutputCommitted'`,
    /^I8 /,
  ],
  [
    'a lease that skips a fence',
    `update jobs.event set fence = 7 where ${OF_SUCCEEDED} and type = 'JobLeased'`,
    /^I7 /,
  ],
  ['an output committed twice', again('OutputCommitted'), /^I9 an output is committed once/],
  [
    'a key that made two jobs',
    again('JobSubmitted', {
      stream_id: `overlay(gen_random_uuid()::text placing '01900000' from 1)::uuid`,
      version: '1',
    }),
    /^I2 a key makes at most one job/,
  ],
  [
    'more attempts than there may be',
    `update jobs.event set data = convert_to(replace(convert_from(data, 'utf8'), '"maxAttempts":20', '"maxAttempts":0'), 'utf8')`,
    /^I33 /,
  ],
  ['a role that may rewrite the log', 'grant update on jobs.event to heddle_jobs', /^I23 /],
  ['a log without its guard', 'alter table jobs.event disable trigger append_only', /^I23 /],
  ['a status that nothing led to', `update jobs.job set version = version + 1 where id = ${SUCCEEDED}`, /^I22 /],
  ['an output that is not shown', `delete from jobs.job_output where job_id = ${SUCCEEDED}`, /^I9 outputs are shown/],
  [
    'an ended job in the queue',
    `insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline)
       select stream_id, account_id, deployment_id, 'queued', 1, 0, now(), now() from jobs.event where ${OF_SUCCEEDED} limit 1`,
    /^I34 /,
  ],
  ['a counter that drifted', 'update jobs.queue_depth set waiting = waiting + 1', /^I31 /],
  [
    'a key of no job',
    `update jobs.idempotency_key set job_id = gen_random_uuid() where job_id = ${SUCCEEDED}`,
    /^I3 every/,
  ],
  ['a workflow with other bytes', `update jobs.workflow set bytes = bytes || ' '::bytea`, /^I18 /],
  ['an output without its asset', `delete from assets.asset where job_id = ${SUCCEEDED}`, /^I10 /],
  ['an object of nobody', `update assets.blob set object_key = gen_random_uuid()`, /^I17 /],
  [
    'an upload that was left open',
    `insert into assets.upload values (gen_random_uuid(), gen_random_uuid(), now(), now())`,
    /^nothing is left/,
  ],
  ['a job that was lost', `delete from jobs.event where ${OF_SUCCEEDED}`, /^I1 /],
  ['an upload that was lost', 'delete from assets.asset where job_id is null', /^an acknowledged upload/],
  [
    'an end that changed',
    `update jobs.event set type = 'JobFailed' where ${OF_SUCCEEDED} and is_terminal`,
    /^I5 a job that was seen at its end/,
  ],
];

/** False records of clients, which the same checks must find */
const LIES: readonly (readonly [what: string, tell: (history: History) => void, check: RegExp])[] = [
  [
    'an acknowledgement of what was never stored',
    (history) => {
      history.submission({ key: randomUUID(), workflow: '{}', outcome: 'ok', jobId: randomUUID(), code: null });
    },
    /^I1 /,
  ],
  [
    'a refusal of what was stored',
    (history) => {
      history.submissions[0]!.outcome = 'refused';
    },
    /^I3 a refused/,
  ],
  [
    'a second job of one submission',
    (history) => {
      history.submissions[0]!.jobId = randomUUID();
    },
    /^I2 no submission/,
  ],
  [
    'a cancel that was acknowledged and had no effect',
    (history) => {
      const [jobId] = [...history.seenEnds].find(([, status]) => status === 'succeeded')!;
      history.cancel({ jobId, outcome: 'ok', status: 'canceled' });
    },
    /^I32 /,
  ],
  [
    'an answer that no contract has',
    (history) => {
      history.offences.push('GET / -> 502 without an envelope');
    },
    /^every answer/,
  ],
];

describe(`the checker of recorded runs (seed ${seed})`, { timeout: TEST_TIMEOUT_MS }, () => {
  const history = new History();
  let heddle: HeddleUnderFire;
  let owner: pg.Pool;
  beforeAll(async () => {
    heddle = await HeddleUnderFire.start();
    const random = new Random(seed);
    await fire({ origin: heddle.url, history, random, clients: 8, operations: 60, uploads: 0.2, cancels: 0.2 });
    await settle(heddle, history);
  });
  afterAll(async () => {
    await owner?.end();
    await heddle?.stop();
  });

  it('finds nothing wrong with an honest run', async () => {
    process.stdout.write(`honest run: ${await examine(heddle, history)}`);
    // From here on, the run is only read: the database server stays, the service ends.
    await heddle.process.kill9();
    owner = ownerPool(heddle.dataDir);
  });

  /** Tampers in a transaction that is rolled back, with the guards of the tables off. */
  const tampered = async <Result>(sql: string, look: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await owner.connect();
    try {
      await client.query('begin');
      await client.query('drop index jobs.event_log_one_terminal');
      // This role skips triggers and foreign keys, but not the checks of the tables.
      await client.query('set local session_replication_role = replica');
      const { rowCount } = await client.query(sql);
      if (/^(update|delete|insert)/.test(sql)) expect(rowCount, 'the mutant changed something').toBeGreaterThan(0);
      return await look(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };

  it.each(MUTANTS)('turns red for %s', async (_, sql, check) => {
    const broken = await tampered(sql, async (client) =>
      brokenInvariants(await readRun(client, join(heddle.dataDir, 'blobs')), history),
    );
    expect(broken).toContainEqual(expect.stringMatching(check));
  });

  it.each(LIES)('turns red for %s', async (_, tell, check) => {
    const lied = new History();
    for (const entry of history.submissions) lied.submission({ ...entry });
    for (const entry of history.uploads) lied.upload({ ...entry });
    for (const [jobId, status] of history.seenEnds) lied.sawEnd(jobId, status);
    tell(lied);
    const client = await owner.connect();
    const run = await readRun(client, join(heddle.dataDir, 'blobs')).finally(() => client.release());
    expect(brokenInvariants(run, lied)).toContainEqual(expect.stringMatching(check));
  });

  it('has a mutant or a lie for every check', () => {
    const patterns = [...MUTANTS, ...LIES].map(([, , check]) => check);
    expect(CHECK_NAMES.filter((name) => !patterns.some((pattern) => pattern.test(name)))).toEqual([]);
  });

  it.each([
    ['data', `update jobs.event set data = data || ' '::bytea where ${OF_SUCCEEDED} and version = 1`],
    ['time', `update jobs.event set recorded_at = recorded_at + interval '1 ms' where ${OF_SUCCEEDED} and version = 1`],
    ['account', `update jobs.event set account_id = gen_random_uuid() where ${OF_SUCCEEDED} and version = 1`],
  ])('sees by the chain that the %s of an event was changed', async (_, sql) => {
    const { faults } = await tampered(sql, async (client) => verifyLog(client, 'jobs'));
    expect(faults[0]?.fault).toBe('hash');
  });
});
