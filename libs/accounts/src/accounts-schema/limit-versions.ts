/** Counts the changes of an account's limits, and which of them the services that enforce them have. */
export const limitVersionsSql = `
alter table accounts.account
  add column limits_version bigint not null default 0,
  add column shared_version bigint not null default 0;
update accounts.account set limits_version = 1
  where num_nonnulls(queue_depth, running, streams, storage_bytes, read_rate, read_burst) > 0;
create index account_unshared on accounts.account (account_id) where limits_version > shared_version;
`;
