export interface SettledRow {
  /** Other gateways that serve at present. */
  readonly others: number;
  /** Null: no account was reported. */
  readonly account_id: string | null;
  readonly tokens: number | null;
  readonly streams: number;
  readonly users: number;
}

/** A gateway that has not reported for so long serves no more; it reports every second at least. */
const SILENT = `interval '5 seconds'`;
/** An account uses a gateway that has reported it within this time. */
const IN_USE = `interval '2 seconds'`;

/**
 * Adds the reports of one gateway, and returns how their accounts stand. An account may owe as many reads as its burst
 * has: its gateways let through what each of them had left. A new row has had `burst - tokens` reads. Parameters:
 * gateway; accounts, reads, rates, bursts (null without reads) and streams of equal length.
 */
export const SETTLE_USE = {
  name: 'accounts.settle_use',
  text: `with clock as materialized (select heddle.clock_now() as at),
         used as materialized (
           select * from unnest($2::uuid[], $3::float8[], $4::float8[], $5::float8[], $6::int[])
             as u (account_id, reads, rate, burst, streams) order by u.account_id
         ), me as (
           insert into accounts.gateway (gateway_id, seen_at) select $1, at from clock
           on conflict (gateway_id) do update set seen_at = excluded.seen_at
         ), bucket as (
           insert into accounts.read_bucket as b (account_id, tokens, rate, burst, settled_at)
           select u.account_id, u.burst - u.reads, u.rate, u.burst, clock.at from used u, clock where u.burst is not null
           on conflict (account_id) do update set
             tokens = greatest(-excluded.burst, excluded.tokens - excluded.burst + least(excluded.burst,
               b.tokens + excluded.rate * greatest(0, extract(epoch from excluded.settled_at - b.settled_at)))),
             rate = excluded.rate, burst = excluded.burst, settled_at = excluded.settled_at
           returning b.account_id, b.tokens
         ), noted as (
           insert into accounts.gateway_use (account_id, gateway_id, streams, used_at)
           select u.account_id, $1, u.streams, clock.at from used u, clock
           on conflict (account_id, gateway_id) do update set streams = excluded.streams, used_at = excluded.used_at
         ), live as materialized (
           select g.gateway_id from accounts.gateway g, clock where g.gateway_id <> $1 and g.seen_at > clock.at - ${SILENT}
         )
         select (select count(*)::int from live) as others, u.account_id, b.tokens, o.streams, o.users
         from (select) one left join used u on true left join bucket b on b.account_id = u.account_id left join lateral (
           select coalesce(sum(w.streams), 0)::int as streams,
                  count(*) filter (where w.used_at > clock.at - ${IN_USE})::int as users
           from accounts.gateway_use w join live using (gateway_id), clock where w.account_id = u.account_id
         ) o on true`,
};

/** Parameter: the gateway that stops. */
export const LEAVE = {
  name: 'accounts.leave',
  text: `with gone as (delete from accounts.gateway where gateway_id = $1)
         delete from accounts.gateway_use where gateway_id = $1`,
};

/** Rows of gateways that are gone, and of accounts that have all their reads again. */
export const FORGET_USE = {
  name: 'accounts.forget_use',
  text: `with clock as materialized (select heddle.clock_now() as at),
         gone as (
           delete from accounts.gateway g using clock where g.seen_at < clock.at - interval '1 minute' returning g.gateway_id
         ), uses as (
           delete from accounts.gateway_use u using (
             select w.account_id, w.gateway_id from accounts.gateway_use w, clock
             where w.gateway_id in (select gateway_id from gone)
                or (w.streams = 0 and w.used_at < clock.at - interval '1 minute') limit 1000
           ) old where u.account_id = old.account_id and u.gateway_id = old.gateway_id
         )
         delete from accounts.read_bucket b using (
           select account_id from accounts.read_bucket, clock
           where tokens + rate * extract(epoch from clock.at - settled_at) >= burst
             and settled_at < clock.at - interval '1 minute' limit 1000
         ) old where b.account_id = old.account_id`,
};
