/**
 * Accounts and their keys. Of a key only a digest is stored. `life_s` is the life that the key was made with: a rotation
 * gives it to the new key.
 */
export const accountTablesSql = `
create table accounts.account (
  account_id uuid primary key,
  name text collate "C" not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  created_at timestamptz(3) not null,
  suspended_at timestamptz(3),
  -- Null: the setting holds.
  queue_depth bigint check (queue_depth >= 0),
  running bigint check (running >= 0),
  streams bigint check (streams >= 0),
  storage_bytes bigint check (storage_bytes >= 0),
  read_rate double precision check (read_rate >= 0),
  read_burst bigint check (read_burst >= 0)
);

create table accounts.api_key (
  key_id text collate "C" primary key check (key_id ~ '^[a-z0-9]{16}$'),
  account_id uuid not null references accounts.account,
  digest bytea not null check (octet_length(digest) = 32),
  name text check (length(name) <= 100),
  scopes text[] not null,
  life_s double precision check (life_s > 0),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  replaces text collate "C"
)
-- Room for the time of last use, which is not indexed: most of its updates touch no index.
with (fillfactor = 80);
create index api_key_account on accounts.api_key (account_id, key_id);

grant select, insert, update on accounts.account to heddle_accounts;
grant select, insert, update on accounts.api_key to heddle_accounts;
`;
