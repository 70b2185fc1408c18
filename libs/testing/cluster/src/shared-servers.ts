import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKafka, startS3Server } from '@heddle/platform-local-servers';
import type { RunningKafka, RunningS3 } from '@heddle/platform-local-servers';
import { privateServer } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';

const CACHE = resolve(fileURLToPath(import.meta.url), '../../../../../.cache');

/** Real servers that the clusters of one spec file share: a database each, a topic prefix each, a bucket each. */
export interface SharedServers {
  readonly kafka: RunningKafka;
  readonly s3: RunningS3;
  readonly postgres: PrivateServer;
  stop(): Promise<void>;
}

let shared: Promise<SharedServers> | null = null;

/** Starts them at the first call in this process; they end with it, or by `stop`. */
export function sharedServers(): Promise<SharedServers> {
  shared ??= start();
  return shared;
}

async function start(): Promise<SharedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-test-servers-'));
  const [kafka, s3, postgres] = await Promise.all([
    startKafka({ cacheDir: CACHE, dataDir: join(folder, 'kafka') }),
    startS3Server({ cacheDir: CACHE, dataDir: join(folder, 's3') }),
    privateServer(),
  ]);
  return {
    kafka,
    s3,
    postgres,
    stop: async () => {
      shared = null;
      await Promise.allSettled([kafka.stop(), s3.stop(), postgres.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
