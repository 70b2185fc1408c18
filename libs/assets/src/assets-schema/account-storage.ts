/**
 * What each account stores, counted as its records come and go, and how much it may store (docs/decisions/0040). The
 * account of the self-hosted surface is not counted. The lock on an account's row orders the changes of its records:
 * whether a hash is its first or its last record is decided under it, by a statement that begins after it.
 */
export const accountStorageSql = `
create table assets.account_storage (
  account_id uuid primary key,
  stored_bytes bigint not null default 0 check (stored_bytes >= 0),
  -- Null: no limit.
  limit_bytes bigint check (limit_bytes >= 0),
  version bigint not null default 0
) with (fillfactor = 50);
grant select, insert, update, delete on assets.account_storage to heddle_assets;

create function assets.count_stored() returns trigger language plpgsql as $$
declare
  own record;
  bytes bigint;
  allowed bigint;
begin
  for own in
    select c.account_id, bool_or(c.job_id is null) as is_asked from changed c
    where c.account_id <> '00000000-0000-7000-8000-000000000001'::uuid
    group by c.account_id order by c.account_id
  loop
    insert into assets.account_storage (account_id) values (own.account_id) on conflict do nothing;
    perform from assets.account_storage s where s.account_id = own.account_id for no key update;
    select coalesce(sum(n.size_bytes), 0) into bytes from (
      select c.hash, max(c.size_bytes) as size_bytes from changed c where c.account_id = own.account_id group by c.hash
    ) n where not exists (
      select from assets.asset a
      where a.hash = n.hash and a.account_id = own.account_id and (tg_op = 'DELETE' or a.id not in (select id from changed))
    );
    update assets.account_storage s
      set stored_bytes = s.stored_bytes + case tg_op when 'INSERT' then bytes else -bytes end
      where s.account_id = own.account_id and bytes > 0;
    -- Outputs are never refused: a job must not fail for what its account stores.
    if tg_op = 'INSERT' and own.is_asked then
      select s.limit_bytes into allowed from assets.account_storage s
        where s.account_id = own.account_id and s.stored_bytes > s.limit_bytes;
      if found then
        raise exception 'the account stores more than it may' using errcode = 'HD413', detail = allowed::text;
      end if;
    end if;
  end loop;
  return null;
end $$;
create trigger asset_stored after insert on assets.asset referencing new table as changed
  for each statement execute function assets.count_stored();
create trigger asset_unstored after delete on assets.asset referencing old table as changed
  for each statement execute function assets.count_stored();

-- Of the index: no record of the self-hosted account is read.
insert into assets.account_storage (account_id, stored_bytes)
  select one.account_id, sum(one.size_bytes) from (
    select distinct on (a.account_id, a.hash) a.account_id, a.hash, a.size_bytes from (
      select * from assets.asset where account_id < '00000000-0000-7000-8000-000000000001'::uuid
      union all
      select * from assets.asset where account_id > '00000000-0000-7000-8000-000000000001'::uuid
    ) a
  ) one group by one.account_id;
`;
