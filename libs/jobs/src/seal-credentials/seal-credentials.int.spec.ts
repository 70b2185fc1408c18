import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANAGED_DEPLOYMENT_ID, Secret } from '@heddle/contracts-messages';
import type { JobLease, JobView, Principal } from '@heddle/contracts-messages';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import type { TestDatabase } from '@heddle/testing-database';
import type { QueryConfig, QueryResult } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entriesOf, priced } from '../jobs-under-test/credits.fixture.js';
import { JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import {
  codeOf,
  dropConsistent,
  leased,
  leaseRequest,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submissionOf,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { CredentialKeys } from './credential-keys.js';
import { WatchCredentialKeys } from './watch-credential-keys.js';

const line = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}\n`;
const CANARY = 'canary-of-a-partner';
const credentials = { apiKey: new Secret(CANARY) };
const SETTINGS = { sweepIntervalMs: 20, retryDelayMs: 0 };

/** A new account on the managed surface, which is one deployment: each test ends its jobs. */
const managed = (): Principal => ({ ...someAccount(), deploymentId: MANAGED_DEPLOYMENT_ID });

describe('partner credentials of the managed surface', () => {
  let db: TestDatabase;
  let folder: string;
  let file: string;
  let keys: CredentialKeys;
  let one: OpenJobs;
  let metrics: MetricsRegistry;
  const warned: string[] = [];
  /** Names of the statements that were sent. */
  const sent: string[] = [];
  const logger = {
    info: () => undefined,
    warn: (facts: unknown, what?: string) => void warned.push(`${what} ${JSON.stringify(facts)}`),
    error: () => undefined,
  };
  const open = async (): Promise<void> => {
    metrics = new MetricsRegistry();
    const pool = db.pool(JOBS_ROLE);
    const query = async (config: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
      if (typeof config !== 'string') sent.push(config.name ?? '');
      return await pool.query(config, values);
    };
    const watched = new Proxy(pool, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)) as unknown,
    });
    const options = { credentialKeys: keys, metrics, logger };
    one = await openJobs({ database: { pool: () => watched } }, SETTINGS, options);
  };
  beforeAll(async () => {
    db = await openDatabase();
    folder = await mkdtemp(join(tmpdir(), 'heddle-seal-'));
    file = join(folder, 'keys');
    await writeFile(file, line('a'));
    keys = await CredentialKeys.open(file);
    await open();
  });
  beforeEach(async () => {
    await writeFile(file, line('a'));
    await keys.readAgain();
    sent.length = 0;
    expect(await rows()).toEqual([]);
  });
  afterAll(async () => {
    await one.close();
    await dropConsistent(db);
    await rm(folder, { recursive: true });
  });

  const rows = async (): Promise<readonly { job_id: string; key_id: string }[]> =>
    (await db.owner.query<{ job_id: string; key_id: string }>('select job_id, key_id from jobs.sealed_credentials'))
      .rows;
  const apiKeyOf = (lease: JobLease | undefined): string | undefined => lease?.credentials?.apiKey?.reveal();
  const succeed = async (lease: JobLease): Promise<void> => {
    expect(await one.leases.ingest([reportOf(lease, 1, succeeded)])).toEqual(['stored']);
  };
  const ended = async (me: Principal, { id }: Pick<JobView, 'id'>): Promise<JobView> =>
    await until(async () => {
      const view = valueOf(await one.jobs.get(me, id));
      return view.completedAt !== null && view;
    }, 'the end of the job');

  it('are one sealed row from the submission to the end, and the worker gets them', async () => {
    const me = managed();
    const authToken = new Secret(`${CANARY}-token`);
    const { id } = await submitted(one, me, { credentials: { ...credentials, authToken } });
    expect(await rows()).toEqual([{ job_id: id, key_id: 'a' }]);
    const lease = await leased(one, me);
    expect([apiKeyOf(lease), lease.credentials?.authToken?.reveal()]).toEqual([CANARY, `${CANARY}-token`]);
    expect(await rows()).toHaveLength(1);
    await succeed(lease);
    expect(await rows()).toEqual([]);
    expect(sent).toContain('submit-priced-jobs-and-seal');
    expect(sent).toContain('commit-and-delete-sealed');
  });

  it('outlive the process: the next one leases the job with them', async () => {
    const me = managed();
    await submitted(one, me, { credentials });
    await one.close();
    await open();
    const lease = await leased(one, me);
    expect(apiKeyOf(lease)).toBe(CANARY);
    await succeed(lease);
  });

  it('are in the lease that is committed with the submission', async () => {
    const me = managed();
    const waiting = one.leases.acquire(leaseRequest(me), new AbortController().signal);
    await until(() => Promise.resolve(sent.includes('lease-candidates')), 'a worker that waits');
    await submitted(one, me, { credentials });
    const [lease] = await waiting;
    expect(sent).toContain('submit-priced-jobs-and-lease-and-seal');
    expect(apiKeyOf(lease)).toBe(CANARY);
    expect(await rows()).toHaveLength(1);
    await succeed(lease!);
  });

  it('are in a batch their own job’s', async () => {
    const me = managed();
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        submitted(one, me, at % 3 === 0 ? {} : { credentials: { apiKey: new Secret(`${CANARY}-${at}`) } }),
      ),
    );
    const leases: JobLease[] = [];
    for (const _ of made) leases.push(await leased(one, me));
    const keysOf = new Map(leases.map((lease) => [lease.jobId as string, apiKeyOf(lease)]));
    expect(made.map(({ id }) => keysOf.get(id))).toEqual(
      made.map((_, at) => (at % 3 === 0 ? undefined : `${CANARY}-${at}`)),
    );
    for (const lease of leases) await succeed(lease);
  });

  it('go with every kind of end, in its own transaction', async () => {
    const me = managed();
    const canceled = await submitted(one, me, { credentials });
    await one.jobs.cancel(me, canceled.id);
    expect(await rows()).toEqual([]);

    await submitted(one, me, { credentials });
    const failing = await leased(one, me);
    const at = { nodeId: null, classType: null, traceback: null };
    const outcome = { kind: 'failed', code: 'engine_error', message: 'no', ...at } as const;
    await one.leases.ingest([reportOf(failing, 1, { ...succeeded, outcome })]);
    expect(await rows()).toEqual([]);

    const overrun = await submitted(one, me, { credentials });
    await one.leases.ingest([reportOf(await leased(one, me), 1, { kind: 'started' })]);
    await db.advanceClock(3_601_000);
    expect((await ended(me, overrun)).status).toBe('failed');
    expect(await rows()).toEqual([]);

    const tooLate = await submitted(one, me, { credentials });
    await db.advanceClock(24 * 3_600_000 + 1_000);
    expect((await ended(me, tooLate)).status).not.toBe('queued');
  });

  it('leave nothing behind a refused submission', async () => {
    const me = managed();
    const small = await openJobs(db, { ...SETTINGS, queueDepthAccount: 0 }, { credentialKeys: keys });
    expect(codeOf(await small.jobs.submit(me, submissionOf({ credentials })))).toBe('queue_full');
    await small.close();
    await priced(one, me, { perJob: 5 });
    expect(codeOf(await one.jobs.submit(me, submissionOf({ credentials })))).toBe('insufficient_credits');
  });

  it('go in the statement that also settles the job', async () => {
    const me = managed();
    await priced(one, me, { perJob: 5 }, 5);
    await submitted(one, me, { credentials });
    await succeed(await leased(one, me));
    expect(sent).toContain('commit-and-settle-and-delete-sealed');
    expect((await entriesOf(one, me)).map(({ kind, charged }) => [kind, charged])).toEqual([
      ['grant', null],
      ['reserve', null],
      ['settle', 5],
    ]);
    await priced(one, me, { perJob: 0 });
  });

  it('stay readable after a rotation; new ones are sealed with the newest key', async () => {
    const me = managed();
    const old = await submitted(one, me, { credentials });
    await writeFile(file, line('a') + line('b'));
    await one.get(WatchCredentialKeys).run();
    const fresh = await submitted(one, me, { credentials });
    await one.get(WatchCredentialKeys).run();
    expect(new Map((await rows()).map((row) => [row.job_id, row.key_id]))).toEqual(
      new Map([
        [old.id, 'a'],
        [fresh.id, 'b'],
      ]),
    );
    expect(await metrics.metrics()).toMatch(/heddle_sealed_credentials\{key_id="a"\} 1\n.*\{key_id="b"\} 1\n/s);
    for (const _ of [old, fresh]) {
      const lease = await leased(one, me);
      expect(apiKeyOf(lease)).toBe(CANARY);
      await succeed(lease);
    }
    await one.get(WatchCredentialKeys).run();
    expect(await metrics.metrics()).toMatch(/heddle_sealed_credentials\{key_id="a"\} 0\n/);
  });

  it('wait for their key: the job runs once the key is back, and holds up no other', async () => {
    const me = managed();
    const stuck = await submitted(one, me, { credentials });
    await writeFile(file, line('b'));
    await keys.readAgain();
    const other = await submitted(one, me, { credentials });
    const lease = await leased(one, me);
    expect(lease.jobId).toBe(other.id);
    await succeed(lease);
    expect(valueOf(await one.jobs.get(me, stuck.id)).status).toBe('queued');
    expect(warned.filter((text) => text.includes('"keyId":"a"') && text.includes(file))).toHaveLength(1);
    expect(await metrics.metrics()).toMatch(/heddle_credentials_unreadable_total\{reason="unknown_key"\} [1-9]/);
    await writeFile(file, `a:${Buffer.alloc(32, 'x').toString('base64')}\n`);
    await keys.readAgain();
    await until(async () => {
      const [granted] = await one.leases.acquire({ ...leaseRequest(me), waitMs: 100 }, new AbortController().signal);
      expect(granted).toBeUndefined();
      return (await metrics.metrics()).includes('{reason="wrong_key"}');
    }, 'an attempt with a key of the same id');
    await writeFile(file, line('a'));
    await keys.readAgain();
    const late = await leased(one, me);
    expect([late.jobId, late.attempt, apiKeyOf(late)]).toEqual([stuck.id, 1, CANARY]);
    await succeed(late);
  });

  it('of another surface are in memory, and a job without any costs no part of a statement', async () => {
    const dedicated = someAccount();
    await submitted(one, dedicated, { credentials });
    await submitted(one, managed());
    expect(await rows()).toEqual([]);
    const lease = await leased(one, dedicated);
    expect(apiKeyOf(lease)).toBe(CANARY);
    await succeed(lease);
    await succeed(await leased(one, managed()));
    expect(sent.filter((name) => name.includes('seal'))).toEqual([]);
  });
});
