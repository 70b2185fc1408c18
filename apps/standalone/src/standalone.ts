import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { LEASES_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import type { LeasesPort, LiveItem, WorkerAssetsPort } from '@heddle/contracts-messages';
import { BuiltinEngine } from '@heddle/engine-builtin';
import { RequestGate, StreamSlots, STREAMED_BODIES } from '@heddle/gateway';
import { JOBS_MIGRATIONS } from '@heddle/jobs';
import { DirectoryBlobStore } from '@heddle/platform-blob-store';
import { migrate } from '@heddle/platform-database';
import { createHttpApplication, startOpsServer } from '@heddle/platform-http';
import { JobFeed, MemoryMessageBus, MessageBusStrategy } from '@heddle/platform-message-bus';
import { createLogger, createTracer, METRICS, MetricsRegistry } from '@heddle/platform-telemetry';
import type { Logger, Tracer } from '@heddle/platform-telemetry';
import { CatalogueHolder } from '@heddle/validation';
import { Worker } from '@heddle/worker';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openDatabase } from './open-database.js';
import { listening } from './listen.js';
import { observeProcess, requestObserver } from './observe.js';
import { readinessOf } from './readiness.js';
import { engineOptions, gatewaySettings, httpLimits, workerSettings } from './service-settings.js';
import type { Settings } from './settings/settings.js';
import { StandaloneModule } from './standalone.module.js';

/** A running Heddle: where it listens, and how it stops. */
export interface RunningStandalone {
  readonly url: string;
  stop(): Promise<void>;
}

/** Brings up everything in the order in which the parts need each other; what was started is stopped when a later part fails. */
export async function startStandalone(settings: Settings): Promise<RunningStandalone> {
  const logger = createLogger(settings.logLevel, { service: 'standalone' });
  // Node would print them as plain text between the log's lines.
  process.removeAllListeners('warning').on('warning', (warning) => logger.warn({ err: warning }, 'warning'));
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      await step().catch((error: unknown) => logger.error({ err: error }, 'a part did not stop cleanly'));
    }
  };
  try {
    return { url: await bringUp(settings, logger, undo), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function bringUp(settings: Settings, logger: Logger, undo: (() => Promise<unknown>)[]): Promise<string> {
  const metrics = new MetricsRegistry();
  observeProcess(metrics);
  const dataDir = resolve(settings.data);
  const { database, watch } = await openDatabase(settings, dataDir, logger, metrics);
  undo.push(() => database.close());
  await migrate(database, [JOBS_MIGRATIONS, ASSETS_MIGRATIONS]);
  const store = await DirectoryBlobStore.open(join(dataDir, 'blobs'));
  // The engine and its processes read this one from the environment, in one form.
  if (settings.testNodes) process.env['HEDDLE_TEST_NODES'] = '1';
  const engine = new BuiltinEngine(engineOptions(settings));
  undo.push(() => engine.close());
  const bus = new MemoryMessageBus({
    onDeadLetter: (letter) => logger.error({ ...letter, message: letter.message.id }, 'a message was given up'),
  });
  undo.push(() => bus.close());
  const feed = new JobFeed<LiveItem>((error, jobId) => logger.error({ err: error, jobId }, 'a live item failed'));

  const parts = { settings, database, store, bus, feed, metrics, logger };
  const tracer = await createTracer('heddle', process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
  if (tracer !== null) undo.push(() => tracer.close());
  const gate = new RequestGate(gatewaySettings(settings));
  const app = await createHttpApplication(StandaloneModule.register(parts), {
    limits: httpLimits(settings),
    logger,
    tracer,
    guard: (request, reply) => gate.guard(request, reply),
    admit: (request) => gate.admit(request),
    streamedBodies: STREAMED_BODIES,
    observe: requestObserver(metrics, logger),
  });
  undo.push(() => app.close());
  app.connectMicroservice({ strategy: new MessageBusStrategy(bus, 'standalone') });
  const catalogue = app.get(CatalogueHolder);
  catalogue.replace(Buffer.from(await engine.objectInfo()));
  await app.startAllMicroservices();
  await app.init();
  metrics.gauge(...METRICS.streamsOpen, () => app.get(StreamSlots).total);

  const worker = startWorker(app, { engine, bus, tracer }, settings);
  undo.push(() => worker.drain());
  const readiness = readinessOf(database, watch, catalogue);
  const { effectiveOpsPort: opsPort, port, host } = settings;
  const ops = await listening('HEDDLE_OPS_PORT', opsPort, () =>
    startOpsServer({ host: '127.0.0.1', port: opsPort, metrics, readiness }),
  );
  undo.push(() => closeServer(ops));
  await listening('HEDDLE_PORT', port, () => app.listen(port, host));
  return await app.getUrl();
}

function startWorker(
  app: NestFastifyApplication,
  { engine, bus, tracer }: { engine: BuiltinEngine; bus: MemoryMessageBus; tracer: Tracer | null },
  settings: Settings,
): Worker {
  const leases = app.get<LeasesPort>(LEASES_PORT);
  const assets = app.get<WorkerAssetsPort>(WORKER_ASSETS_PORT);
  const workerId = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const worker = new Worker({ engine, bus, leases, assets, tracer }, workerId, workerSettings(settings));
  worker.start();
  // Only a warm-up: a stop may end its processes before they are ready, and a run that needs one starts it anew.
  if (settings.workers > 0) void engine.prestart().catch(() => undefined);
  return worker;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}
