import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_SCHEMAS, SERVICE_SCHEMAS } from '@heddle/composition/prepare-cluster';
import { migratedDatabase } from '@heddle/testing-database';
import pg from 'pg';
import type { ServerAddresses } from './shared-servers.js';

/** Where a test cluster keeps its state: its own database, bucket, topics and folder. It outlives processes. */
export interface ClusterPlace {
  readonly servers: ServerAddresses;
  /** Name of the database; bucket and topic names are derived from it. */
  readonly name: string;
  /** The database owner's URL, to look behind the services. */
  readonly ownerUrl: string;
  /** Each service's own URL. */
  readonly databaseUrls: {
    readonly jobs: string;
    readonly assets: string;
    readonly logs: string;
    readonly accounts: string;
    readonly deployments: string;
    readonly registry: string;
  };
  readonly bucket: string;
  readonly topicPrefix: string;
  /** The services' logs. */
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** Creates a place on running servers. */
export async function newPlace(servers: ServerAddresses): Promise<ClusterPlace> {
  // The prefix by which the shared server removes leftovers of killed runs.
  const name = `fresh_cluster_${randomBytes(5).toString('hex')}`;
  const database = await migratedDatabase(servers.ownerUrl, name, ALL_SCHEMAS);
  const urlOf = (service: keyof typeof SERVICE_SCHEMAS): string => {
    const { schema, role = schema } = SERVICE_SCHEMAS[service];
    return database.roleUrl(role);
  };
  const databaseUrls = {
    jobs: urlOf('jobs'),
    assets: urlOf('assets'),
    logs: urlOf('logs'),
    accounts: urlOf('accounts'),
    deployments: urlOf('deployments'),
    registry: urlOf('registry'),
  };
  const { ownerUrl } = database;
  await database.close();
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-test-cluster-'));
  const bucket = name.replaceAll('_', '-');
  return {
    servers,
    name,
    ownerUrl,
    databaseUrls,
    bucket,
    topicPrefix: `${name}.`,
    dataDir,
    remove: async () => {
      await asOwner(servers, `drop database if exists ${name} with (force)`);
      await rm(join(servers.objectsDir, bucket), { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function asOwner(servers: ServerAddresses, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: servers.ownerUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
