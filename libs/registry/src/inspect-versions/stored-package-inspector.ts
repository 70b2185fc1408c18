import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobKey, BlobStore } from '@heddle/platform-blob-store';
import type { Inspection } from '@heddle/registry-inspection';
import { registryFailpoint } from '../failpoints.js';
import { RegistrySettings } from '../settings.js';

/** How long the inspection of a package may hold up the others: ordinary ones take a tenth. */
const PATIENCE_MS = 1_500;

/** `quick`: the versions in their order; `long`: one that took longer than `PATIENCE_MS`. */
export type InspectionLane = 'quick' | 'long';

/** Inspects the bytes of a package in the store, by way of a temporary file. */
@Injectable()
export class StoredPackageInspector {
  constructor(
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly settings: RegistrySettings,
  ) {}

  /** Rejects once `stop` is aborted, and in the quick lane with a `LongInspectionError`. */
  async inspect(blob: BlobKey, lane: InspectionLane, stop: AbortSignal): Promise<Inspection> {
    const { inspectPackage } = await import('@heddle/registry-inspection');
    const { uploadFolder } = this.settings;
    await mkdir(uploadFolder, { recursive: true, mode: 0o700 });
    const path = join(uploadFolder, `${randomUUID()}.inspected`);
    try {
      await pipeline(await this.store.read(blob), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      registryFailpoint('registry.inspection.read');
      return await inspectPackage(path, { stop, lane, ...(lane === 'quick' && { patienceMs: PATIENCE_MS }) });
    } finally {
      await rm(path, { force: true });
    }
  }
}
