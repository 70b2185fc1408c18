import { hasRoomSql, LIMITS_WAIT, roomSql } from './leases.sql.js';
import { WHOLE_DEPLOYMENT } from '../jobs-schema/queue-tables.js';

/** Every waiting account of the deployments, served longest ago first; only those with jobs of the revision count. */
const EVERY_ACCOUNT = `
  select p.deployment_id, p.revision, c.account_id, c.running, c.running_limit, c.served_at, 0::bigint as low
  from unnest($1::uuid[], $4::int[]) as p(deployment_id, revision)
  join jobs.queue_depth c on c.deployment_id = p.deployment_id
  where c.waits and c.account_id <> '${WHOLE_DEPLOYMENT}'::uuid`;

/** The accounts $5 of the pools $1 and $4, whose waiting jobs have the positions $6 or higher. */
const KNOWN_ACCOUNTS = `
  select k.deployment_id, k.revision, k.account_id, n.running, n.running_limit, n.served_at, k.low
  from unnest($1::uuid[], $4::int[], $5::uuid[], $6::bigint[]) as k(deployment_id, revision, account_id, low)
  cross join lateral (
    select c.waits, c.running, c.running_limit, c.served_at from jobs.queue_depth c
    where c.deployment_id = k.deployment_id and c.account_id = k.account_id
    order by c.generation desc limit 1
  ) n
  where n.waits`;

const OWN_JOBS = `
    select w.job_id, w.position from jobs.queue w
    where w.deployment_id = d.deployment_id and w.revision = d.revision and w.revision > 0 and w.account_id = d.account_id
      and w.state = 'queued' and w.position >= d.low
      and w.not_before <= heddle.clock_now() and w.job_id <> all($3::uuid[])
    order by w.position`;

/**
 * The order of `candidatesSql` for the pools ($1, $4) of pinned environments: jobs of other revisions of a deployment are
 * not walked, however many wait, and accounts that have only such jobs do not count against the limit. An account that
 * serves several revisions has its room in each of them; `jobs.room_to_run` decides.
 */
const candidatesOf = (accounts: string): string => `
select f.limits_wait, j.job_id, j.deployment_id, j.revision, j.account_id, j.position
from ${LIMITS_WAIT} f
left join lateral (
  select q.job_id, d.deployment_id, d.revision, d.account_id, q.position, d.running + q.rank as turn, d.served_at
  from (
    select d.*, ${roomSql('d')} as room
    from (
      select * from (${accounts}) every where ${hasRoomSql('every')} order by running, served_at, account_id offset 0
    ) d
    cross join lateral (${OWN_JOBS} limit 1) first
    order by d.running, d.served_at, d.account_id limit 4 * $2::int
  ) d
  cross join lateral (
    select o.job_id, o.position, row_number() over (order by o.position) as rank from (${OWN_JOBS} limit d.room) o
  ) q
  order by turn, d.served_at, d.account_id, q.position
  limit $2::int
) j on true
order by j.turn, j.served_at, j.account_id, j.position`;

export const revisedCandidatesSql = candidatesOf(EVERY_ACCOUNT);
export const knownRevisedCandidatesSql = candidatesOf(KNOWN_ACCOUNTS);
