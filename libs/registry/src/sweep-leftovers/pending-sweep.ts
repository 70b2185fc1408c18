import { Inject, Injectable } from '@nestjs/common';
import { expire } from '@heddle/registry-domain';
import { trustedNowSql } from '@heddle/platform-database';
import type { Pool } from 'pg';
import { RegistryLog } from '../commit-events/registry-log.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { RegistrySettings } from '../settings.js';

const ACTOR = 'heddle';
/** Versions of one look: the rest waits for the next one. */
const BATCH = 100;
const lateSql = `
select version, node_key from registry.version
where status = 'pending' and blob is null
  and published_at < ${trustedNowSql(2)} - $1::float8 * interval '1 millisecond'
order by published_at limit ${BATCH}`;

/** Ends versions whose bytes never came. Their numbers stay open. */
@Injectable()
export class PendingSweep {
  constructor(
    private readonly log: RegistryLog,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    private readonly settings: RegistrySettings,
  ) {}

  async run(trustedUntilMs = Infinity): Promise<void> {
    const { pendingMs } = this.settings;
    const { rows } = await this.pool.query<{ version: string; node_key: string }>(lateSql, [pendingMs, trustedUntilMs]);
    for (const { node_key: nodeKey, version } of rows) await this.#expire(nodeKey, version);
  }

  /** An upload or another publish may have come since it was found: the lock on the node decides. */
  async #expire(nodeKey: string, version: string): Promise<void> {
    const reason = `No bytes came within ${this.settings.pendingMs / 1_000} s.`;
    await this.log.commit(async (unit) => {
      await unit.node(nodeKey);
      const stored = (await unit.version(nodeKey, version))!;
      const { pendingMs } = this.settings;
      if (Date.parse(unit.now) - Date.parse(stored.state.publishedAt) < pendingMs) return;
      await unit.changeVersion(stored, expire(stored.state, ACTOR, reason).events);
    });
  }
}
