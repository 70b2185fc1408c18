import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKafka, startS3Server } from '@heddle/local-servers';
import type { RunningKafka, RunningS3 } from '@heddle/local-servers';
import { privateServer, sharedServerUrl } from '@heddle/testing-database';
import type { PrivateServer } from '@heddle/testing-database';

const CACHE = resolve(fileURLToPath(import.meta.url), '../../../../../.cache');

/** Where the servers of test clusters are, in a form that goes from one process to another. */
export interface ServerAddresses {
  readonly brokers: readonly string[];
  readonly s3: { readonly endpoint: string; readonly accessKey: string; readonly secretKey: string };
  /** Where the S3 server keeps its objects: one folder a bucket. */
  readonly objectsDir: string;
  /** The owner of the PostgreSQL server, who may create databases and roles. */
  readonly ownerUrl: string;
}

/** Real servers that test clusters share: a database each, a topic prefix each, a bucket each. */
export interface SharedServers extends ServerAddresses {
  readonly kafka: RunningKafka;
  readonly s3Server: RunningS3;
  /** Null: the one that all database specs share, which nobody may break. */
  readonly postgres: PrivateServer | null;
  stop(): Promise<void>;
}

export interface SharedServersOptions {
  /** A PostgreSQL of their own, durable, for specs that break it or count on what it keeps. */
  readonly ownPostgres: boolean;
}

/** Starts them for whoever asks; `stop` ends them, and so does the end of this process. */
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
