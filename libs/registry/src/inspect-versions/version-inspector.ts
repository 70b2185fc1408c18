import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import type { VersionEvent } from '@heddle/registry-domain';
import type { Inspection } from '@heddle/registry-inspection';
import type { Pool } from 'pg';
import { RegistryLog } from '../commit-events/registry-log.js';
import { registryFailpoint } from '../failpoints.js';
import { REGISTRY_POOL } from '../registry-pool.js';
import { RegistryLogger } from '../registry-logger.js';
import { RegistrySettings } from '../settings.js';
import { keepClasses, MAX_CLASS_LIST_BYTES } from './keep-classes.js';
import { endRescanSql, nextWaitingSql } from './waiting-versions.sql.js';
import type { WaitingVersion } from './waiting-versions.sql.js';

const ACTOR = 'heddle';

const UNSTORABLE = { status: 'failed', reason: 'The classes of the package cannot be stored.', nodes: [] } as const;

/** Looks into the bytes of one version after the other: its scan and its node classes. */
@Injectable()
export class VersionInspector {
  @Inject(RegistrySettings) private readonly settings!: RegistrySettings;
  @Inject(RegistryLogger) private readonly logger!: RegistryLogger;

  constructor(
    private readonly log: RegistryLog,
    @Inject(REGISTRY_POOL) private readonly pool: Pool,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  /** One version that waits, but for the `failed` ones; null: none waits. Done again after a crash, with the same end. */
  async next(failed: readonly string[]): Promise<WaitingVersion | null> {
    const { rows } = await this.pool.query<WaitingVersion>(nextWaitingSql, [failed]);
    return rows[0] ?? null;
  }

  /** Rejects once `stop` is aborted; the version waits on. */
  async inspect(waiting: WaitingVersion, stop: AbortSignal): Promise<void> {
    const inspection = await this.#inspected(waiting.blob as BlobKey, stop);
    registryFailpoint('registry.inspection.ended');
    try {
      await this.#store(waiting, inspection);
    } catch (error) {
      if (!isRefusedData(error) || inspection.extraction.nodes.length === 0) throw error;
      // Classes that cannot be stored must not keep a version from its verdict, for ever.
      this.logger.error('the classes of a version were not stored', error);
      await this.#store(waiting, { ...inspection, extraction: UNSTORABLE });
    }
  }

  async #store({ version_id, node_id, version, blob }: WaitingVersion, inspection: Inspection): Promise<void> {
    await this.log.commit(async (unit) => {
      await unit.node(node_id);
      const stored = (await unit.version(node_id, version))!;
      const { state } = stored;
      if (state.bytes?.blob !== blob) return;
      const events: VersionEvent[] = [];
      const { rowCount } = await unit.client.query(endRescanSql, [version_id]);
      const isRescan = rowCount === 1;
      if (state.findings === null || isRescan) {
        events.push({ type: 'VersionScanned', data: { actor: ACTOR, findings: inspection.findings } });
      }
      const { extraction } = state;
      if (extraction === null || (isRescan && extraction.status === 'failed' && !extraction.external)) {
        const { nodes, status, reason } = bounded(inspection);
        const class_list = await keepClasses(unit.client, version_id, nodes);
        const data = { actor: ACTOR, status, reason, class_list, classes: nodes.length, external: false };
        events.push({ type: 'VersionExtracted', data });
      }
      await unit.changeVersion(stored, events);
    });
  }

  async #inspected(blob: BlobKey, stop: AbortSignal): Promise<Inspection> {
    const { inspectPackage } = await import('@heddle/registry-inspection');
    await mkdir(this.settings.uploadFolder, { recursive: true, mode: 0o700 });
    const path = join(this.settings.uploadFolder, `${randomUUID()}.inspected`);
    try {
      await pipeline(await this.store.read(blob), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      registryFailpoint('registry.inspection.read');
      return await inspectPackage(path, { stop });
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** A list that is larger than a version may have is left out, and the reason says so. */
function bounded({ extraction }: Inspection): Inspection['extraction'] {
  if (Buffer.byteLength(JSON.stringify(extraction.nodes)) * 2 <= MAX_CLASS_LIST_BYTES) return extraction;
  return { status: 'failed', reason: 'The classes of the package are larger than 8 MiB.', nodes: [] };
}

/** PostgreSQL takes no such value, or none of such a size: the same data fails again. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:22|54)/.test(String(error.code));
}
