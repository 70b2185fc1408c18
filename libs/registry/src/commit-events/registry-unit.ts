import { newUuid, NIL_UUID } from '@heddle/contracts-messages';
import {
  decodeState,
  encodeRegistryEvent,
  encodeState,
  evolveNode,
  evolvePublisher,
  evolveVersion,
  nodeKey,
  parseVersion,
  REGISTRY_EVENT_SCHEMA_VERSION,
  repositoryKey,
  repositoryOf,
  skeletonOf,
} from '@heddle/registry-domain';
import type {
  NodeEvent,
  RegistryNodeState,
  PublisherEvent,
  PublisherState,
  RegistryEvent,
  VersionEvent,
  VersionState,
} from '@heddle/registry-domain';
import type { PoolClient } from 'pg';
import { refreshListing } from './refresh-listing.js';
import {
  appendSql,
  chooseLatestSql,
  conflictSql,
  findVersionSql,
  holdNameSql,
  insertNodeSql,
  insertPublisherSql,
  lockNodeSql,
  lockPublisherSql,
  sharePublisherSql,
  updateNodeSql,
  updatePublisherSql,
  upsertVersionSql,
} from './registry-rows.sql.js';
import type { NodeRow, PublisherRow, VersionRow } from './registry-rows.sql.js';

/** A state with the id of its stream of events. */
export interface Stored<State> {
  readonly streamId: string;
  readonly state: State;
}

/**
 * One transaction on the log of the registry and its rows, which are written together. Locks are taken in the order
 * publisher, node, version, so that no two transactions wait for each other.
 */
export class RegistryUnit {
  /** Keys of nodes, and publishers, of which lists and the search may show something else. */
  readonly #listed = new Set<string>();
  readonly #publishers = new Set<string>();

  constructor(
    readonly client: PoolClient,
    /** The database's time, RFC 3339. */
    readonly now: string,
  ) {}

  /** `share`: it stays as it is until the end of the transaction; `update`: only this transaction changes it. */
  async publisher(id: string, lock: 'share' | 'update'): Promise<Stored<PublisherState> | null> {
    const { rows } = await this.client.query<PublisherRow>(lock === 'share' ? sharePublisherSql : lockPublisherSql, [
      id,
    ]);
    return rows[0] === undefined ? null : { streamId: rows[0].stream_id, state: decodeState(rows[0].state) };
  }

  /** Locked until the end of the transaction. */
  async node(id: string): Promise<Stored<RegistryNodeState> | null> {
    const { rows } = await this.client.query<NodeRow>(lockNodeSql, [nodeKey(id)]);
    return rows[0] === undefined ? null : { streamId: rows[0].stream_id, state: decodeState(rows[0].state) };
  }

  /** As `node`. Null: the id is free, and no other transaction can take it, or one that looks like it, until this one ends. */
  async nodeToBe(id: string): Promise<Stored<RegistryNodeState> | null> {
    const found = await this.node(id);
    if (found !== null) return found;
    await this.client.query(holdNameSql, [`skeleton ${skeletonOf(id)}`]);
    return await this.node(id);
  }

  /** The other node that has an id that looks the same, or the repository; null: there is none, until the end. */
  async conflict(
    id: string,
    repository: string,
  ): Promise<{ readonly other: string; readonly isAlike: boolean } | null> {
    const key = repositoryKey(repository);
    if (key !== null) await this.client.query(holdNameSql, [`repository ${key}`]);
    const values = [nodeKey(id), skeletonOf(id), key];
    const { rows } = await this.client.query<{ id: string; is_alike: boolean }>(conflictSql, values);
    return rows[0] === undefined ? null : { other: rows[0].id, isAlike: rows[0].is_alike };
  }

  /** Lock its node first. */
  async version(nodeId: string, version: string): Promise<Stored<VersionState> | null> {
    const { rows } = await this.client.query<VersionRow>(findVersionSql, [nodeKey(nodeId), version]);
    return rows[0] === undefined ? null : { streamId: rows[0].version_id, state: decodeState(rows[0].state) };
  }

  /** False: the id is taken. */
  async createPublisher(events: readonly PublisherEvent[], profile: object): Promise<boolean> {
    const streamId = newUuid();
    const state = events.reduce<PublisherState | null>((now, event) => evolvePublisher(now, event, this.now), null)!;
    const values = [
      state.publisherId,
      streamId,
      state.status,
      JSON.stringify(encodeState(state)),
      JSON.stringify(profile),
    ];
    const { rowCount } = await this.client.query(insertPublisherSql, values);
    if (rowCount === 0) return false;
    await this.#append(streamId, 0, events, state.status);
    return true;
  }

  async changePublisher(before: Stored<PublisherState>, events: readonly PublisherEvent[]): Promise<PublisherState> {
    if (events.length === 0) return before.state;
    const state = events.reduce((now, event) => evolvePublisher(now, event, this.now)!, before.state);
    await this.client.query(updatePublisherSql, [state.publisherId, state.status, JSON.stringify(encodeState(state))]);
    this.#publishers.add(state.publisherId);
    await this.#append(before.streamId, before.state.streamVersion, events, state.status);
    return state;
  }

  /** After `nodeToBe` and `conflict`, which found none. */
  async createNode(events: readonly NodeEvent[]): Promise<RegistryNodeState> {
    const streamId = newUuid();
    const state = events.reduce<RegistryNodeState | null>((now, event) => evolveNode(now, event, this.now), null)!;
    const { nodeId, publisherId, status, text } = state;
    await this.client.query(insertNodeSql, [
      nodeKey(nodeId),
      streamId,
      publisherId,
      status,
      skeletonOf(nodeId),
      repositoryOf(state),
      JSON.stringify(encodeState(state)),
      text.name,
      this.now,
    ]);
    await this.#append(streamId, 0, events, status);
    return state;
  }

  async changeNode(before: Stored<RegistryNodeState>, events: readonly NodeEvent[]): Promise<RegistryNodeState> {
    if (events.length === 0) return before.state;
    const state = events.reduce((now, event) => evolveNode(now, event, this.now)!, before.state);
    const { nodeId, publisherId, status, text } = state;
    const values = [
      nodeKey(nodeId),
      publisherId,
      status,
      repositoryOf(state),
      JSON.stringify(encodeState(state)),
      text.name,
    ];
    await this.client.query(updateNodeSql, values);
    this.#listed.add(nodeKey(nodeId));
    await this.#append(before.streamId, before.state.streamVersion, events, status);
    return state;
  }

  /** `before`: null for a number that nobody has published. Lock its node first. */
  async changeVersion(
    before: Stored<VersionState> | null,
    events: readonly VersionEvent[],
  ): Promise<Stored<VersionState>> {
    if (events.length === 0 && before !== null) return before;
    const streamId = before?.streamId ?? newUuid();
    const state = events.reduce<VersionState | null>(
      (now, event) => evolveVersion(now, event, this.now),
      before?.state ?? null,
    )!;
    const { sortKey, isPrerelease } = parseVersion(state.version)!;
    const key = nodeKey(state.nodeId);
    await this.client.query(upsertVersionSql, [
      streamId,
      key,
      state.version,
      sortKey,
      isPrerelease,
      state.status,
      state.deprecated,
      state.bytes?.blob ?? null,
      state.status !== 'deleted' && state.bytes !== null && (state.findings === null || state.extraction === null),
      JSON.stringify(encodeState(state)),
      state.createdAt,
      state.publishedAt,
      state.extraction?.classes ?? 0,
    ]);
    if (state.status === 'active' || before?.state.status === 'active') this.#listed.add(key);
    await this.#append(streamId, before?.state.streamVersion ?? 0, events, state.status);
    await this.client.query(chooseLatestSql, [key]);
    return { streamId, state };
  }

  /** Just before the commit: what lists and the search show of what changed. */
  async close(): Promise<void> {
    await refreshListing(this.client, [...this.#listed], [...this.#publishers]);
  }

  async #append(streamId: string, version: number, events: readonly RegistryEvent[], status: string): Promise<void> {
    await this.client.query(appendSql, [
      streamId,
      version,
      events.map(({ type }) => type),
      events.map((event) => Buffer.from(encodeRegistryEvent(event))),
      REGISTRY_EVENT_SCHEMA_VERSION,
      NIL_UUID,
      this.now,
      status,
    ]);
  }
}
