import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid, PEERS_PORT } from '@heddle/contracts-messages';
import type { JobId, JobLease, PeersPort } from '@heddle/contracts-messages';
import { connectDatabase, connectService, migrate } from '@heddle/platform-database';
import type { Database, ServiceDatabase } from '@heddle/platform-database';
import { privateServer } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';
import { freshSeed as seed, seeded } from '@heddle/testing-seed';
import { JOBS_MIGRATIONS, JOBS_ROLE } from '../jobs-schema/jobs-migrations.js';
import {
  leaseRequest,
  openJobs,
  outputOf,
  reportOf,
  someAccount,
  submissionOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import { succeeded, until, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';
import { verifyHistory } from '../verify-history/verify-history.js';

const never = new AbortController().signal;
const SETTINGS = { leaseMs: 2_000, retryDelayMs: 100, sweepIntervalMs: 100, maxAttempts: 20, queueDepthAccount: 5_000 };
const CLIENTS = 4;
const WORKERS = 4;
const RESTARTS = 2;
const BETWEEN_RESTARTS = 60;

describe('two replicas over a database that is restarted at once under load', () => {
  let server: PrivateServer;
  let owner: Database;
  const services: ServiceDatabase[] = [];
  const replicas: OpenJobs[] = [];
  const served = new Map<string, PeersPort>();
  const me = someAccount();
  const random = seeded(seed);

  beforeAll(async () => {
    server = await privateServer();
    owner = await connectDatabase({ databaseUrl: server.url() });
    await migrate(owner, [JOBS_MIGRATIONS]);
    for (const address of ['one', 'two']) {
      const database = await connectService({ databaseUrl: owner.roleUrl(JOBS_ROLE), service: JOBS_MIGRATIONS });
      services.push(database);
      const peers = (to: string): PeersPort => served.get(to)!;
      const jobs = await openJobs({ database }, SETTINGS, { address, peers });
      served.set(address, jobs.get<PeersPort>(PEERS_PORT));
      replicas.push(jobs);
    }
  });

  afterAll(async () => {
    for (const each of replicas) await each.close();
    for (const each of services) await each.close();
    await owner.close();
    await server.remove();
  });

  const any = (): OpenJobs => replicas[Math.floor(random() * replicas.length)]!;

  async function pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** A worker that repeats each report, to any replica, until one accepts it: delivery is at least once. */
  async function work(workerId: string, lease: JobLease): Promise<void> {
    const reports = [
      reportOf(lease, 1, { kind: 'output_committed', output: outputOf('9/0/0') }, workerId),
      reportOf(lease, 2, succeeded, workerId),
    ];
    for (const report of reports) {
      for (let attempt = 1; attempt <= 100; attempt++) {
        if (
          await any()
            .leases.ingest([report])
            .then(
              () => true,
              () => false,
            )
        )
          break;
        await pause(50);
      }
    }
  }

  it('keeps every submission that it acknowledged, and ends every job once', async () => {
    const note = `seed ${seed}`;
    const acknowledged: JobId[] = [];
    const keys = new Map<string, number>();
    let refused = 0;
    let over = false;
    let clientsOver = false;
    const workers = Array.from({ length: WORKERS }, async (_, index) => {
      const workerId = `worker-${index}`;
      while (!over) {
        const request = leaseRequest(me, workerId, { waitMs: 200 });
        const leases = await any()
          .leases.acquire(request, never)
          .catch(() => []);
        for (const lease of leases) await work(workerId, lease);
      }
    });
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!clientsOver) {
        const idempotencyKey = `key-${newUuid()}`;
        // A client without an answer retries with the same key, at any replica.
        for (let attempt = 1; attempt <= 2; attempt++) {
          const answer = await any()
            .jobs.submit(me, submissionOf({ idempotencyKey }))
            .catch(() => null);
          if (answer?.ok === true) {
            acknowledged.push(answer.value.id);
            keys.set(idempotencyKey, (keys.get(idempotencyKey) ?? 0) + 1);
            break;
          }
          refused++;
        }
        await pause(random() * 4);
      }
    });
    try {
      for (let restart = 0; restart < RESTARTS; restart++) {
        const goal = acknowledged.length + BETWEEN_RESTARTS;
        await until(async () => await Promise.resolve(acknowledged.length >= goal), 'submissions');
        await server.restartImmediately();
      }
      const goal = acknowledged.length + BETWEEN_RESTARTS;
      await until(async () => await Promise.resolve(acknowledged.length >= goal), 'submissions');
    } finally {
      clientsOver = true;
      await Promise.all(clients);
    }
    const pool = services[0]!.pool(JOBS_ROLE);
    const waiting = async (): Promise<number> =>
      (await pool.query<{ n: number }>('select count(*)::int as n from jobs.queue')).rows[0]!.n;
    for (let left = await waiting(); left > 0;) {
      const before = left;
      await until(async () => (left = await waiting()) < before, `the end of ${before} jobs`);
    }
    over = true;
    await Promise.all(workers);

    const views = await Promise.all(acknowledged.map(async (id) => valueOf(await any().jobs.get(me, id))));
    expect(
      views.filter(({ status, outputs }) => status !== 'succeeded' || outputs.length !== 1),
      note,
    ).toEqual([]);
    expect(
      [...keys.values()].filter((times) => times > 1),
      note,
    ).toEqual([]);
    const { rows } = await pool.query<{ jobs: number; ends: number }>(
      `select count(*) filter (where version = 1)::int as jobs, count(*) filter (where is_terminal)::int as ends from jobs.event`,
    );
    expect(rows[0]!.ends, note).toBe(rows[0]!.jobs);
    // Refused or unanswered requests may have been committed; acknowledged ones are all there.
    expect(rows[0]!.jobs, note).toBeGreaterThanOrEqual(acknowledged.length);
    expect(rows[0]!.jobs, note).toBeLessThanOrEqual(acknowledged.length + refused);
    await until(async () => {
      const all = await pool.query<{ n: string; seq: string }>(
        'select (select count(*) from jobs.event) as n, seq from jobs.seq_cursor',
      );
      return all.rows[0]?.n === all.rows[0]?.seq;
    }, 'the end of the log');
    expect((await verifyHistory(pool)).faults, note).toEqual([]);
  }, 300_000);
});
