import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKafka, startS3Server } from '@heddle/local-servers';
import type { RunningKafka, RunningS3 } from '@heddle/local-servers';
import { privateServer, sharedServerUrl } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';

const CACHE = resolve(fileURLToPath(import.meta.url), '../../../../../.cache');

/** Addresses of the servers for test clusters, serializable between processes. */
export interface ServerAddresses {
  readonly brokers: readonly string[];
  readonly s3: { readonly endpoint: string; readonly accessKey: string; readonly secretKey: string };
  /** Where the S3 server keeps its objects: one folder per bucket. */
  readonly objectsDir: string;
  /** The owner of the PostgreSQL server, who may create databases and roles. */
  readonly ownerUrl: string;
}

/** Real servers shared by test clusters: each gets its own database, topic prefix and bucket. */
export interface SharedServers extends ServerAddresses {
  readonly kafka: RunningKafka;
  readonly s3Server: RunningS3;
  /** Null: the one shared by all database specs, which nobody may break. */
  readonly postgres: PrivateServer | null;
  stop(): Promise<void>;
}

export interface SharedServersOptions {
  /** A separate, durable PostgreSQL for specs that break it or rely on its durability. */
  readonly ownPostgres: boolean;
}

/** Starts the servers; `stop` or the end of this process ends them. */
export async function startServers({ ownPostgres }: SharedServersOptions): Promise<SharedServers> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-test-servers-'));
  const [kafka, s3, postgres] = await Promise.all([
    startKafka({ cacheDir: CACHE, dataDir: join(folder, 'kafka') }),
    startS3Server({ cacheDir: CACHE, dataDir: join(folder, 's3') }),
    ownPostgres ? privateServer() : null,
  ]);
  const { endpoint, accessKey, secretKey } = s3;
  return {
    kafka,
    s3Server: s3,
    postgres,
    brokers: kafka.brokers,
    s3: { endpoint, accessKey, secretKey },
    objectsDir: join(folder, 's3', 'objects'),
    ownerUrl: postgres?.url() ?? (await sharedServerUrl()),
    stop: async () => {
      await Promise.allSettled([kafka.stop(), s3.stop(), postgres?.remove()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
