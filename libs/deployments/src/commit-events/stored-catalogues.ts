import { Inject, Injectable } from '@nestjs/common';
import { blake3 } from '@napi-rs/blake-hash';
import type { CataloguesPort, EnvironmentSpec } from '@heddle/contracts-messages';
import type { Environment } from '@heddle/deployments-domain';
import type { Pool } from 'pg';
import { DEPLOYMENTS_POOL } from '../deployments-pool.js';

/** The name of a document. */
export function hashOf(content: Uint8Array): string {
  return `blake3:${blake3(Buffer.from(content)).toString('hex')}`;
}

/** The node classes of pinned environments. Kept for ever: jobs of a revision may be looked at later. */
@Injectable()
export class StoredCatalogues implements CataloguesPort {
  constructor(@Inject(DEPLOYMENTS_POOL) private readonly pool: Pool) {}

  /** The environment as events hold it, with its document stored here; null: no stored document has the hash that it names. */
  async pin({
    catalogue,
    catalogueHash: _,
    ...environment
  }: EnvironmentSpec): Promise<Omit<Environment, 'revision'> | null> {
    if (typeof catalogue === 'string' && !(await this.#has(catalogue))) return null;
    const catalogueHash = catalogue instanceof Uint8Array ? await this.#store(catalogue) : catalogue;
    return { ...environment, catalogueHash };
  }

  async document(hash: string): Promise<Uint8Array | null> {
    const text = 'select content from deployments.catalogue where hash = $1';
    const { rows } = await this.pool.query<{ content: Buffer }>({
      name: 'deployments.catalogue',
      text,
      values: [hash],
    });
    return rows[0]?.content ?? null;
  }

  /** Reads no document: it may have megabytes. */
  async #has(hash: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from deployments.catalogue where hash = $1', [hash]);
    return rowCount === 1;
  }

  async #store(content: Uint8Array): Promise<string> {
    const hash = hashOf(content);
    await this.pool.query('insert into deployments.catalogue values ($1, $2) on conflict do nothing', [hash, content]);
    return hash;
  }
}
