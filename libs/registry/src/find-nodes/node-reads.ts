import { Inject, Injectable } from '@nestjs/common';
import type { AccountId } from '@heddle/contracts-messages';
import { isNodeId, isPublisherId, nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { NodeRecord } from '../render-wire/node-wire.js';
import type { PublisherRecord } from '../render-wire/publisher-wire.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { nodePageSql, oneNodeSql, onePublisherSql, publishersOfAccountSql } from './node-rows.sql.js';

/** A node with its publisher, its counts and its latest version, as one row. */
export interface NodeRecordRow {
  readonly node_state: NodeRecord['state'];
  readonly publisher_state: PublisherRecord['state'];
  readonly profile: PublisherRecord['profile'];
  readonly members: PublisherRecord['members'];
  readonly downloads: number;
  readonly stars: number;
  readonly reviews: number;
  readonly version_id: string | null;
  readonly state: VersionRecord['state'];
  readonly signature: VersionRecord['signature'];
  readonly node_id: string;
  readonly publisher_id: string;
  readonly node_status: VersionRecord['node_status'];
  readonly publisher_status: VersionRecord['publisher_status'];
  readonly ban_reason: VersionRecord['ban_reason'];
}

function nodeRecord(row: NodeRecordRow): NodeRecord {
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

/** A page of nodes: what finds them, with values from $3 on, and in which order. */
interface NodeQuestion {
  /** SQL with the column `node_key` and those of the order. */
  readonly found: string;
  readonly order: string;
  readonly values: readonly unknown[];
  readonly page: number;
  readonly limit: number;
}

export interface NodeRecords {
  readonly nodes: readonly NodeRecord[];
  readonly total: number;
}

/** Nodes and publishers as they are committed, each read by one statement. */
@Injectable()
export class NodeReads {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** Null for an invalid id too: PostgreSQL does not accept every text. */
  async one(nodeId: string): Promise<NodeRecord | null> {
    if (!isNodeId(nodeId)) return null;
    const values = [nodeKey(nodeId)];
    const { rows } = await this.pool.query<NodeRecordRow>({ name: 'registry.one-node', text: oneNodeSql, values });
    return rows[0] === undefined ? null : nodeRecord(rows[0]);
  }

  async page({ found, order, values, page, limit }: NodeQuestion): Promise<NodeRecords> {
    const all = [(page - 1) * limit, limit, ...values];
    const { rows } = await this.pool.query<NodeRecordRow & { readonly total: number }>(nodePageSql(found, order), all);
    return {
      nodes: rows.filter(({ node_state }) => node_state !== null).map(({ total: _, ...row }) => nodeRecord(row)),
      total: rows[0]!.total,
    };
  }

  async publisher(id: string): Promise<PublisherRecord | null> {
    if (!isPublisherId(id)) return null;
    return (await this.pool.query<PublisherRecord>(onePublisherSql, [id])).rows[0] ?? null;
  }

  /** Of an account, by their ids. */
  async publishersOf(accountId: AccountId): Promise<readonly PublisherRecord[]> {
    return (await this.pool.query<PublisherRecord>(publishersOfAccountSql, [accountId])).rows;
  }
}
