import type { JobId } from '@heddle/contracts-messages';
import type { Pool } from 'pg';
import { GroupCommit } from '../group-commit/group-commit.js';
import { plainArray } from '../group-commit/byte-arena.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/**
 * Of each waiting job of $1: its rank in its account, and its account's turn among those of its deployment that wait. The first row of
 * a deployment carries the counters of all of these, in the order of their turns: waiting and running, four bytes each.
 */
const placesSql = `
with asked as materialized (
  select job_id, deployment_id, account_id from jobs.queue where job_id = any($1::uuid[]) and state = 'queued'
),
turns as materialized (
  select d.deployment_id, d.account_id, d.waiting, d.running,
         row_number() over (partition by d.deployment_id order by d.served_at, d.account_id) as turn
  from (select distinct deployment_id from asked) a join jobs.queue_depth d on d.deployment_id = a.deployment_id
  where d.waiting > 0 and d.account_id <> '${WHOLE_DEPLOYMENT}'::uuid
),
ranks as materialized (
  select q.job_id, row_number() over (partition by q.deployment_id, q.account_id order by q.position) as rank
  from (select distinct deployment_id, account_id from asked) a
  join jobs.queue q on q.deployment_id = a.deployment_id and q.account_id = a.account_id and q.state = 'queued'
)
select a.job_id, a.deployment_id, t.turn::int as turn, t.running, r.rank::int as rank,
  case when row_number() over (partition by a.deployment_id) = 1 then (
    select string_agg(int4send(o.waiting) || int4send(o.running), ''::bytea order by o.turn)
    from turns o where o.deployment_id = a.deployment_id
  ) end as counters
from asked a
join ranks r on r.job_id = a.job_id
join turns t on t.deployment_id = a.deployment_id and t.account_id = a.account_id`;

interface PlaceRow {
  readonly job_id: JobId;
  readonly deployment_id: string;
  readonly turn: number;
  readonly running: number;
  readonly rank: number;
  readonly counters: Buffer | null;
}

const COUNTER_BYTES = 8;
const MAX_JOBS = 1_000;

/**
 * 1-based places in the deployment's claim order as it stands (decisions, Job fields). One computation at a time: who asks meanwhile
 * shares the next one.
 */
export class QueuePositions {
  readonly #group: GroupCommit<JobId, number | null>;

  constructor(private readonly pool: Pool) {
    this.#group = new GroupCommit(async (jobIds) => await this.#places(jobIds), { batchSize: MAX_JOBS, inFlight: 1 });
  }

  /** Jobs that do not wait are absent. */
  async of(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, number>> {
    const places = await Promise.all(jobIds.map(async (jobId) => [jobId, await this.#group.add(jobId)] as const));
    return new Map(places.filter((place): place is readonly [JobId, number] => place[1] !== null));
  }

  async #places(jobIds: readonly JobId[]): Promise<readonly (number | null)[]> {
    const values = [plainArray(jobIds)];
    const { rows } = await this.pool.query<PlaceRow>({ name: 'queue-places', text: placesSql, values });
    const counters = new Map(
      rows.map((row) => [row.deployment_id, row.counters] as const).filter(([, of]) => of !== null),
    );
    const places = new Map(rows.map((row) => [row.job_id, placeOf(row, counters.get(row.deployment_id)!)]));
    return jobIds.map((jobId) => places.get(jobId) ?? null);
  }
}

/**
 * A claim takes the account with the fewest running jobs, of those the one served longest ago, and of it the oldest job; each claim
 * adds one to its account's running jobs. So the job of rank r in an account with n running jobs comes after every job of another
 * account whose own n + r is smaller, or is the same in an account whose turn is before.
 */
function placeOf({ turn, running, rank }: PlaceRow, counters: Buffer): number {
  let place = rank;
  for (let other = 1; other * COUNTER_BYTES <= counters.length; other += 1) {
    if (other === turn) continue;
    const at = (other - 1) * COUNTER_BYTES;
    const before = running + rank - counters.readInt32BE(at + 4) - (other < turn ? 0 : 1);
    place += Math.min(counters.readInt32BE(at), Math.max(0, before));
  }
  return place;
}
