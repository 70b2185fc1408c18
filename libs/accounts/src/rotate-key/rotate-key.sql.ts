import { KEY_COLUMNS } from '../accounts-database/key-row.js';

/**
 * Parameters: key id, overlap in seconds, new key id, digest. The old key ends after the overlap and never later than it
 * would have; the new one lives as long as the old one was made to. No row: unknown, revoked or expired.
 */
export const ROTATE_KEY = {
  name: 'accounts.rotate_key',
  text: `with now as materialized (select heddle.clock_now_ms() as at),
         old as (
           update accounts.api_key k
           set expires_at = least(k.expires_at, now.at + make_interval(secs => $2::double precision))
           from now
           where k.key_id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now.at)
           returning k.account_id, k.name, k.scopes, k.life_s
         ),
         k as (
           insert into accounts.api_key
             (key_id, account_id, digest, name, scopes, life_s, created_at, expires_at, replaces)
           select $3::text, old.account_id, $4::bytea, old.name, old.scopes, old.life_s, now.at,
             now.at + make_interval(secs => old.life_s), $1
           from old, now
           returning *
         )
         select ${KEY_COLUMNS} from k join accounts.account a using (account_id)`,
};
