import { Inject, Injectable } from '@nestjs/common';
import type { VersionStatus } from '@heddle/contracts-registry';
import { isNodeId, nodeKey, parseVersion } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { BEHIND_NONE, bulkVersionsSql, oneVersionSql, versionByIdSql, versionsOfNodeSql } from './version-rows.sql.js';

export interface BulkVersionRecord extends VersionRecord {
  /** Place of the pair, from 1. */
  readonly at: number;
  readonly is_member: boolean;
}

interface PlacedRecord extends VersionRecord {
  /** Its place among the versions of its node. */
  readonly sort_key: string;
}

/** Versions that one statement reads. */
const PART = 500;

/** Versions as they are committed: one statement for each read, but for lists, whose parts are of several moments. */
@Injectable()
export class VersionReads {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** `version` as it was asked; null for an invalid id or version too. */
  async one(nodeId: string, version: string): Promise<VersionRecord | null> {
    const number = parseVersion(version);
    if (number === null || !isNodeId(nodeId)) return null;
    const values = [nodeKey(nodeId), number.text];
    const { rows } = await this.pool.query<VersionRecord>({
      name: 'registry.one-version',
      text: oneVersionSql,
      values,
    });
    return rows[0] ?? null;
  }

  async byId(versionId: string): Promise<VersionRecord | null> {
    return (await this.pool.query<VersionRecord>(versionByIdSql, [versionId])).rows[0] ?? null;
  }

  /** All that have these statuses themselves, newest first, a part at a time. */
  async *ofNode(nodeId: string, statuses: readonly VersionStatus[]): AsyncGenerator<readonly VersionRecord[]> {
    for (let behind = BEHIND_NONE; ;) {
      const rows = await this.#part([nodeKey(nodeId), statuses, behind, PART]);
      if (rows.length > 0) yield rows;
      if (rows.length < PART) return;
      behind = rows.at(-1)!.sort_key;
    }
  }

  /** By the place of each pair; a pair without a version is missing. */
  async bulk(
    pairs: readonly (readonly [nodeId: string, version: string])[],
    accountId: string | null,
  ): Promise<ReadonlyMap<number, BulkVersionRecord>> {
    const numbers = pairs.map(([id, version]) => (isNodeId(id) ? (parseVersion(version)?.text ?? null) : null));
    const keys = pairs.map(([id], at) => (numbers[at] === null ? null : nodeKey(id)));
    const { rows } = await this.pool.query<BulkVersionRecord>({
      name: 'registry.bulk-versions',
      text: bulkVersionsSql,
      values: [keys, numbers, accountId],
    });
    return new Map(rows.map((row) => [row.at - 1, row]));
  }

  async #part(values: readonly unknown[]): Promise<readonly PlacedRecord[]> {
    const query = { name: 'registry.versions-of-node', text: versionsOfNodeSql, values: [...values] };
    return (await this.pool.query<PlacedRecord>(query)).rows;
  }
}
