import { Inject, Injectable } from '@nestjs/common';
import type { ChangeWire } from '@heddle/contracts-registry';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { changesSql } from './changes.sql.js';
import type { ChangeRow } from './changes.sql.js';

export interface ChangePage {
  readonly changes: readonly ChangeWire[];
  /** Where the next page begins; on an empty page where this one began. */
  readonly next: number;
}

/** What happened after a number of the log. An event has its number some milliseconds after its commit. */
@Injectable()
export class ListChangesHandler {
  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  async handle(after: number, limit: number): Promise<ChangePage> {
    const { rows } = await this.pool.query<ChangeRow>({
      name: 'registry.changes',
      text: changesSql,
      values: [after, limit],
    });
    const changes = rows.map(({ seq, ...row }) => ({ seq: Number(seq), ...row }));
    return { changes, next: changes.at(-1)?.seq ?? after };
  }
}
