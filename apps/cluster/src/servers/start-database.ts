import { ASSETS_ROLE } from '@heddle/assets';
import { SERVICE_SCHEMAS } from '@heddle/composition/prepare-cluster';
import { SettingRefused } from '@heddle/composition';
import { JOBS_ROLE } from '@heddle/jobs';
import { LOGS_ROLE } from '@heddle/logs';
import { connectDatabase, migrate } from '@heddle/platform-database';
import type { Database, ServerNotice } from '@heddle/platform-database';
import type { Infrastructure, InfrastructureOptions, StartedPart } from '../infrastructure.js';
import { ProcessLives } from '../supervise/process-lives.js';

type DatabaseUrls = Infrastructure['databaseUrls'];

/** The embedded server supervises itself: its failures and restarts are only counted here. */
export async function startDatabase(options: InfrastructureOptions): Promise<StartedPart<DatabaseUrls>> {
  const { settings, progress } = options;
  let supervision: Supervision | null = null;
  const database = await progress.step('PostgreSQL', async () =>
    connectDatabase({
      ...placeOf(options),
      applicationName: 'heddle-cluster',
      onNotice: (notice) => supervision?.hear(notice),
    }),
  );
  try {
    await progress.step('migrations', async () => await migrate(database, Object.values(SERVICE_SCHEMAS)));
  } catch (error) {
    await database.close();
    throw error;
  }
  if (settings.databaseUrl === null) supervision = new Supervision(database, options);
  const lives = supervision?.lives;
  return {
    facts: {
      jobs: database.roleUrl(JOBS_ROLE),
      assets: database.roleUrl(ASSETS_ROLE),
      logs: database.roleUrl(LOGS_ROLE),
    },
    servers: lives === undefined ? [] : [lives],
    stop: async () => {
      await database.close();
      lives?.stops();
    },
  };
}

function placeOf({ settings, dataDir }: InfrastructureOptions): { databaseUrl: string } | { dataDir: string } {
  const { databaseUrl } = settings;
  if (databaseUrl === null) return { dataDir };
  if (!URL.canParse(databaseUrl))
    throw new SettingRefused(
      'HEDDLE_DATABASE_URL is not a valid URL; for example postgres://heddle:password@127.0.0.1:5432/heddle',
    );
  return { databaseUrl };
}

class Supervision {
  readonly lives: ProcessLives;

  constructor(
    private readonly database: Database,
    private readonly options: InfrastructureOptions,
  ) {
    const place = {
      name: 'postgres',
      logFile: database.server?.folder.log ?? '',
      port: Number(new URL(database.ownerUrl).port),
      callsPort: null,
      opsPort: null,
    };
    this.lives = new ProcessLives(place, options.watch);
    this.lives.runs(database.server?.pid);
  }

  hear(notice: ServerNotice): void {
    if (notice.kind === 'lost') this.lives.ended('its connection was lost');
    else if (notice.kind === 'restart_failed')
      this.lives.ended(`it did not start: ${notice.error.message.split('\n', 1)[0]}`);
    else if (notice.kind === 'taken') this.options.watch.gaveUp(notice.error.message);
    else if (notice.kind === 'restarted') this.#isBack();
  }

  /** Services know only its first port. */
  #isBack(): void {
    const port = Number(new URL(this.database.ownerUrl).port);
    const first = this.lives.place.port;
    if (port === first) this.lives.runs(this.database.server?.pid);
    else
      this.options.watch.gaveUp(`postgres restarted on port ${port}, because another process uses its port ${first}`);
  }
}
