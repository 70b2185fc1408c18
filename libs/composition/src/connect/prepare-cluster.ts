import { ACCOUNTS_MIGRATIONS } from '@heddle/accounts';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { DEPLOYMENTS_MIGRATIONS } from '@heddle/deployments';
import { JOBS_MIGRATIONS, unreadableLogFormat } from '@heddle/jobs';
import { LOGS_MIGRATIONS } from '@heddle/logs';
import { compareDatabase, connectDatabase, Database, migrate } from '@heddle/platform-database';
import type { ComparedStep, SchemaMigrations } from '@heddle/platform-database';
import { PARTNER_PROXY_MIGRATIONS } from '@heddle/partner-proxy/schema';
import { SettingRefused } from '@heddle/platform-settings';
import { REGISTRY_MIGRATIONS } from '@heddle/registry/schema';
import { checkTopics, ensureTopics } from '@heddle/platform-message-bus/kafka';
import type { Settings } from '../settings/settings.js';
import { SETTINGS } from '../settings/settings-table.js';
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

/** Every schema: the partner proxy has one of its own, and runs with the role of the registry's process. */
export const ALL_SCHEMAS: readonly SchemaMigrations[] = [...Object.values(SERVICE_SCHEMAS), PARTNER_PROXY_MIGRATIONS];

interface ServiceRole {
  readonly service: string;
  readonly role: string;
  /** Contains the role's password: only for that service. */
  readonly databaseUrl: string;
}

/** The setting that names the URL of a schema's role. */
const ROLE_URLS = {
  jobs: 'jobsDatabaseUrl',
  assets: 'assetsDatabaseUrl',
  logs: 'logsDatabaseUrl',
  accounts: 'accountsDatabaseUrl',
  deployments: 'deploymentsDatabaseUrl',
  registry: 'registryDatabaseUrl',
} as const satisfies Record<keyof typeof SERVICE_SCHEMAS, keyof Settings>;

type RoleUrls = Pick<Settings, (typeof ROLE_URLS)[keyof typeof ROLE_URLS]>;

/**
 * Migrates all schemas with the owner's permissions. Returns the applied steps and each service's connection. `urls`: of
 * roles whose passwords are not derived from the owner's.
 */
export async function prepareDatabase(
  ownerUrl: string,
  urls: Partial<RoleUrls> = {},
): Promise<{ readonly steps: readonly string[]; readonly roles: readonly ServiceRole[] }> {
  return await withOwner(ownerUrl, urls, async (database) => {
    const steps = await migrate(database, ALL_SCHEMAS);
    return { steps, roles: connectionsOf(database) };
  });
}

/** Each service's connection with the password that is derived from the owner's; asks no server. */
export function rolesOf(ownerUrl: string): readonly ServiceRole[] {
  return connectionsOf(new Database(ownerUrl, {}, undefined));
}

function connectionsOf(database: Database): readonly ServiceRole[] {
  return Object.entries(SERVICE_SCHEMAS).map(([service, { schema, role = schema }]) => {
    return { service, role, databaseUrl: database.roleUrl(role) };
  });
}

/** What `prepareDatabase` and `prepareTopics` would change, and what this version cannot work with. Changes nothing. */
export async function compareCluster(ownerUrl: string, settings: Settings): Promise<readonly ComparedStep[]> {
  const steps = await withOwner(ownerUrl, settings, async (database) => {
    const format = await unreadableLogFormat(database.ownerPool);
    return [
      ...(await compareDatabase(database, ALL_SCHEMAS)),
      ...(format === null
        ? []
        : [{ step: `jobs/log format ${format.floor}`, state: 'breaks', why: format.why } as const]),
    ];
  });
  if (settings.kafkaBrokers.length === 0) return steps;
  const missing = await checkTopics(kafkaConnection('migrate', settings), desiredTopics(settings));
  return [...steps, ...missing.map((name) => ({ step: `topic ${name}`, state: 'missing' }) as const)];
}

async function withOwner<T>(
  databaseUrl: string,
  urls: Partial<RoleUrls>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const rolePasswords = passwordsIn(urls);
  const database = await connectDatabase({ databaseUrl, rolePasswords, applicationName: 'heddle-migrate' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws SettingRefused where a URL is not one of its role */
function passwordsIn(urls: Partial<RoleUrls>): Readonly<Record<string, string>> {
  const passwords = Object.entries(SERVICE_SCHEMAS).flatMap(([service, { schema, role = schema }]) => {
    const key = ROLE_URLS[service as keyof typeof SERVICE_SCHEMAS];
    const text = urls[key] ?? null;
    if (text === null) return [];
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.username === role && url.password !== '') return [[role, decodeURIComponent(url.password)]];
    throw new SettingRefused(
      `HEDDLE_${SETTINGS[key].name} must be the URL of the role ${role} with its password: postgres://${role}:<password>@<host>:<port>/<database>`,
    );
  });
  return Object.fromEntries(passwords) as Record<string, string>;
}

/** Creates missing topics; returns all of them, none without brokers. */
export async function prepareTopics(settings: Settings): Promise<readonly string[]> {
  if (settings.kafkaBrokers.length === 0) return [];
  const topics = desiredTopics(settings);
  await ensureTopics(kafkaConnection('migrate', settings), topics);
  return topics.map(({ name }) => name);
}
