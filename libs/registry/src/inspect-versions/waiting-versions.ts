import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { nextWaitingSql } from './waiting-versions.sql.js';
import type { WaitingVersion } from './waiting-versions.sql.js';

/** Versions whose bytes nobody has inspected since they came, or since a rescan was asked for. */
@Injectable()
export class WaitingVersions {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** The oldest one but for those with these ids; null: none waits. */
  async next(others: readonly string[]): Promise<WaitingVersion | null> {
    const { rows } = await this.pool.query<WaitingVersion>(nextWaitingSql, [others]);
    return rows[0] ?? null;
  }
}
