import type { PublisherState, RegistryNodeState, StateJson, VersionState } from '@heddle/registry-domain';

export interface PublisherRow {
  readonly publisher_id: string;
  readonly stream_id: string;
  readonly state: StateJson<PublisherState>;
}
export interface NodeRow {
  readonly node_key: string;
  readonly stream_id: string;
  readonly state: StateJson<RegistryNodeState>;
}
export interface VersionRow {
  readonly version_id: string;
  readonly state: StateJson<VersionState>;
}

export const clockSql = `
select to_char(heddle.clock_now_ms() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`;

/*
 * Locks are `for no key update`: rows of the listing refer to nodes, and their checks must not wait for a lock whose holder
 * may wait for the head of the listing.
 */

/** A change of the node or of a version keeps the publisher as it is: banned or not, until its end. */
export const sharePublisherSql = `
select publisher_id, stream_id, state from registry.publisher where publisher_id = $1 for share`;
export const lockPublisherSql = `
select publisher_id, stream_id, state from registry.publisher where publisher_id = $1 for no key update`;
/**
 * A transaction that creates a node holds its skeleton to its end; one that names a repository holds the repository.
 */
export const holdNameSql = `select pg_advisory_xact_lock(hashtextextended('registry ' || $1::text, 0))`;
/** The node that keeps another from being made: with an id that looks the same, or with its repository. */
export const conflictSql = `
select state ->> 'nodeId' as id, skeleton = $2 as is_alike from registry.node
where node_key <> $1 and (skeleton = $2 or repository_key = $3) order by skeleton = $2 desc limit 1`;
/** The lock on a node orders all changes of its versions. */
export const lockNodeSql = `select node_key, stream_id, state from registry.node where node_key = $1 for no key update`;
export const findVersionSql = `
select version_id, state from registry.version where node_key = $1 and version = $2 for no key update`;

/** No row: the id is taken. */
export const insertPublisherSql = `
insert into registry.publisher (publisher_id, stream_id, status, state, profile)
values ($1, $2, $3, $4, $5) on conflict do nothing returning 1`;
export const updatePublisherSql = `update registry.publisher set status = $2, state = $3 where publisher_id = $1`;

export const insertNodeSql = `
insert into registry.node (node_key, stream_id, publisher_id, status, skeleton, repository_key, state, name, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
export const updateNodeSql = `
update registry.node set publisher_id = $2, status = $3, repository_key = $4, state = $5, name = $6,
  changed_at = heddle.clock_now_ms()
where node_key = $1`;

/** A version that is scanned again waits, whatever its state says; a deleted one does not. */
export const upsertVersionSql = `
insert into registry.version
  (version_id, node_key, version, sort_key, is_prerelease, status, is_deprecated, blob, waits, state, created_at,
    published_at, classes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict (version_id) do update set status = $6, is_deprecated = $7, blob = $8,
  waits = $9 or (version.is_rescan and $6 <> 'deleted'),
  state = $10, published_at = $12, classes = $13`;

/**
 * Active; not deprecated before deprecated; release before prerelease; then by number (registry decisions, install).
 */
export const chooseLatestSql = `
update registry.node set changed_at = heddle.clock_now_ms(), latest_id = (
  select version_id from registry.version where node_key = $1 and status = 'active'
  order by is_deprecated, is_prerelease, sort_key desc limit 1)
where node_key = $1`;

/** $4: JSON lines of the payloads, as bytes. */
export const appendSql = `
insert into registry.event (event_id, stream_id, version, type, schema_version, account_id, deployment_id, is_terminal, recorded_at, data, status)
select gen_random_uuid(), $1, $2::int + n.at::int, n.type, $5, $6, $6, false, $7::timestamptz, n.data, $8
from unnest($3::text[], $4::bytea[]) with ordinality as n (type, data, at)`;
