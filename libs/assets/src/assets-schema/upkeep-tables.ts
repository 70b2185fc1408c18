/** Work in progress, claims, and items to check or remove. */
export const upkeepTablesSql = `
-- Written before the first byte, gone with the commit: every object without a blob row is found from here.
create table assets.upload (
  object_key uuid primary key,
  account_id uuid not null,
  started_at timestamptz(3) not null,
  lease_until timestamptz(3) not null
);
create index upload_lease on assets.upload (lease_until);

create table assets.idempotency_key (
  account_id uuid not null,
  key text collate "C" not null,
  asset_id uuid not null,
  claimed_at timestamptz(3) not null,
  primary key (account_id, key)
);
create index idempotency_key_age on assets.idempotency_key (claimed_at);

-- Blobs that have lost a record or a hold; plain inserts, so that nobody waits here.
create table assets.collect_candidate (
  id bigint generated always as identity primary key,
  hash text collate "C" not null
);

-- Objects that nothing names any more.
create table assets.delete_task (
  object_key uuid primary key,
  created_at timestamptz(3) not null
);

grant select, insert, update, delete
  on assets.upload, assets.idempotency_key, assets.collect_candidate, assets.delete_task to heddle_assets;
`;
