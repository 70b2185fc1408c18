import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ASSETS_ROLE } from '@heddle/assets';
import { SERVICE_SCHEMAS } from '@heddle/composition/prepare-cluster';
import type { Settings } from '@heddle/composition';
import { JOBS_ROLE } from '@heddle/jobs';
import { LOGS_ROLE } from '@heddle/logs';
import { connectDatabase, migrate } from '@heddle/platform-database';
import { startKafka, startS3Server } from '@heddle/local-servers';
import type { RunningKafka, RunningS3 } from '@heddle/local-servers';

/** What services of a cluster stand on; what the settings name is used as it is, the rest runs here as local processes. */
export interface Infrastructure {
  /** Each service's own URL of the database. */
  readonly databaseUrls: {
    readonly jobs: string;
    readonly assets: string;
    readonly logs: string;
  };
  readonly brokers: readonly string[];
  readonly s3: {
    readonly endpoint: string;
    readonly accessKey: string;
    readonly secretKey: string;
    readonly bucket: string;
  };
  /** Null where it is somebody else's. */
  readonly kafka: RunningKafka | null;
  readonly s3Server: RunningS3 | null;
  readonly databasePid: number | null;
  stop(): Promise<void>;
}

export interface InfrastructureOptions {
  readonly settings: Settings;
  readonly dataDir: string;
  readonly cacheDir: string;
  readonly brokers: number;
  progress(line: string): void;
}

/** Starts everything at once: the longest is what the first run fetches and builds. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  await mkdir(options.dataDir, { recursive: true });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> =>
    void (await Promise.allSettled(stops.splice(0).map(async (step) => await step())));
  const started = await Promise.allSettled([
    startDatabase(options, stops),
    startBrokers(options, stops),
    startS3(options, stops),
  ]);
  const failed = started.find((part) => part.status === 'rejected');
  const [database, kafka, s3Server] = started.map((part) => (part.status === 'fulfilled' ? part.value : null)) as [
    Awaited<ReturnType<typeof startDatabase>>,
    RunningKafka | null,
    RunningS3 | null,
  ];
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  const { settings } = options;
  return {
    databaseUrls: database.urls,
    databasePid: database.pid,
    brokers: kafka?.brokers ?? settings.kafkaBrokers,
    s3: {
      endpoint: s3Server?.endpoint ?? settings.s3Endpoint ?? '',
      accessKey: s3Server?.accessKey ?? settings.s3AccessKey ?? '',
      secretKey: s3Server?.secretKey ?? settings.s3SecretKey ?? '',
      bucket: settings.s3Bucket ?? 'heddle',
    },
    kafka,
    s3Server,
    stop,
  };
}

async function startDatabase(
  { settings, dataDir, progress }: InfrastructureOptions,
  stops: (() => Promise<void>)[],
): Promise<{ urls: Infrastructure['databaseUrls']; pid: number | null }> {
  progress(settings.databaseUrl === null ? 'starting PostgreSQL' : 'using the PostgreSQL of HEDDLE_DATABASE_URL');
  const owner = settings.databaseUrl === null ? { dataDir } : { databaseUrl: settings.databaseUrl };
  const database = await connectDatabase({ ...owner, applicationName: 'heddle-cluster' });
  stops.push(async () => await database.close());
  await migrate(database, Object.values(SERVICE_SCHEMAS));
  const urls = {
    jobs: database.roleUrl(JOBS_ROLE),
    assets: database.roleUrl(ASSETS_ROLE),
    logs: database.roleUrl(LOGS_ROLE),
  };
  return { urls, pid: database.server?.pid ?? null };
}

async function startBrokers(
  { settings, dataDir, cacheDir, brokers, progress }: InfrastructureOptions,
  stops: (() => Promise<void>)[],
): Promise<RunningKafka | null> {
  if (settings.kafkaBrokers.length > 0) return null;
  progress(`starting Apache Kafka (${brokers} ${brokers === 1 ? 'broker' : 'brokers'})`);
  const kafka = await startKafka({ cacheDir, dataDir: join(dataDir, 'kafka'), brokers, onProgress: progress });
  stops.push(async () => await kafka.stop());
  return kafka;
}

async function startS3(
  { settings, dataDir, cacheDir, progress }: InfrastructureOptions,
  stops: (() => Promise<void>)[],
): Promise<RunningS3 | null> {
  if (settings.s3Endpoint !== null) return null;
  progress('starting the S3 server');
  const server = await startS3Server({
    cacheDir,
    dataDir: join(dataDir, 's3'),
    onProgress: progress,
  });
  stops.push(async () => await server.stop());
  return server;
}
