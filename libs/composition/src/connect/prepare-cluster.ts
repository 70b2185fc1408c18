import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { JOBS_MIGRATIONS } from '@heddle/jobs';
import { LOGS_MIGRATIONS } from '@heddle/logs';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { SchemaMigrations } from '@heddle/platform-database';
import { ensureTopics } from '@heddle/platform-message-bus/kafka';
import type { Settings } from '../settings/settings.js';
import { kafkaConnection } from './kafka-connection.js';
import { topicWishes } from './topics.js';

/** The schema of every service that keeps something, by the service's name. */
export const SERVICE_SCHEMAS = {
  jobs: JOBS_MIGRATIONS,
  assets: ASSETS_MIGRATIONS,
  logs: LOGS_MIGRATIONS,
} as const satisfies Record<string, SchemaMigrations>;

export interface ServiceRole {
  readonly service: string;
  readonly role: string;
  /** Holds the role's password: told to that service and to nobody else. */
  readonly databaseUrl: string;
}

/** Brings all schemas up to date with the owner's rights. Answers the applied steps and how each service connects. */
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

/** Makes the topics that are missing; answers all of them, none without brokers. */
export async function prepareTopics(settings: Settings): Promise<readonly string[]> {
  if (settings.kafkaBrokers.length === 0) return [];
  const wishes = topicWishes(settings);
  await ensureTopics(kafkaConnection('migrate', settings), wishes);
  return wishes.map(({ name }) => name);
}
