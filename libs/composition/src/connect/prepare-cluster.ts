import { ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { DEPLOYMENTS_MIGRATIONS } from '@heddle/deployments';
import { JOBS_MIGRATIONS } from '@heddle/jobs';
import { LOGS_MIGRATIONS } from '@heddle/logs';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { SchemaMigrations } from '@heddle/platform-database';
import { REGISTRY_MIGRATIONS } from '@heddle/registry/schema';
import { ensureTopics } from '@heddle/platform-message-bus/kafka';
import type { Settings } from '../settings/settings.js';
import { kafkaConnection } from './kafka-connection.js';
import { desiredTopics } from './topics.js';

/** Schemas of the services with a database, by service name. */
export const SERVICE_SCHEMAS = {
  jobs: JOBS_MIGRATIONS,
  assets: ASSETS_MIGRATIONS,
  logs: LOGS_MIGRATIONS,
  accounts: ACCOUNTS_MIGRATIONS,
  deployments: DEPLOYMENTS_MIGRATIONS,
  registry: REGISTRY_MIGRATIONS,
} as const satisfies Record<string, SchemaMigrations>;

export interface ServiceRole {
  readonly service: string;
  readonly role: string;
  /** Contains the role's password: only for that service. */
  readonly databaseUrl: string;
}

/** Migrates all schemas with the owner's permissions. Returns the applied steps and each service's connection. */
export async function prepareDatabase(
  ownerUrl: string,
): Promise<{ readonly steps: readonly string[]; readonly roles: readonly ServiceRole[] }> {
  const database = await connectDatabase({ databaseUrl: ownerUrl, applicationName: 'heddle-migrate' });
  try {
    const steps = await migrate(database, Object.values(SERVICE_SCHEMAS));
    const roles = Object.entries(SERVICE_SCHEMAS).map(([service, { schema, role = schema }]) => {
      return { service, role, databaseUrl: database.roleUrl(role) };
    });
    return { steps, roles };
  } finally {
    await database.close();
  }
}

/** Creates missing topics; returns all of them, none without brokers. */
export async function prepareTopics(settings: Settings): Promise<readonly string[]> {
  if (settings.kafkaBrokers.length === 0) return [];
  const topics = desiredTopics(settings);
  await ensureTopics(kafkaConnection('migrate', settings), topics);
  return topics.map(({ name }) => name);
}
