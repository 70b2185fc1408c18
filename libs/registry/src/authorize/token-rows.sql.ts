export interface TokenRow {
  readonly token_id: string;
  readonly publisher_id: string;
  readonly digest: Buffer;
  readonly name: string;
  readonly description: string;
  readonly nodes: string[] | null;
  readonly actions: string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
}

/** With whether its use of the last minute is noted already. */
export type FoundToken = TokenRow & { readonly is_noted: boolean };

const ROW = 'token_id, publisher_id, digest, name, description, nodes, actions, created_at, expires_at, last_used_at';
const IS_NOTED = `coalesce(last_used_at, '-infinity') >= heddle.clock_now_ms() - interval '1 minute'`;
const IS_GOOD = 'revoked_at is null and expires_at > heddle.clock_now_ms()';

export const findTokenSql = `
select ${ROW}, ${IS_NOTED} as is_noted from registry.token where token_id = $1 and ${IS_GOOD}`;
export const listTokensSql = `
select ${ROW} from registry.token where publisher_id = $1 and ${IS_GOOD} order by created_at, token_id limit 1000`;
/** Written at most once a minute. */
export const noteUseSql = `
update registry.token set last_used_at = heddle.clock_now_ms()
where token_id = $1 and not ${IS_NOTED}`;
export const insertTokenSql = `
insert into registry.token (token_id, publisher_id, digest, name, description, nodes, actions, created_at, expires_at)
select $1, $2, $3, $4, $5, $6, $7, clock.now, clock.now + $8::int * interval '1 second'
from (select heddle.clock_now_ms() as now offset 0) clock returning ${ROW}`;
export const revokeTokenSql = `
update registry.token set revoked_at = coalesce(revoked_at, heddle.clock_now_ms())
where token_id = $1 and publisher_id = $2 returning 1`;
