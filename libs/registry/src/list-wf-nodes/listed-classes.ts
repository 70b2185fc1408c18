import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { REGISTRY_POOL } from '../registry-pool.js';
import { ClassList } from './class-parts.js';
import { listingChangesSql } from './class-pages.sql.js';
import type { ClassSource, ListingChange } from './class-pages.sql.js';

/**
 * Where the classes of each node stand in the list of all. It is held in memory, a hundred bytes a node, and each
 * question reads what changed since the one before: so it always is what is committed.
 */
@Injectable()
export class ListedClasses {
  readonly #sources = new Map<string, ClassSource>();
  #revision = 0n;
  #list = new ClassList([]);
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<ClassList> | null = null;

  constructor(@Inject(REGISTRY_POOL) private readonly pool: Pool) {}

  /** Questions that come while the changes are read wait for the next reading, which they share. */
  list(): Promise<ClassList> {
    this.#next ??= this.#readAfter(this.#current);
    return this.#next;
  }

  async #readAfter(before: Promise<unknown>): Promise<ClassList> {
    await before.catch(() => undefined);
    this.#current = this.#next!;
    this.#next = null;
    return await this.#read();
  }

  async #read(): Promise<ClassList> {
    const { rows } = await this.pool.query<ListingChange>({
      name: 'registry.listing-changes',
      text: listingChangesSql,
      values: [String(this.#revision)],
    });
    const changes = rows.filter(({ node_key }) => node_key !== null);
    for (const { node_key: key, node_id, version_id, classes } of changes) {
      if (version_id === null || classes === 0) this.#sources.delete(key!);
      else this.#sources.set(key!, { node_id, version_id, classes });
    }
    if (changes.length > 0) this.#list = new ClassList([...this.#sources.values()]);
    this.#revision = BigInt(rows[0]!.revision);
    return this.#list;
  }
}
