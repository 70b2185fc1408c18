/**
 * Parameters: new account's id, account's name, key id, digest, scopes. No row: the account exists, so this is not the
 * first start. Of processes that start at once, one makes account and key.
 */
export const MAKE_FIRST_KEY = {
  name: 'accounts.make_first_key',
  text: `with now as materialized (select heddle.clock_now_ms() as at),
         a as (
           insert into accounts.account (account_id, name, created_at)
           select $1::uuid, $2::text, now.at from now
           on conflict (name) do nothing
           returning account_id
         )
         insert into accounts.api_key (key_id, account_id, digest, name, scopes, created_at)
         select $3::text, a.account_id, $4::bytea, 'first key', $5::text[], now.at from a, now
         returning key_id`,
};
