import 'reflect-metadata';
import { blake3 } from '@napi-rs/blake-hash';
import { NestFactory } from '@nestjs/core';
import { ASSETS_PORT, newUuid, SELF_HOSTED_PRINCIPAL, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { Answer, AssetsPort, JobLogPort, Principal, WorkerAssetsPort } from '@heddle/contracts-messages';
import type { Database } from '@heddle/platform-database';
import type { BlobStore } from '@heddle/platform-blob-store';
import type { MessageBus } from '@heddle/platform-message-bus';
import { JobLogFake, jobsServiceFake, LeaseAuthorityFake } from '@heddle/testing-jobs';
import type pg from 'pg';
import { AssetsModule } from './assets.module.js';
import type { AssetsSettings } from './settings.js';
import { ASSETS_ROLE } from './assets-schema/assets-migrations.js';
import type { MintedListener } from './local-bindings/minted-announcer.js';
import { openFolder } from './blob-places.fixture.js';
import type { OpenPlace } from './blob-places.fixture.js';

/** The assets service on a real database and a blob store of its own. */
export interface AssetsUnderTest {
  readonly assets: AssetsPort;
  readonly worker: WorkerAssetsPort;
  /** The leases under which `worker` is called. */
  readonly leases: LeaseAuthorityFake;
  readonly pool: pg.Pool;
  readonly store: BlobStore;
  /** A provider of the service by its class. */
  get<T>(type: abstract new (...found: never[]) => T): T;
  /** Every object of the store, including unfinished ones. */
  files(): Promise<string[]>;
  end(): Promise<void>;
}

interface MoreOptions {
  readonly jobLog?: JobLogPort;
  readonly bus?: MessageBus;
  readonly onMinted?: MintedListener;
}

export async function assetsUnderTest(
  database: Pick<Database, 'pool'>,
  settings: Partial<AssetsSettings> = {},
  wrap: (store: BlobStore) => BlobStore = (store) => store,
  open: OpenPlace = openFolder,
  { jobLog = new JobLogFake(), ...more }: MoreOptions = {},
): Promise<AssetsUnderTest> {
  const place = await open();
  const store = wrap(place.store);
  // Sweeps run only if a test calls them, and finish at once.
  const quiet = { sweepIntervalMs: 0, sweepPatienceMs: 0, jobEventLookMs: 0, ...settings };
  const leases = new LeaseAuthorityFake();
  const imports = [jobsServiceFake(jobLog, leases)];
  const module = AssetsModule.register({
    database,
    store,
    imports,
    settings: quiet,
    ...more,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  return {
    assets: app.get<AssetsPort>(ASSETS_PORT),
    worker: app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT),
    leases,
    pool: database.pool(ASSETS_ROLE),
    store,
    get: (type) => app.get(type),
    files: () => place.files(),
    end: async () => {
      await app.close();
      await place.end();
    },
  };
}

/** An account of its own on the self-hosted surface. */
export function somebody(): Principal {
  return { ...SELF_HOSTED_PRINCIPAL, accountId: newUuid() as Principal['accountId'] };
}

export function hashOf(bytes: Buffer | string): string {
  return `blake3:${blake3(Buffer.from(bytes)).toString('hex')}`;
}

/** The value of a successful answer. */
export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.rejection)}`);
  return answer.value;
}

/** The code of a refusal; `accepted` if there is none. */
export function codeOf(answer: Answer<unknown>): string {
  return answer.ok ? 'accepted' : answer.rejection.code;
}
