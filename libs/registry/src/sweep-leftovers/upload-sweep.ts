import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import { inTransaction, trustedNowSql } from '@heddle/platform-database';
import type { Pool } from 'pg';
import { registryFailpoint } from '../failpoints.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { RegistrySettings } from '../settings.js';

/** No upload takes so long: what is older was left by a crash. */
const AGE_MS = 3_600_000;
const BATCH = 100;
/** The commit of an upload deletes its row: it waits for this lock, finds none, and is refused. */
const leftSql = `
select blob from registry.upload where begun_at < ${trustedNowSql(1)} - ${AGE_MS} * interval '1 millisecond'
order by begun_at limit ${BATCH} for update skip locked`;
const forgetSql = 'delete from registry.upload where blob = any ($1::uuid[])';

/** Deletes the bytes of uploads that a crash cut off: objects of the store, and temporary files. */
@Injectable()
export class UploadSweep {
  constructor(
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: RegistrySettings,
  ) {}

  async run(trustedUntilMs = Infinity): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ blob: BlobKey }>(leftSql, [trustedUntilMs]);
      if (rows.length === 0) return;
      const left = await this.store.deleteAll(rows.map(({ blob }) => blob));
      registryFailpoint('registry.sweep.deleted');
      const gone = rows.map(({ blob }) => blob).filter((blob) => !left.has(blob));
      await client.query(forgetSql, [gone]);
    });
    await this.#files();
  }

  async #files(): Promise<void> {
    const { uploadFolder } = this.settings;
    for (const name of await readdir(uploadFolder).catch(() => [])) {
      const path = join(uploadFolder, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtimeMs < Date.now() - AGE_MS) await rm(path, { force: true });
    }
  }
}
