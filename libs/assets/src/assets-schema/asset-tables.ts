/** Records, blobs and the reasons to keep them. A blob row exists exactly while its bytes may be used. */
export const assetTablesSql = `
create table assets.blob (
  hash text collate "C" primary key check (hash ~ '^blake3:[0-9a-f]{64}$'),
  -- Random, written once, never reused: what bytes a key holds cannot change.
  object_key uuid not null unique,
  size_bytes bigint not null check (size_bytes >= 0),
  created_at timestamptz(3) not null,
  -- Set: nothing refers to it any more, its bytes go after the grace time unless a new record revives it.
  condemned_at timestamptz(3)
);
create index blob_condemned on assets.blob (condemned_at) where condemned_at is not null;

create table assets.asset (
  id uuid primary key,
  account_id uuid not null,
  deployment_id uuid not null,
  hash text collate "C" not null references assets.blob,
  size_bytes bigint not null,
  content_type text not null,
  file_path text collate "C" not null check (file_path <> ''),
  tags text[] not null,
  -- The tags sorted and without repetitions: what makes two references identical.
  tag_set text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  job_id uuid,
  fence bigint,
  -- Bytes: node ids of a graph may hold what the text type refuses.
  output_key bytea,
  -- The expiry of the job that made it: the record must stay until then.
  retained_until timestamptz(3),
  -- When the job's own event named it; an output without it is swept.
  confirmed_at timestamptz(3),
  check ((job_id is null) = (fence is null)),
  check ((job_id is null) = (retained_until is null))
);
create index asset_blob on assets.asset (hash, account_id, created_at desc, id desc);
create index asset_reference on assets.asset (hash, account_id, file_path);
create index asset_name on assets.asset (account_id, file_path, created_at desc, id desc);
create index asset_expiry on assets.asset (expires_at) where expires_at is not null;
create index asset_unconfirmed on assets.asset (job_id, created_at) where job_id is not null and confirmed_at is null;

-- A job's inputs. The bytes are held, not the record: it may expire while the job waits.
create table assets.hold (
  job_id uuid not null,
  asset_id uuid not null,
  account_id uuid not null,
  hash text collate "C" not null references assets.blob,
  created_at timestamptz(3) not null,
  -- Null while the submission is undecided.
  firm_at timestamptz(3),
  primary key (job_id, asset_id)
);
create index hold_asset on assets.hold (asset_id);
create index hold_blob on assets.hold (hash);
create index hold_provisional on assets.hold (created_at) where firm_at is null;

-- Kept by hash and beyond any deletion.
create table assets.verdict (
  hash text collate "C" primary key,
  -- Nobody uploads, mints or reads these bytes.
  blocked boolean not null,
  -- Records over these bytes must stay.
  held boolean not null,
  decided_at timestamptz(3) not null
);

grant select, insert, update, delete on assets.blob, assets.asset, assets.hold, assets.verdict to heddle_assets;
`;
