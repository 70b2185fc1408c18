import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '@heddle/contracts-messages';
import type { JobId } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import {
  codeOf,
  leased,
  leaseRequest,
  dropConsistent,
  openDatabase,
  openJobs,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  valueOf,
} from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const canceled = { ...succeeded, outcome: { kind: 'canceled' } } as const;

describe('canceling a job', () => {
  let db: TestDatabase;
  let one: OpenJobs;
  let rival: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    [one, rival] = await Promise.all([openJobs(db), openJobs(db)]);
  });
  afterAll(async () => {
    await one.close();
    await rival.close();
    await dropConsistent(db);
  });

  it('ends a waiting job at once, and no worker gets it', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    expect(valueOf(await one.jobs.cancel(me, id))).toMatchObject({ status: 'canceled', startedAt: null, version: 2 });
    const request = leaseRequest(me, 'worker-a', { waitMs: 50 });
    expect(await one.leases.acquire(request, new AbortController().signal)).toEqual([]);
  });

  it('is idempotent, and leaves a job that ended as it is', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const first = valueOf(await one.jobs.cancel(me, id));
    expect(valueOf(await one.jobs.cancel(me, id))).toEqual(first);
    const done = await submitted(one, me);
    await one.leases.ingest([reportOf(await leased(one, me), 1, succeeded)]);
    expect(valueOf(await one.jobs.cancel(me, done.id)).status).toBe('succeeded');
  });

  it('waits for the worker of a running job, whose finish may still win', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    expect(valueOf(await one.jobs.cancel(me, id)).status).toBe('canceling');
    await one.leases.ingest([reportOf(lease, 1, canceled)]);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('canceled');

    const other = await submitted(one, me);
    const second = await leased(one, me);
    await one.jobs.cancel(me, other.id);
    await one.leases.ingest([reportOf(second, 1, succeeded)]);
    expect(valueOf(await one.jobs.cancel(me, other.id)).status).toBe('succeeded');
  });

  it('races with the finish in another process without a second end', async () => {
    const me = someAccount();
    const ends = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const { id } = await submitted(one, me);
      const lease = await leased(one, me);
      await Promise.all([rival.jobs.cancel(me, id), one.leases.ingest([reportOf(lease, 1, succeeded)])]);
      const view = valueOf(await one.jobs.get(me, id));
      expect(view.status).toBe('succeeded');
      ends.add(`${view.version}`);
      const { rows } = await db.owner.query(
        `select version, is_terminal from jobs.event where stream_id = $1 order by version`,
        [id],
      );
      expect(rows.filter((row) => (row as { is_terminal: boolean }).is_terminal)).toHaveLength(1);
      expect(rows).toHaveLength(view.version);
    }
  });

  it('races with the lease in another process: canceled or leased, never both', async () => {
    const me = someAccount();
    for (let round = 0; round < 20; round++) {
      const { id } = await submitted(one, me);
      // A lease may be late on a busy machine: only where the job was canceled before does the worker wait in vain.
      const inVain = new AbortController();
      const [leases] = await Promise.all([
        rival.leases.acquire(leaseRequest(me, 'worker-a'), inVain.signal),
        one.jobs.cancel(me, id).then((answer) => {
          if (valueOf(answer).status === 'canceled') inVain.abort();
        }),
      ]);
      const { status, fence } = valueOf(await one.jobs.get(me, id));
      expect([status, fence]).toEqual(leases.length === 1 ? ['canceling', 1] : ['canceled', 0]);
      if (leases[0] !== undefined) await one.leases.ingest([reportOf(leases[0], 1, canceled)]);
    }
  });

  it('finds neither an unknown job nor that of another account or deployment', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const elsewhere = { ...me, deploymentId: someAccount().deploymentId };
    const answers = [
      await one.jobs.cancel(someAccount(), id),
      await one.jobs.cancel(me, newUuid() as JobId),
      await one.jobs.cancel(me, 'nonsense' as JobId),
      await one.jobs.get({ ...someAccount(), deploymentId: me.deploymentId }, id),
      await one.jobs.workflow(someAccount(), id),
      await one.jobs.workflow({ ...someAccount(), deploymentId: me.deploymentId }, id),
      ...(await Promise.all([
        one.jobs.get(elsewhere, id),
        one.jobs.workflow(elsewhere, id),
        one.jobs.cancel(elsewhere, id),
      ])),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'not_found'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(valueOf(await one.jobs.get(me, id)).status).toBe('queued');
  });
});
