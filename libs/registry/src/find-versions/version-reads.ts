import { Inject, Injectable } from '@nestjs/common';
import { nodeKey } from '@heddle/registry-domain';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import type { VersionRecord } from '../render-wire/version-wire.js';
import { bulkVersionsSql, oneVersionSql, versionByIdSql, versionsOfNodeSql } from './version-rows.sql.js';

/** Versions as they are committed, each read by one statement. */
@Injectable()
export class VersionReads {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async one(nodeId: string, version: string): Promise<VersionRecord | null> {
    const values = [nodeKey(nodeId), version];
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

  /** Newest first. */
  async ofNode(nodeId: string): Promise<readonly VersionRecord[]> {
    return (await this.pool.query<VersionRecord>(versionsOfNodeSql, [nodeKey(nodeId)])).rows;
  }

  /** By the place of each pair; a pair without a version is missing. */
  async bulk(
    pairs: readonly (readonly [nodeId: string, version: string])[],
  ): Promise<ReadonlyMap<number, VersionRecord>> {
    const { rows } = await this.pool.query<VersionRecord & { readonly at: number }>({
      name: 'registry.bulk-versions',
      text: bulkVersionsSql,
      values: [pairs.map(([id]) => nodeKey(id)), pairs.map(([, version]) => version)],
    });
    return new Map(rows.map((row) => [row.at - 1, row]));
  }
}
