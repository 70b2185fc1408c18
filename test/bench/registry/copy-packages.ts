import { skeletonOf } from '@heddle/registry-domain';
import type pg from 'pg';
import { packageOf } from './package-names.ts';

export const PUBLISHERS = 100;
export const NODES = 10_000;
export const VERSIONS_A_NODE = 10;
export const CLASSES_A_NODE = 100;

/** The one that was published for real, of which all others are copies */
export interface Template {
  readonly publisherId: string;
  readonly nodeKey: string;
}

export function publisherOf(number: number): string {
  return `bench-${number % PUBLISHERS}`;
}
export function versionOf(number: number): string {
  return `1.${number}.0`;
}

/**
 * Fills the tables of a registry with copies of a published package, under other names: 100,000 versions, of which the
 * latest of each node has its classes, 1,000,000 in all. Events are not copied: no read asks for them. The publishers are
 * banned, so that their unban, the registry's own work, writes what the lists and the search show.
 */
export async function copyPackages(owner: pg.Client, { publisherId, nodeKey }: Template): Promise<void> {
  const numbers = Array.from({ length: NODES }, (_, number) => number);
  const packages = numbers.map(packageOf);
  const texts = packages.map(({ name, description, tags }) => JSON.stringify({ name, description, tags }));
  const ids = packages.map(({ id }) => id);
  await owner.query('begin');
  // Checks of references of a million rows, which are right by their making.
  await owner.query('set local session_replication_role = replica');
  await owner.query(PUBLISHERS_SQL, [publisherId, PUBLISHERS]);
  const nodes = [nodeKey, ids, ids.map(skeletonOf), numbers.map(publisherOf), texts];
  await owner.query(NODES_SQL, nodes);
  await owner.query(VERSIONS_SQL, [nodeKey, VERSIONS_A_NODE]);
  await owner.query(LATEST_SQL, [VERSIONS_A_NODE]);
  const names = packages.flatMap(({ classes }) => classes);
  await owner.query(CLASSES_SQL, [nodeKey, ids, names, CLASSES_A_NODE]);
  await owner.query('commit');
}

/** Ids of streams begin with their time, by which the log has its partitions. */
const likeId = (id: string): string => `overlay(gen_random_uuid()::text placing left(${id}::text, 14) from 1)::uuid`;

const PUBLISHERS_SQL = `
with copy as (
  insert into registry.publisher (publisher_id, stream_id, status, state, profile)
  select 'bench-' || at, ${likeId('p.stream_id')}, 'banned',
    (p.state::jsonb || jsonb_build_object('publisherId', 'bench-' || at, 'status', 'banned'))::json, p.profile
  from registry.publisher p, generate_series(0, $2::int - 1) at where p.publisher_id = $1 returning publisher_id)
insert into registry.member (member_id, publisher_id, account_id, role)
select gen_random_uuid(), copy.publisher_id, m.account_id, m.role from copy, registry.member m where m.publisher_id = $1`;

const NODES_SQL = `
insert into registry.node (node_key, stream_id, publisher_id, status, skeleton, state, name, created_at)
select lower(c.id), ${likeId('n.stream_id')}, c.publisher, 'active', c.skeleton,
  (n.state::jsonb || jsonb_build_object('nodeId', c.id, 'publisherId', c.publisher,
    'text', (n.state::jsonb -> 'text') || c.text::jsonb))::json, c.text::jsonb ->> 'name', n.created_at
from registry.node n,
  unnest($2::text[], $3::text[], $4::text[], $5::text[]) as c (id, skeleton, publisher, text)
where n.node_key = $1`;

/** A version has the number of its minor. */
const VERSIONS_SQL = `
insert into registry.version (version_id, node_key, version, sort_key, status, is_prerelease, is_deprecated, blob, waits, classes,
  state, created_at, published_at)
select ${likeId('v.version_id')}, n.node_key, '1.' || at || '.0',
  '000000001' || lpad(at::text, 9, '0') || '000000000~', v.status, false, false, gen_random_uuid(), false,
  case when at = $2::int - 1 then v.classes else 0 end,
  (v.state::jsonb || jsonb_build_object('nodeId', n.node_id, 'version', '1.' || at || '.0'))::json, v.created_at, v.published_at
from registry.version v, registry.node n, generate_series(0, $2::int - 1) at
where v.node_key = $1 and n.node_key <> $1
order by md5(n.node_key || at)`;

const LATEST_SQL = `
update registry.node n set latest_id = v.version_id from registry.version v
where v.node_key = n.node_key and v.version = '1.' || $1::int - 1 || '.0'`;

/** $3: the names of all nodes, $4 of each. */
const CLASSES_SQL = `
insert into registry.wf_node (version_id, name, at, doc)
select n.latest_id, c.name, (c.place - 1) % $4::int,
  replace(w.doc::text, to_json(w.name)::text, to_json(c.name)::text)::json
from unnest($3::text[]) with ordinality as c (name, place)
join unnest($2::text[]) with ordinality as i (id, place) on i.place = (c.place - 1) / $4::int + 1
join registry.node n on n.node_key = lower(i.id)
join registry.node t on t.node_key = $1
join registry.wf_node w on w.version_id = t.latest_id and w.at = (c.place - 1) % $4::int
order by n.latest_id, c.place`;
