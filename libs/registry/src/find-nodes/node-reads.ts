import { Inject, Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { nodeKey } from '@heddle/registry-domain';
import type { NodeState, PublisherState } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { NodeRecord } from '../render-wire/node-wire.js';
import type { PublisherRecord } from '../render-wire/publisher-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { oneNodeSql, onePublisherSql, publishersOfAccountSql } from './node-rows.sql.js';

/** A node with its publisher, its counts and its latest version, as one row. */
export interface NodeRow {
  readonly node_state: NodeState;
  readonly publisher_state: PublisherState;
  readonly profile: PublisherRecord['profile'];
  readonly members: PublisherRecord['members'];
  readonly downloads: number;
  readonly stars: number;
  readonly reviews: number;
  readonly version_id: string | null;
  readonly state: VersionRecord['state'];
  readonly node_id: string;
  readonly publisher_id: string;
  readonly node_status: VersionRecord['node_status'];
  readonly publisher_status: VersionRecord['publisher_status'];
}

export function nodeRecord(row: NodeRow): NodeRecord {
  const {
    node_state: state,
    publisher_state,
    profile,
    members,
    downloads,
    stars,
    reviews,
    version_id,
    ...version
  } = row;
  return {
    state,
    publisher: { state: publisher_state, profile, members },
    downloads,
    stars,
    reviews,
    latest: version_id === null ? null : { ...version, version_id },
  };
}

/** Nodes and publishers as they are committed, each read by one statement. */
@Injectable()
export class NodeReads {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async one(nodeId: string): Promise<NodeRecord | null> {
    const values = [nodeKey(nodeId)];
    const { rows } = await this.pool.query<NodeRow>({ name: 'registry.one-node', text: oneNodeSql, values });
    return rows[0] === undefined ? null : nodeRecord(rows[0]);
  }

  async publisher(id: string): Promise<PublisherRecord | null> {
    return (await this.pool.query<PublisherRecord>(onePublisherSql, [id])).rows[0] ?? null;
  }

  /** Of an account, by their ids. */
  async publishersOf(accountId: AccountId): Promise<readonly PublisherRecord[]> {
    return (await this.pool.query<PublisherRecord>(publishersOfAccountSql, [accountId])).rows;
  }
}
