import { ACCOUNTS_ROLE } from '@heddle/accounts';
import { ASSETS_ROLE } from '@heddle/assets';
import { ALL_SCHEMAS } from '@heddle/composition/prepare-cluster';
import { DEPLOYMENTS_ROLE } from '@heddle/deployments';
import { JOBS_ROLE } from '@heddle/jobs';
import { LOGS_ROLE } from '@heddle/logs';
import { REGISTRY_ROLE } from '@heddle/registry/schema';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { Infrastructure, InfrastructureOptions, StartedPart } from '../infrastructure.js';
import { DatabaseLives } from './database-lives.js';

type DatabaseUrls = Infrastructure['databaseUrls'];

/** The embedded server supervises itself: its failures and restarts are only counted here. */
export async function startDatabase(options: InfrastructureOptions): Promise<StartedPart<DatabaseUrls>> {
  const { settings, progress } = options;
  let supervision: DatabaseLives | null = null;
  const database = await progress.step('PostgreSQL', async () =>
    connectDatabase({
      ...databaseTarget(options),
      applicationName: 'heddle-cluster',
      onNotice: (notice) => supervision?.hear(notice),
    }),
  );
  try {
    await progress.step('migrations', async () => await migrate(database, ALL_SCHEMAS));
  } catch (error) {
    await database.close();
    throw error;
  }
  if (settings.databaseUrl === null) supervision = new DatabaseLives(database, options.watch);
  const lives = supervision?.lives;
  return {
    facts: {
      jobs: database.roleUrl(JOBS_ROLE),
      assets: database.roleUrl(ASSETS_ROLE),
      logs: database.roleUrl(LOGS_ROLE),
      accounts: database.roleUrl(ACCOUNTS_ROLE),
      deployments: database.roleUrl(DEPLOYMENTS_ROLE),
      registry: database.roleUrl(REGISTRY_ROLE),
    },
    servers: lives === undefined ? [] : [lives],
    stop: async () => {
      await database.close();
      lives?.stops();
    },
  };
}

function databaseTarget({ settings, dataDir }: InfrastructureOptions): { databaseUrl: string } | { dataDir: string } {
  const { databaseUrl } = settings;
  return databaseUrl === null ? { dataDir } : { databaseUrl };
}
