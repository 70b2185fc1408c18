import type { VerdictSource } from '@heddle/contracts-messages';
import type { EventfulStatement, Statement } from '../assets-database/assets-database.js';

export interface VerdictRow {
  readonly hash: string;
  readonly blocked: boolean;
  readonly held: boolean;
  readonly source: VerdictSource | null;
  readonly decided_at: Date;
}

/** True if a hash needs no scan: it was scanned, an operator decided on it, or it is blocked; alias `v`. */
export const IS_DECIDED = '(v.scanned_at is not null or v.by_hand or v.blocked)';

const BLOCKED = `case when $2::boolean is null or (v.by_hand and not $5::boolean) then v.blocked else $2 end`;
const HELD = `coalesce($3::boolean, v.held)`;
/** False if the scanner only confirms a verdict: the verdict keeps its author. */
const IS_NEWS = `($4::text = 'admin' or ${BLOCKED} <> v.blocked or ${HELD} <> v.held)`;

// Joined with the old rows, so that these are locked and read before any is changed.
const judged = `wanted as (select hash from unnest($1::text[]) as named (hash) group by hash order by hash),
         clock as (select heddle.clock_now() as at),
         old as materialized (
           select v.hash, v.blocked from assets.verdict v join wanted using (hash) order by v.hash for update of v
         ),
         judged as (
           insert into assets.verdict as v (hash, blocked, held, source, by_hand, scanned_at, decided_at)
           select wanted.hash, coalesce($2::boolean, false), coalesce($3::boolean, false), $4::text, $5::boolean, case when $6::boolean then clock.at end, clock.at
           from clock, wanted left join old using (hash)
           on conflict (hash) do update
             set blocked = ${BLOCKED}, held = ${HELD}, by_hand = v.by_hand or excluded.by_hand,
               scanned_at = coalesce(excluded.scanned_at, v.scanned_at),
               source = case when ${IS_NEWS} then excluded.source else v.source end,
               decided_at = case when ${IS_NEWS} then excluded.decided_at else v.decided_at end
           returning v.hash, v.blocked, v.held, v.source, v.decided_at
         ),
         changed as (
           select judged.hash, judged.blocked from judged left join old using (hash)
           where judged.blocked <> coalesce(old.blocked, false)
         ),
         exposed as (
           insert into assets.move_task (hash, queued_at)
           select changed.hash, clock.at from clock, changed join assets.blob b using (hash) where changed.blocked
           on conflict (hash) do nothing
         ),
         scanned as (
           delete from assets.unscanned u using wanted where u.hash = wanted.hash and ($5 or $6 or coalesce($2, false))
         )`;
const answer = `select judged.*, changed.hash is not null as changed from judged left join changed using (hash)`;

export type JudgedRow = VerdictRow & {
  /** The bytes were not blocked before and are now, or the other way round. */
  readonly changed: boolean;
};

/**
 * The only writer of verdicts. Decides on many hashes, takes them from the queue of the scanner if they need no scan any
 * more, queues blocked bytes for a new key, and reports each block and its end. Parameters: hashes; blocked and held, null to leave it; source; whether an
 * operator decided on the block; whether the scanner did.
 */
export const SET_VERDICTS: EventfulStatement = {
  quiet: { name: 'assets.set_verdicts', text: `with ${judged} ${answer}` },
  recording: {
    name: 'assets.set_verdicts_recording',
    text: `with ${judged},
         event as (
           insert into assets.outbox (type, hash, recorded_at)
           select case when changed.blocked then 'HashBlocked' else 'HashUnblocked' end, changed.hash, clock.at
           from changed, clock
         )
         ${answer}`,
  },
};

/** Parameter: hash. */
export const FIND_VERDICT: Statement = {
  name: 'assets.find_verdict',
  text: 'select hash, blocked, held, source, decided_at from assets.verdict where hash = $1',
};
