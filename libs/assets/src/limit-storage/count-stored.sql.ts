/**
 * Of the triggers on records: counts what each account stores, each hash once, and refuses uploads and mints above its
 * limit (assets-schema/account-storage.ts).
 */
export const countStoredSql = `
create or replace function assets.count_stored() returns trigger language plpgsql as $$
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
      -- Records that were loaded without triggers were not counted, and must not keep others from being removed.
      set stored_bytes = greatest(0, s.stored_bytes + case tg_op when 'INSERT' then bytes else -bytes end)
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
`;
