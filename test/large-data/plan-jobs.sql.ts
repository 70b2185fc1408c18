/**
 * What a session needs before it writes: a UUIDv7 of an instant and two random numbers, and the jobs of one batch, from
 * which all tables are filled. Both end with the session, so that nothing of this tool stays in the database.
 */
export const sessionSql = `
create function pg_temp.uuid7(at timestamptz, a bigint, b bigint) returns uuid language sql stable as $$
  select encode(int8send((date_part('epoch', at) * 1000)::bigint << 16 | x'7000'::int | (a & x'fff'::int))
    || int8send((b & x'3fffffffffffffff'::bigint) | x'8000000000000000'::bigint), 'hex')::uuid
$$;
create temporary table planned_job (
  i bigint, a bigint, b bigint, id uuid, at timestamptz(3), leased_at timestamptz(3), asked_at timestamptz(3),
  ended_at timestamptz(3), expires_at timestamptz(3), retention_ms bigint, leased_text text,
  account_id uuid, deployment_id uuid, status text, version int, fence int, workflow_hash bytea, key text, metadata text,
  labels text[], progress text, error text, ending text, output text, request_id text,
  asset_id uuid, object_key uuid, bytes_hash text, bytes_size bigint
) on commit delete rows`;

/** Accounts and deployments beside the ones that the surface serves; number 0 of the deployments is the served one. */
export const accountOf = (n: string): string => `('00000000-0000-7000-8001-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
export const deploymentOf = (n: string, served: string): string =>
  `case when ${n} = 0 then ${served} else ('00000000-0000-7000-8002-' || lpad(to_hex(${n}), 12, '0'))::uuid end`;

const SNAPSHOT = (value: string, done: number, node: string): string =>
  `'{"value":${value},"nodesDone":${done},"nodesTotal":2,"currentNode":${node},"step":null,"steps":null,"message":null}'`;
const DONE = SNAPSHOT('1', 2, 'null,"currentNodeClass":null');
const HALF = SNAPSHOT('0.5', 1, '"2","currentNodeClass":"SaveImage"');
const FAULT = `'{"code":"node_execution_error","message":"no space for picture ' || i || '","nodeId":"2","classType":"SaveImage","traceback":null}'`;

/**
 * Plans the jobs numbered from $1 to $2. $3: seed. $4: jobs that have ended; the rest wait or run. $5: now, $6: retention, ms.
 * $7, $8: the served account and deployment. $9, $10: other accounts and deployments. $11: the first jobs past $4 that are of
 * the served account, $12: all past $4. $13: hashes of the workflows.
 * Of the ended ones every second is of the served account. Statuses other than succeeded are rare, and only the oldest
 * twentieth expired: a list of them has to pass by everything newer. A tenth has the label project=alpha.
 */
export const planSql = `insert into pg_temp.planned_job
select i, a, b, pg_temp.uuid7(at, a, b), at, leased_at, asked_at, ended_at, at + $6::bigint * interval '1 millisecond', $6::bigint,
  case when has_output then to_char(leased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
  case when other is null then $7::uuid else ${accountOf('other')} end,
  case when other is null then $8::uuid else ${deploymentOf('other % $10::bigint', '$8::uuid')} end,
  status,
  case when has_output then 5 else 1 + (leased_at is not null)::int + (asked_at is not null)::int + (ended_at is not null)::int end,
  (leased_at is not null)::int, ($13::bytea[])[1 + abs(a % cardinality($13::bytea[]))], key, metadata, labels,
  case when status = 'succeeded' then ${DONE} when status = 'failed' then ${HALF} end,
  case when status = 'failed' then ${FAULT} end,
  case status when 'succeeded' then '{"progress":' || ${DONE} || '}'
    when 'failed' then '{"error":' || ${FAULT} || ',"progress":' || ${HALF} || '}'
    when 'canceled' then '{"reason":"' || case when leased_at is null then 'requested' else 'confirmed' end || '","progress":null}'
    when 'expired' then '{"progress":null}' end,
  case when has_output then
    '{"nodeId":"2","key":"2/images/0","name":"x_00001_.png","type":"image","contentType":"image/png","sizeBytes":' || bytes_size
    || ',"assetId":"' || asset_id || '","hash":"' || bytes_hash || '"}' end,
  pg_temp.uuid7(at, b, a)::text, asset_id, object_key, bytes_hash, bytes_size
from (
  select *,
    case when has_asset then pg_temp.uuid7(at, a # 7, b # 7) end as asset_id,
    case when has_asset then md5(b || 'object' || a)::uuid end as object_key,
    case when has_asset then 'blake3:' || encode(sha256(int8send(a) || int8send(b)), 'hex') end as bytes_hash,
    300 + (b & 1023) as bytes_size
  from (
    select *,
      status = 'succeeded' and dice % 10 = 0 as has_output, status = 'succeeded' and (dice % 10 = 0 or dice % 20 = 1) as has_asset,
      case when status not in ('queued', 'expired') and not (status = 'canceled' and dice % 2 = 0)
        then at + (50 + (a & 2047)) * interval '1 millisecond' end as leased_at,
      case when status = 'canceling' or (status = 'canceled' and dice % 2 = 1)
        then at + interval '5 seconds' end as asked_at,
      case when status = 'expired' then at + interval '1 day'
        when status in ('succeeded', 'failed', 'canceled') then at + (6000 + (b & 16383)) * interval '1 millisecond' end as ended_at
    from (
      select *, (b & 1023)::int as dice,
        case when i > $4::bigint then case (i - $4::bigint) % 16 when 1 then 'running' when 9 then 'running' when 2 then 'canceling' else 'queued' end
          when i * 20 <= $4::bigint and a % 20 = 0 then 'expired'
          when abs(a % 50) = 7 then 'failed' when abs(a % 50) = 8 then 'canceled' else 'succeeded' end as status,
        case when i > $4::bigint then case when i - $4::bigint > $11::bigint then (i - $4::bigint) % $9::bigint end
          when i % 2 = 1 then (i / 2) % $9::bigint end as other,
        case when abs(b % 10) < 6 then $3::bigint || '/' || i || '/' || to_hex(a) end as key,
        case when c % 10 = 0 then case when b % 3 = 0
            then '{"project":"alpha","team":"' || c % 7 || '"}' else '{"project":"alpha"}' end
          when c % 10 <= 3 then '{"project":"beta"}' when c % 1000 = 4 then '{"run":"' || i / 1000 || '"}' else '{}' end as metadata,
        case when c % 10 = 0 then case when b % 3 = 0
            then array['project=alpha', 'team=' || c % 7] else array['project=alpha'] end
          when c % 10 <= 3 then array['project=beta'] when c % 1000 = 4 then array['run=' || i / 1000] end as labels
      from (
        select i, hashint8extended(i, $3::bigint) as a, hashint8extended(i, $3::bigint + 1) as b,
          hashint8extended(i, $3::bigint + 2) & 9007199254740991 as c,
          date_trunc('milliseconds', $5::timestamptz - case
            when i > $4::bigint then 3600000 * ($12::bigint - (i - $4::bigint) + 1)::float8 / ($12::bigint + 1) + 60000
            else 7200000 + ($6::bigint - 10800000) * (1 - i::float8 / $4::bigint) end * interval '1 millisecond') as at
        from generate_series($1::bigint, $2::bigint) i offset 0
      ) instants offset 0
    ) kinds offset 0
  ) times offset 0
) bytes`;
