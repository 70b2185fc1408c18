import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@heddle/platform-database';
import { RejectionError } from '@heddle/platform-http';
import type { Pool } from 'pg';
import { registryFailpoint } from '../failpoints.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { clockSql } from './registry-rows.sql.js';
import { RegistryUnit } from './registry-unit.js';

/** The log of the registry: every change is one transaction on events and rows. */
@Injectable()
export class RegistryLog {
  readonly #subscribers = new Set<() => void>();

  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** Called after each commit in this process. */
  onCommitted(subscriber: () => void): void {
    this.#subscribers.add(subscriber);
  }

  /** What the work returns, once it is committed. A refusal that it throws leaves nothing behind. */
  async commit<T>(work: (unit: RegistryUnit) => Promise<T>): Promise<T> {
    const done = await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ now: string }>(clockSql);
      try {
        const unit = new RegistryUnit(client, rows[0]!.now);
        const value = await work(unit);
        await unit.close();
        registryFailpoint('registry.change.before-commit');
        return { ok: true, value } as const;
      } catch (error) {
        if (!(error instanceof RejectionError)) throw error;
        // The connection is good: it is not closed for a refusal.
        await client.query('rollback; begin');
        return { ok: false, error } as const;
      }
    });
    if (!done.ok) throw done.error;
    registryFailpoint('registry.change.after-commit');
    for (const subscriber of this.#subscribers) subscriber();
    return done.value;
  }
}
