import 'reflect-metadata';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ASSETS_MIGRATIONS, ASSETS_ROLE, AssetsModule } from '@heddle/assets';
import type { AssetsSettings } from '@heddle/assets';
import { ASSETS_PORT, MODERATION_PORT, STORAGE_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type {
  AssetsPort,
  JobLogPort,
  LeaseAuthorityPort,
  ModerationPort,
  StoragePort,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
import { DirectoryBlobStore, TargetSigner } from '@heddle/platform-blob-store';
import { freshDatabase } from '@heddle/testing-database';
import type { TestDatabase } from '@heddle/testing-database';
import { jobsServiceFake } from '@heddle/testing-jobs';
import { NestFactory } from '@nestjs/core';

/** The assets service with its own database and folder */
export interface AssetsUnderTest {
  readonly assets: AssetsPort;
  readonly workerAssets: WorkerAssetsPort;
  readonly moderation: ModerationPort;
  readonly storage: StoragePort;
  /** Every file of the store, including unfinished ones */
  files(): Promise<string[]>;
  end(): Promise<void>;
}

export async function assetsDatabase(): Promise<TestDatabase> {
  return await freshDatabase({ migrations: [ASSETS_MIGRATIONS], poolSizes: { [ASSETS_ROLE]: 8 } });
}

export async function openAssets(
  { database }: TestDatabase,
  settings: Partial<AssetsSettings> = {},
  leaseAuthority?: LeaseAuthorityPort,
  jobLog?: JobLogPort,
): Promise<AssetsUnderTest> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-assets-'));
  const store = await DirectoryBlobStore.open(
    root,
    new TargetSigner([{ id: 'a', secret: createSecretKey(randomBytes(32)) }]),
  );
  const imports = [jobsServiceFake(jobLog, leaseAuthority)];
  const module = AssetsModule.register({ database, store, imports, settings: { sweepIntervalMs: 0, ...settings } });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    assets: app.get<AssetsPort>(ASSETS_PORT),
    workerAssets: app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT),
    moderation: app.get<ModerationPort>(MODERATION_PORT),
    storage: app.get<StoragePort>(STORAGE_PORT),
    files: async () => {
      const found = await readdir(root, { recursive: true, withFileTypes: true });
      return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    end: async () => {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const BOUNDARY = '----heddle-internal-calls';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** The multipart bytes before and after the file's bytes. */
export function multipartFrame(fields: Readonly<Record<string, string>>): { head: Buffer; tail: Buffer } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="any"\r\n\r\n`;
  return { head: Buffer.from(parts.join('') + file), tail: Buffer.from(`\r\n--${BOUNDARY}--\r\n`) };
}
