import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AssetJobFollower, ASSETS_MIGRATIONS, ASSETS_ROLE } from '@heddle/assets';
import {
  followCatalogue,
  modelPlacement,
  observePools,
  openBus,
  openEngine,
  registryFolders,
  watchDisk,
} from '@heddle/composition';
import type { ServiceProcess, WrittenFolder } from '@heddle/composition';
import { databaseReadiness, openDatabase } from '@heddle/composition/database';
import { assertApiPortsFree, createPublicApi, listenForRequests } from '@heddle/composition/public-api';
import { openStore } from '@heddle/composition/store';
import { serveAdminApiLate } from '@heddle/composition/late-admin-api';
import { serveRegistry } from '@heddle/composition/mount-registry';
import { openTargetSigner } from '@heddle/composition/target-signer';
import { startWorker } from '@heddle/composition/worker';
import {
  ACCOUNTS_PORT,
  defaultPoolOf,
  KEY_CHECK,
  LOGS_PORT,
  SURFACES,
  TASK_CREDITS_PORT,
  WORK_PORT,
  WORKER_ASSETS_PORT,
} from '@heddle/contracts-messages';
import type {
  AccountsPort,
  KeyCheck,
  LiveItem,
  LogsPort,
  TaskCreditsPort,
  WorkerAssetsPort,
  WorkPort,
} from '@heddle/contracts-messages';
import { JOBS_MIGRATIONS, JOBS_ROLE, LogFormatTooNewError, openCredentialKeys } from '@heddle/jobs';
import { RequestGate } from '@heddle/gateway';
import { LogJobFollower, LOGS_MIGRATIONS, LOGS_ROLE } from '@heddle/logs';
import { migrate } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import { JobFeed } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import { PARTNER_PROXY_MIGRATIONS } from '@heddle/partner-proxy/schema';
import { REGISTRY_MIGRATIONS, REGISTRY_ROLE } from '@heddle/registry/schema';
import { CatalogueHolder } from '@heddle/validation';
import type { KeyedSurface } from './keyed-surface.js';
import { startFacts } from './start-facts.js';
import { servesLogs, StandaloneModule } from './standalone.module.js';

/** Folders that grow: the data folder, and others that may be on other disks. */
function writtenFolders(
  { settings }: Pick<ServiceProcess, 'settings'>,
  { server }: Database,
): readonly WrittenFolder[] {
  const data = resolve(settings.data);
  return [
    { name: 'data', path: data },
    ...(settings.s3Endpoint === null ? [{ name: 'blobs', path: join(data, 'blobs') }] : []),
    ...registryFolders(settings),
    ...(server === undefined ? [] : [{ name: 'database', path: server.folder.home }]),
    { name: 'temporary', path: tmpdir() },
  ];
}

/** Loaded only where it is served; null on self-hosted. */
async function keyedSurface(service: ServiceProcess, database: Database): Promise<KeyedSurface | null> {
  if (SURFACES[service.settings.surface].credential !== 'keys') return null;
  const { KeyedSurface } = await import('./keyed-surface.js');
  return new KeyedSurface(service, database);
}

/** Starts every service and a worker in one process, in the order of their dependencies. Resolves with its URL. */
export async function startStandalone(service: ServiceProcess): Promise<string> {
  const { settings, logger, metrics } = service;
  await assertApiPortsFree(service);
  const { database, watch } = await openDatabase(service, resolve(settings.data));
  const keyed = await keyedSurface(service, database);
  const hasLogs = servesLogs(settings);
  const logsSchema = hasLogs ? [LOGS_MIGRATIONS] : [];
  await migrate(database, [
    JOBS_MIGRATIONS,
    ASSETS_MIGRATIONS,
    REGISTRY_MIGRATIONS,
    PARTNER_PROXY_MIGRATIONS,
    ...logsSchema,
    ...(keyed?.migrations ?? []),
  ]);
  const signer = await openTargetSigner(settings);
  const credentialKeys = await openCredentialKeys(settings, true);
  const store = await openStore(service, signer);
  const engine = await openEngine(service);
  await watchDisk(service, writtenFolders(service, database));
  const { bus } = await openBus(service);
  const onMinted = await modelPlacement(service);
  const feed = new JobFeed<LiveItem>((error, jobId) => logger.error({ err: error, jobId }, 'a live item failed'));

  const tracer = await service.openTracer();
  service.addRefusals(LogFormatTooNewError);
  const opened = { database, store, signer, credentialKeys, bus, feed, tracer, onMinted, surface: keyed };
  const app = await createPublicApi(service, StandaloneModule.register(service, opened), tracer);
  app.connectMicroservice({ strategy: new MessageBusStrategy(bus, 'standalone') });
  await followCatalogue(service, engine, app.get(CatalogueHolder));
  await app.startAllMicroservices();
  await app.init();
  observePools(metrics, [
    ['jobs', database.pool(JOBS_ROLE)],
    ['jobs-reads', database.pool(JOBS_ROLE, 'reads')],
    ['assets', database.pool(ASSETS_ROLE)],
    ['registry', database.pool(REGISTRY_ROLE)],
    ...(hasLogs ? [['logs', database.pool(LOGS_ROLE)] as const] : []),
    ...(keyed?.pools ?? []),
  ]);

  const work = app.get<WorkPort>(WORK_PORT);
  const assets = app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT);
  const logs = hasLogs ? app.get<LogsPort>(LOGS_PORT) : null;
  const pool = defaultPoolOf(settings.surface);
  if (pool !== null) startWorker(service, { engine, work, assets, logs, tracer }, pool);
  keyed?.runDeployments({ engine, work, assets, logs, tracer });
  service.addReadiness(databaseReadiness(database, watch));
  const { follower } = app.get(AssetJobFollower);
  service.addReadiness({ name: 'missed job events', optional: true, check: () => follower.waitingFor() });
  if (hasLogs) {
    const ofLogs = app.get(LogJobFollower).follower;
    service.addReadiness({ name: 'job events missed by logs', optional: true, check: () => ofLogs.waitingFor() });
  }
  await service.serveOps();
  const gate = app.get(RequestGate);
  const accounts =
    keyed === null ? null : { keys: app.get<KeyCheck>(KEY_CHECK), names: app.get<AccountsPort>(ACCOUNTS_PORT) };
  const guard: RequestGate['guard'] = (request, reply) => gate.guard(request, reply);
  const taskCredits = keyed === null ? null : app.get<TaskCreditsPort>(TASK_CREDITS_PORT);
  const registry = await serveRegistry(service, app, { database, accounts, taskCredits, guard });
  if (keyed === null) serveAdminApiLate(service, registry);
  else await keyed.open(app, registry);
  return await listenForRequests(service, app, startFacts(service));
}
