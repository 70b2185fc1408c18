/** What several processes of the service share: leases, checkpoints, the outbox, damage. */
export const scaleOutTablesSql = `
-- Work that one process does at a time.
create table assets.lease (
  name text collate "C" primary key,
  holder uuid not null,
  held_until timestamptz(3) not null
);

-- How far a slow walk over all blobs or objects has come, for whoever takes it up.
create table assets.walk (
  name text collate "C" primary key,
  -- The last object key that is done; null at the beginning.
  position uuid,
  ended_at timestamptz(3)
);

-- Set: the object does not hold the bytes of the hash. Nobody mints from it; the same bytes sent again replace it.
alter table assets.blob add column damaged_at timestamptz(3);
-- Objects that were replaced and are still to be removed.
alter table assets.blob add column former_keys uuid[] not null default '{}';
create index blob_replaced on assets.blob (hash) where former_keys <> '{}';
create index blob_damaged on assets.blob (hash) where damaged_at is not null;

-- A process is at work on it until then.
alter table assets.delete_task add column taken_until timestamptz(3);
-- Its writer may still be alive: what it stores late is removed by another deletion.
alter table assets.delete_task add column again_at timestamptz(3);

-- News for other services, written with the change and published in order.
create table assets.outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  type text collate "C" not null,
  hash text collate "C" not null,
  asset_id uuid,
  account_id uuid,
  deployment_id uuid,
  size_bytes bigint,
  job_id uuid,
  reason text,
  recorded_at timestamptz(3) not null
);

grant select, insert, update, delete on assets.lease, assets.walk, assets.outbox to heddle_assets;
`;
