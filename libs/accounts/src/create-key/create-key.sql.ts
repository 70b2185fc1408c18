import { KEY_COLUMNS } from '../accounts-database/key-row.js';

/**
 * Parameters: new account's id, account's name, key id, digest, key's name, scopes, life in seconds. An account that
 * exists is updated to its own name, so that the statement returns it, whatever ran at the same time.
 */
export const CREATE_KEY = {
  name: 'accounts.create_key',
  text: `with now as materialized (select heddle.clock_now_ms() as at),
         a as (
           insert into accounts.account (account_id, name, created_at)
           select $1::uuid, $2::text, now.at from now
           on conflict (name) do update set name = excluded.name
           returning account_id, name, account_id = $1::uuid as is_new
         ),
         k as (
           insert into accounts.api_key (key_id, account_id, digest, name, scopes, life_s, created_at, expires_at)
           select $3::text, a.account_id, $4::bytea, $5::text, $6::text[], $7::double precision, now.at,
             now.at + make_interval(secs => $7::double precision)
           from a, now
           returning *
         )
         select ${KEY_COLUMNS}, a.is_new from k join a using (account_id)`,
};
