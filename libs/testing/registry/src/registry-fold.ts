import { EVENT_SELECT, storedEvent } from '@heddle/platform-event-log';
import type { EventRow, StoredEvent } from '@heddle/platform-event-log';
import {
  decodeRegistryEvent,
  encodeState,
  evolveNode,
  evolvePublisher,
  evolveVersion,
  nodeKey,
  parseVersion,
  repositoryOf,
  skeletonOf,
} from '@heddle/registry-domain';
import type { PublisherState, RegistryEvent, RegistryNodeState, VersionState } from '@heddle/registry-domain';
import type { ClientBase, Pool } from 'pg';

type Row = Readonly<Record<string, unknown>>;
type Rows = Map<string, Row>;

interface Folded {
  readonly publishers: Rows;
  readonly nodes: Rows;
  readonly versions: Rows;
}

const at = (column: string): string =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
const STORED: Readonly<Record<keyof Folded, string>> = {
  publishers: 'select stream_id, publisher_id, status, state from registry.publisher',
  nodes: `select stream_id, node_key, node_id, publisher_id, status, skeleton, repository_key, name, latest_id, ${at('created_at')}, state
    from registry.node`,
  versions: `select version_id as stream_id, node_key, version, sort_key, is_prerelease, status, is_deprecated, blob,
    waits and not is_rescan as waits, classes, ${at('created_at')}, ${at('published_at')}, state from registry.version`,
};

/**
 * Folds the stored log of the registry from its first event, and compares the rows of publishers, nodes and versions with
 * it: one line for each row that is missing, that nothing led to, or that differs.
 */
export async function registryDifferences(database: Pool | ClientBase): Promise<readonly string[]> {
  const { rows } = await database.query<EventRow>(
    `select ${EVENT_SELECT} from registry.event e order by e.stream_id, e.version`,
  );
  const folded = fold(Map.groupBy(rows.map(storedEvent), ({ streamId }) => streamId));
  const found: string[] = [];
  for (const [what, sql] of Object.entries(STORED) as [keyof Folded, string][]) {
    const stored = await database.query<Row>(sql);
    found.push(...differences(what, folded[what], new Map(stored.rows.map((row) => [String(row['stream_id']), row]))));
  }
  return [...found, ...(await classDifferences(database))];
}

function fold(streams: ReadonlyMap<string, readonly StoredEvent[]>): Folded {
  const [publishers, nodes, versions] = [new Map<string, Row>(), new Map<string, Row>(), new Map<string, Row>()];
  const nodeStates = new Map<string, RegistryNodeState>();
  for (const [stream, events] of streams) {
    const first = events[0]!.type;
    if (first === 'PublisherCreated') publishers.set(stream, publisherRow(folded(events, evolvePublisher)));
    else if (first === 'VersionPublished') versions.set(stream, versionRow(folded(events, evolveVersion)));
    // A stream without its first event is nobody's: its row has no event.
    else if (first === 'NodeCreated') nodeStates.set(stream, folded(events, evolveNode));
  }
  const latest = latestVersions(versions);
  for (const [stream, state] of nodeStates) nodes.set(stream, nodeRow(state, latest));
  return { publishers, nodes, versions };
}

function folded<State, Event extends RegistryEvent>(
  events: readonly StoredEvent[],
  evolve: (state: State | null, event: Event, recordedAt: string) => State | null,
): State {
  return events.reduce<State | null>((state, { type, schemaVersion, data, recordedAt }) => {
    const event = decodeRegistryEvent(type, schemaVersion, data!.toString()) as Event;
    return evolve(state, event, recordedAt);
  }, null)!;
}

const publisherRow = (state: PublisherState): Row => ({
  publisher_id: state.publisherId,
  status: state.status,
  state: encodeState(state),
});

const nodeRow = (state: RegistryNodeState, latest: ReadonlyMap<string, string>): Row => ({
  node_key: nodeKey(state.nodeId),
  node_id: state.nodeId,
  publisher_id: state.publisherId,
  status: state.status,
  skeleton: skeletonOf(state.nodeId),
  repository_key: repositoryOf(state),
  name: state.text.name,
  latest_id: latest.get(nodeKey(state.nodeId)) ?? null,
  created_at: state.createdAt,
  state: encodeState(state),
});

function versionRow(state: VersionState): Row {
  const { sortKey, isPrerelease } = parseVersion(state.version)!;
  return {
    node_key: nodeKey(state.nodeId),
    version: state.version,
    sort_key: sortKey,
    is_prerelease: isPrerelease,
    status: state.status,
    is_deprecated: state.deprecated,
    blob: state.bytes?.blob ?? null,
    waits: state.bytes !== null && (state.findings === null || state.extraction === null),
    classes: state.extraction?.classes ?? 0,
    created_at: state.createdAt,
    published_at: state.publishedAt,
    state: encodeState(state),
  };
}

/** By node: the version that an installation without a number gets (registry decisions, install). */
function latestVersions(versions: Rows): ReadonlyMap<string, string> {
  const rank = (row: Row): string =>
    [row['is_deprecated'] === true ? 0 : 1, row['is_prerelease'] === true ? 0 : 1, row['sort_key']].join(' ');
  const active = [...versions].filter(([, row]) => row['status'] === 'active');
  const best = active.sort(([, a], [, b]) => (rank(a) < rank(b) ? -1 : 1));
  return new Map(best.map(([stream, row]) => [String(row['node_key']), stream]));
}

function differences(what: string, wanted: Rows, stored: Rows): readonly string[] {
  const missing = [...wanted.keys()].filter((stream) => !stored.has(stream));
  return [
    ...missing.map((stream) => `${what}: no row of the stream ${stream}`),
    ...[...stored].flatMap(([stream, row]) => {
      const expected = wanted.get(stream);
      if (expected === undefined) return [`${what}: no event of the row ${stream}`];
      const wrong = Object.keys(expected).filter((name) => canonical(expected[name]) !== canonical(row[name]));
      return wrong.map(
        (name) =>
          `${what} ${stream}: ${name} is ${JSON.stringify(row[name])}, the log gives ${JSON.stringify(expected[name])}`,
      );
    }),
  ];
}

/** An event has its fields in the order of its shape, a row in that of the request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** An event names the classes of a version by their hash: the rows are that list. */
async function classDifferences(database: Pool | ClientBase): Promise<readonly string[]> {
  const { rows } = await database.query<{ version_id: string; listed: string | null; shown: string }>(
    `select v.version_id, convert_from(l.content, 'utf8') as listed,
       coalesce((select json_agg(w.doc order by w.at) from registry.wf_node w where w.version_id = v.version_id), '[]')::text as shown
     from registry.version v left join registry.class_list l on l.hash = v.state -> 'extraction' ->> 'class_list'
     where v.state ->> 'extraction' is not null`,
  );
  const sorted = (text: string): string => {
    const classes = JSON.parse(text) as { readonly wf_node_name: string }[];
    return JSON.stringify(classes.sort((a, b) => (a.wf_node_name < b.wf_node_name ? -1 : 1)));
  };
  return rows.flatMap(({ version_id: id, listed, shown }) => {
    if (listed === null) return [`versions ${id}: its list of classes is missing`];
    return sorted(listed) === sorted(shown) ? [] : [`versions ${id}: its classes are not those of its list`];
  });
}
