import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobListQuery, JobPage, JobStatus, Principal } from '@heddle/contracts-messages';
import type { TestDatabase } from '@heddle/testing-database';
import { freshSeed } from '@heddle/testing-seed';
import { openDatabase, openJobs, someAccount, valueOf } from '../jobs-under-test/open-jobs.fixture.js';
import type { OpenJobs } from '../jobs-under-test/open-jobs.fixture.js';

const STATUSES: readonly JobStatus[] = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'canceled', 'expired'];
const JOBS = 6_000;
const seed = 1 + (freshSeed % 96);

interface Row {
  readonly id: string;
  readonly status: JobStatus;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Rows as any build writes them, in one account: many succeeded, few of every other status, three labels. */
const writeJobsSql = `
with made as (
  select i, (array['queued','running','canceling','failed','canceled','expired'])[1 + i % 6] as rare,
         now() - i * interval '1 second' as at
  from generate_series(1, ${JOBS}) i
),
job as (
  insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, started_at, completed_at,
                        expires_at, workflow_hash, metadata, labels, error)
  select gen_random_uuid(), $1, $2, s.status, 1, 1, m.at, m.at, m.at,
         case when s.status in ('succeeded', 'failed', 'canceled', 'expired') then m.at end,
         case when i % 500 = 9 then now() else now() + interval '1 day' end, sha256('x'), l.metadata, l.labels,
         case when s.status = 'failed' then '{}'::json end
  from made m
  cross join lateral (select case when (i * $3::bigint) % 97 < 4 then m.rare else 'succeeded' end as status) s
  cross join lateral (
    select json_build_object('size', i % 2, 'rare', i % 1999, 'odd', (i + 1) % 2) as metadata,
           array['size=' || i % 2, 'rare=' || i % 1999, 'odd=' || (i + 1) % 2] as labels) l
  returning id, account_id, deployment_id, status
)
insert into jobs.queue (job_id, account_id, deployment_id, state, version, fence, not_before, queue_deadline, worker_id, lease_until,
                        attempt_deadline, cancel_deadline)
select id, account_id, deployment_id, case status when 'running' then 'leased' else status end, 1, 1, now(),
       case when status = 'queued' then now() + interval '1 day' end,
       case when status <> 'queued' then 'w' end, case when status <> 'queued' then now() + interval '1 day' end,
       case when status <> 'queued' then now() + interval '1 day' end,
       case when status = 'canceling' then now() + interval '1 day' end
from job where status in ('queued', 'running', 'canceling')`;

/** Many succeeded jobs with one label before a few with both, and failed jobs with both throughout. */
const unevenJobsSql = `
insert into jobs.job (id, account_id, deployment_id, status, version, fence, created_at, updated_at, started_at, completed_at, expires_at,
                      workflow_hash, metadata, labels, error)
select gen_random_uuid(), $1, $2, case when is_failed then 'failed' else 'succeeded' end, 1, 1, m.at, m.at, m.at, m.at, now() + interval '1 day',
       sha256('x'), case when has_both then '{"a":"1","b":"1"}' else '{"a":"1"}' end::json,
       case when has_both then array['a=1', 'b=1'] else array['a=1'] end, case when is_failed then '{}'::json end
from (
  select now() - i * interval '1 second' as at, i % 100 = 0 as is_failed, i % 100 = 0 or i > 1500 and i <= 1540 as has_both
  from generate_series(1, 3000) i
) m`;

const shownSql = `
select id, status, metadata from jobs.job where account_id = $1 and expires_at > heddle.clock_now()
order by created_at desc, id desc`;

describe(`lists over ${JOBS} jobs of one account (seed ${seed})`, () => {
  const me: Principal = someAccount();
  let db: TestDatabase;
  let one: OpenJobs;
  let all: readonly Row[];
  beforeAll(async () => {
    db = await openDatabase();
    one = await openJobs(db);
    await db.owner.query(writeJobsSql, [me.accountId, me.deploymentId, seed]);
    const counter = `insert into jobs.queue_depth (deployment_id, account_id, waiting)
      select $1, $2, count(*) from jobs.queue where state = 'queued'`;
    await db.owner.query(counter, [me.deploymentId, me.accountId]);
    all = (await db.owner.query<Row>(shownSql, [me.accountId])).rows;
  });
  afterAll(async () => {
    await one.close();
    await db.drop();
  });

  /** Ids on all pages, and how many pages were shorter than their limit. */
  const pages = async (query: Partial<JobListQuery>): Promise<{ ids: readonly string[]; short: number }> => {
    const ids: string[] = [];
    let [short, cursor]: [number, string | null] = [0, null];
    do {
      const everything = { statuses: [], limit: 100, idempotencyKey: null, metadata: {} };
      const page: JobPage = valueOf(await one.jobs.list(me, { ...everything, ...query, cursor }));
      ids.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor;
      if (cursor !== null && page.jobs.length < 100) short += 1;
    } while (cursor !== null);
    return { ids, short };
  };
  const wanted = ({ statuses = [], metadata = {} }: Partial<JobListQuery>): readonly string[] =>
    all
      .filter((job) => statuses.length === 0 || statuses.includes(job.status))
      .filter((job) => Object.entries(metadata).every(([key, value]) => String(job.metadata[key]) === value))
      .map((job) => job.id);

  it.each(STATUSES)('shows every job that is %s, once and newest first', async (status) => {
    const { ids } = await pages({ statuses: [status] });
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(wanted({ statuses: [status] }));
  });

  it('shows what any set of statuses and labels asks for', async () => {
    for (let set = 1; set < 2 ** STATUSES.length; set += 7) {
      const statuses = STATUSES.filter((_, bit) => (set & (1 << bit)) !== 0);
      const metadata = [{}, { size: '1' }, { size: '0', odd: '1' }, { rare: '17', size: '1' }][set % 4]! as Record<
        string,
        string
      >;
      expect((await pages({ statuses, metadata })).ids, JSON.stringify({ statuses, metadata })).toEqual(
        wanted({ statuses, metadata }),
      );
    }
  });

  it.each([['running'], ['canceling'], ['running', 'canceling'], ['queued']] as const)(
    'shows what a label and only statuses of jobs at work ask for: %s %s',
    async (...statuses) => {
      const query = { metadata: { size: '1' }, statuses };
      expect((await pages(query)).ids).toEqual(wanted(query));
    },
  );

  it('shows what a label asks for, alone and with a status, in full pages', async () => {
    const queries: readonly Partial<JobListQuery>[] = [
      { metadata: { size: '1' } },
      { metadata: { rare: '3' } },
      { metadata: { size: '1' }, statuses: ['failed'] },
      { metadata: { size: '0' }, statuses: ['succeeded', 'expired'] },
    ];
    for (const query of queries) expect(await pages(query)).toEqual({ ids: wanted(query), short: 0 });
  });

  it('ends a page early, with a cursor, where two common labels have no job in common', async () => {
    const found = await pages({ metadata: { size: '1', odd: '1' } });
    expect(found.ids).toEqual(wanted({ metadata: { size: '1', odd: '1' } }));
    expect(found.short).toBeGreaterThan(1);
  });

  it('leaves no job out where one status fills a page and another was not walked to its end', async () => {
    const other: Principal = someAccount();
    await db.owner.query(unevenJobsSql, [other.accountId, other.deploymentId]);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { statuses: [], limit: 20, idempotencyKey: null, metadata: { a: '1', b: '1' }, cursor };
      const page: JobPage = valueOf(await one.jobs.list(other, query));
      ids.push(...page.jobs.map((job) => job.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    const { rows } = await db.owner.query<Row>(shownSql, [other.accountId]);
    expect(ids).toEqual(rows.filter(({ metadata }) => metadata['b'] === '1').map(({ id }) => id));
    expect(ids).toHaveLength(70);
  });

  it('drops the labels of a job with the job', async () => {
    await db.owner.query('delete from jobs.job where id = $1', [all[0]!.id]);
    const { rowCount } = await db.owner.query('select from jobs.job_label where job_id = $1', [all[0]!.id]);
    expect(rowCount).toBe(0);
  });
});
