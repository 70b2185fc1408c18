import { Logger, Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { ASSETS_PORT, MODERATION_PORT, STORAGE_PORT, WORKER_ASSETS_PORT } from '@heddle/contracts-messages';
import { SweepClock } from '@heddle/platform-database';
import type { Database } from '@heddle/platform-database';
import type { MessageBus } from '@heddle/platform-message-bus';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { BLOB_STORE } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import { HashListFollower } from './apply-hash-list/hash-list-follower.js';
import { AssetsDatabase } from './assets-database/assets-database.js';
import { ASSETS_ROLE } from './assets-schema/assets-migrations.js';
import { AssetsMetrics } from './assets-metrics.js';
import { AssetsSettings } from './settings.js';
import { BlobCollector } from './collect-blobs/blob-collector.js';
import { ObjectRemover } from './collect-blobs/object-remover.js';
import { AssetExpirer } from './expire-assets/asset-expirer.js';
import { SilentJobs } from './expire-assets/silent-jobs.js';
import { OrphanFinder } from './find-orphans/orphan-finder.js';
import { AssetJobFollower } from './follow-jobs/asset-job-follower.js';
import { FollowJobsHandler } from './follow-jobs/follow-jobs.handler.js';
import { JobMessagesController } from './follow-jobs/job-messages.controller.js';
import { LOCAL_ASSETS } from './local-bindings/local-assets.js';
import { LOCAL_MODERATION } from './local-bindings/local-moderation.js';
import { LOCAL_WORKER_ASSETS } from './local-bindings/local-worker-assets.js';
import { MINTED_LISTENER, type MintedListener } from './local-bindings/minted-announcer.js';
import { MaintenanceRound } from './maintenance/maintenance-round.js';
import { MaintenanceLoop } from './maintenance/maintenance-loop.js';
import { VerdictWriter } from './moderate-hash/verdict-writer.js';
import { BlockedMover } from './move-blocked/blocked-mover.js';
import { EventRelay } from './publish-events/event-relay.js';
import { HashScanner } from './scan-hashes/hash-scanner.js';
import { ScanQueue } from './scan-hashes/scan-queue.js';
import { BlobScrubber } from './scrub-blobs/blob-scrubber.js';
import { AssetReads } from './assets-database/asset-reads.js';
import { UploadSweeper } from './sweep-uploads/upload-sweeper.js';
import { LimitStorageHandler } from './limit-storage/limit-storage.handler.js';

interface AssetsModuleOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly store: BlobStore;
  /** Modules that provide JOB_LOG_PORT and LEASE_AUTHORITY_PORT. */
  readonly imports: readonly (Type<unknown> | DynamicModule)[];
  readonly settings?: Partial<AssetsSettings>;
  /** Publishes asset events; without it none are recorded. */
  readonly bus?: MessageBus;
  readonly metrics?: MetricsRegistry;
  /** Called for each asset created by an upload or a mint, before the answer. */
  readonly onMinted?: MintedListener;
}

const JUMPED = 'the clock of the database jumped: sweeps wait until it is right, or has stayed where it is';

/** Asset records, blobs, holds, retention, collection and moderation verdicts. */
@Module({})
export class AssetsModule {
  static register(options: AssetsModuleOptions): DynamicModule {
    const bus = options.bus ?? null;
    const settings = new AssetsSettings(options.settings);
    const pool = options.database.pool(ASSETS_ROLE);
    const logger = new Logger(MaintenanceLoop.name);
    const onJump = (offMs: number): void => logger.warn({ message: JUMPED, offMs });
    const clock = new SweepClock(pool, onJump, settings.clockToleranceMs);
    const database = new AssetsDatabase(pool, bus !== null, clock);
    const registry = options.metrics ?? new MetricsRegistry();
    const metrics = new AssetsMetrics(registry);
    return {
      module: AssetsModule,
      imports: [...options.imports],
      controllers: [JobMessagesController],
      providers: [
        { provide: AssetsDatabase, useValue: database },
        { provide: AssetsSettings, useValue: settings },
        { provide: AssetsMetrics, useValue: metrics },
        { provide: EventRelay, useFactory: () => new EventRelay(bus, database, settings, metrics) },
        { provide: MINTED_LISTENER, useValue: options.onMinted ?? null },
        { provide: BLOB_STORE, useValue: options.store },
        AssetReads,
        ...LOCAL_ASSETS,
        ...LOCAL_WORKER_ASSETS,
        FollowJobsHandler,
        { provide: MetricsRegistry, useValue: registry },
        AssetJobFollower,
        VerdictWriter,
        ...LOCAL_MODERATION,
        LimitStorageHandler,
        { provide: STORAGE_PORT, useExisting: LimitStorageHandler },
        HashListFollower,
        ScanQueue,
        HashScanner,
        SilentJobs,
        AssetExpirer,
        UploadSweeper,
        BlobCollector,
        ObjectRemover,
        BlockedMover,
        BlobScrubber,
        OrphanFinder,
        MaintenanceRound,
        MaintenanceLoop,
      ],
      exports: [ASSETS_PORT, WORKER_ASSETS_PORT, MODERATION_PORT, STORAGE_PORT],
    };
  }
}
