import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastingPort } from '@heddle/platform-database';
import { startServers } from '@heddle/testing-cluster';
import type { SharedServers } from '@heddle/testing-cluster';
import pg from 'pg';
import { CAMPAIGN_SETTINGS } from '../chaos/campaign/cluster-under-fire.ts';

const BUCKET = 'heddle-upgrade';

/** One PostgreSQL, one Kafka, one bucket and one address for consecutive builds */
export interface UpgradePlace {
  readonly servers: SharedServers;
  readonly owner: pg.Pool;
  readonly ownerUrl: string;
  readonly bucket: string;
  readonly objectsFolder: string;
  readonly dataDir: string;
  readonly logDir: string;
  readonly url: string;
  /** An operator's settings for a cluster on these servers */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Opens a place with an empty database: the first build creates the schemas. */
export async function openPlace(): Promise<UpgradePlace> {
  const servers = await startServers({ ownPostgres: true });
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-upgrade-'));
  const logDir = join(dataDir, 'logs');
  await mkdir(logDir);
  const admin = new pg.Client({ connectionString: servers.ownerUrl });
  await admin.connect();
  await admin.query('create database heddle');
  await admin.end();
  const address = new URL(servers.ownerUrl);
  address.pathname = '/heddle';
  const ownerUrl = address.href;
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 4 });
  owner.on('error', () => undefined);
  // Reserved, because other tests start servers between two builds.
  const port = await lastingPort();
  return {
    servers,
    owner,
    ownerUrl,
    bucket: BUCKET,
    objectsFolder: join(servers.objectsDir, BUCKET, 'b'),
    dataDir,
    logDir,
    url: `http://127.0.0.1:${port}`,
    env: {
      ...withoutSettings(process.env),
      ...CAMPAIGN_SETTINGS,
      HEDDLE_PORT: String(port),
      HEDDLE_DATA: dataDir,
      HEDDLE_DATABASE_URL: ownerUrl,
      HEDDLE_KAFKA_BROKERS: servers.brokers.join(','),
      HEDDLE_KAFKA_PARTITIONS: '2',
      HEDDLE_KAFKA_REPLICATION: '1',
      HEDDLE_S3_ENDPOINT: servers.s3.endpoint,
      HEDDLE_S3_BUCKET: BUCKET,
      HEDDLE_S3_ACCESS_KEY: servers.s3.accessKey,
      HEDDLE_S3_SECRET_KEY: servers.s3.secretKey,
      // A new format of the log is written after a few seconds instead of half a minute.
      HEDDLE_PEER_BEAT_S: '0.2',
    },
    remove: async () => {
      await owner.end();
      await servers.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function withoutSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('HEDDLE_'),
    ),
  );
}
