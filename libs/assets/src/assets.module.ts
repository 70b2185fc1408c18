import type { Readable } from 'node:stream';
import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import {
  accepted,
  ASSETS_PORT,
  holderOfOwn,
  LEASE_AUTHORITY_PORT,
  MODERATION_PORT,
  STORAGE_PORT,
  WORKER_ASSETS_PORT,
} from '@heddle/contracts-messages';
import type {
  Answer,
  AssetsPort,
  AssetView,
  LeaseAuthorityPort,
  MintedAsset,
  ModerationPort,
  Principal,
  WorkerAssetsPort,
} from '@heddle/contracts-messages';
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
import { CheckHashHandler } from './check-hash/check-hash.handler.js';
import { CommitOutputHandler } from './commit-output/commit-output.handler.js';
import { DeleteAssetHandler } from './delete-asset/delete-asset.handler.js';
import { AssetExpirer } from './expire-assets/asset-expirer.js';
import { SilentJobs } from './expire-assets/silent-jobs.js';
import { OrphanFinder } from './find-orphans/orphan-finder.js';
import { AssetJobFollower } from './follow-jobs/asset-job-follower.js';
import { FollowJobsHandler } from './follow-jobs/follow-jobs.handler.js';
import { JobMessagesController } from './follow-jobs/job-messages.controller.js';
import { GetAssetHandler } from './get-asset/get-asset.handler.js';
import { FindNearNamesHandler } from './find-near-names/find-near-names.handler.js';
import { HoldAssetsHandler } from './hold-assets/hold-assets.handler.js';
import { MaintenanceRound } from './maintenance/maintenance-round.js';
import { MaintenanceLoop } from './maintenance/maintenance-loop.js';
import { MintFromHashHandler } from './mint-from-hash/mint-from-hash.handler.js';
import { ModerateHashHandler } from './moderate-hash/moderate-hash.handler.js';
import { VerdictWriter } from './moderate-hash/verdict-writer.js';
import { BlockedMover } from './move-blocked/blocked-mover.js';
import { EventRelay } from './publish-events/event-relay.js';
import { ReadContentHandler } from './read-content/read-content.handler.js';
import { ReadStoredHandler } from './read-stored/read-stored.handler.js';
import { HashScanner } from './scan-hashes/hash-scanner.js';
import { ScanQueue } from './scan-hashes/scan-queue.js';
import { BlobScrubber } from './scrub-blobs/blob-scrubber.js';
import { AssetReads } from './assets-database/asset-reads.js';
import { AssetUrls } from './sign-url/asset-urls.js';
import { UploadSweeper } from './sweep-uploads/upload-sweeper.js';
import { LimitStorageHandler } from './limit-storage/limit-storage.handler.js';
import { UploadAssetHandler } from './upload-asset/upload-asset.handler.js';

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

/** `open` streams the asset's bytes from the beginning. It must not throw. */
export type MintedListener = (asset: AssetView, open: () => Promise<Readable>) => Promise<void>;

const MINTED_LISTENER = Symbol('MintedListener');

const handlers = [
  UploadAssetHandler,
  MintFromHashHandler,
  CheckHashHandler,
  GetAssetHandler,
  DeleteAssetHandler,
  ReadContentHandler,
  HoldAssetsHandler,
  FindNearNamesHandler,
  ReadStoredHandler,
] as const;
type Handlers = [
  upload: UploadAssetHandler,
  mint: MintFromHashHandler,
  check: CheckHashHandler,
  get: GetAssetHandler,
  remove: DeleteAssetHandler,
  content: ReadContentHandler,
  holds: HoldAssetsHandler,
  nearNames: FindNearNamesHandler,
  stored: ReadStoredHandler,
];

const assetsPort = {
  provide: ASSETS_PORT,
  inject: [AssetsMetrics, MINTED_LISTENER, AssetUrls, ...handlers],
  useFactory: (
    metrics: AssetsMetrics,
    onMinted: MintedListener | null,
    urls: AssetUrls,
    ...[upload, mint, check, get, remove, content, holds, nearNames, stored]: Handlers
  ): AssetsPort => {
    const notify = notifyMinted(onMinted, content);
    const finished = async (principal: Principal, answer: Mint): Promise<Mint> => {
      const minted = await notify(principal, answer);
      if (!minted.ok) return minted;
      const { asset, created } = minted.value;
      return accepted({ asset: await urls.withUrl(principal, asset), created });
    };
    return {
      upload: async (principal, request) =>
        finished(principal, metrics.uploaded(await upload.handle(principal, request))),
      mintFromHash: async (principal, request) => finished(principal, await mint.handle(principal, request)),
      canMint: (principal, hash) => check.handle(principal, hash),
      get: (principal, assetId) => get.handle(principal, assetId),
      delete: (principal, assetId) => remove.handle(principal, assetId),
      content: (principal, assetId) => content.handle(principal, assetId),
      bytes: (principal, assetId, range) => content.bytes(principal, assetId, range),
      stored: (objectKey) => stored.handle(objectKey),
      storedBytes: (objectKey, range) => stored.bytes(objectKey, range),
      missing: (principal, assetIds) => holds.missing(principal, assetIds),
      hold: (principal, jobId, wanted) => holds.handle(principal, jobId, wanted),
      nearNames: (principal, name) => nearNames.handle(principal, name),
      releaseHolds: (jobId) => holds.release(jobId),
    };
  },
};

type Mint = Answer<MintedAsset>;

/** Passes each new asset to the listener before its answer is sent. */
function notifyMinted(
  onMinted: MintedListener | null,
  content: ReadContentHandler,
): (principal: Principal, answer: Mint) => Promise<Mint> {
  return async (principal, answer) => {
    if (onMinted === null || !answer.ok) return answer;
    const { asset } = answer.value;
    await onMinted(asset, async () => {
      const found = await content.bytes(principal, asset.id);
      if (!found.ok) throw new Error(`asset ${asset.id} was deleted while it was read`);
      return found.value;
    });
    return answer;
  };
}

const workerAssetsPort = {
  provide: WORKER_ASSETS_PORT,
  inject: [AssetsMetrics, LEASE_AUTHORITY_PORT, CommitOutputHandler],
  useFactory: (
    metrics: AssetsMetrics,
    authority: LeaseAuthorityPort,
    outputs: CommitOutputHandler,
  ): WorkerAssetsPort => ({
    openInput: async (lease, assetId) => await outputs.openInput(lease, await holderOfOwn(authority, lease), assetId),
    blockedInputs: async (lease) => await outputs.blockedInputs(lease, await holderOfOwn(authority, lease)),
    commitOutput: async (lease, output) =>
      metrics.stored(await outputs.handle(lease, await holderOfOwn(authority, lease), output)),
  }),
};

const moderationPort = {
  provide: MODERATION_PORT,
  inject: [ModerateHashHandler],
  useFactory: (moderate: ModerateHashHandler): ModerationPort => ({
    decide: (hash, decision) => moderate.handle(hash, decision),
    verdict: (hash) => moderate.verdict(hash),
  }),
};

/** Asset records, blobs, holds, retention, collection and moderation verdicts. */
@Module({})
export class AssetsModule {
  static register(options: AssetsModuleOptions): DynamicModule {
    const bus = options.bus ?? null;
    const database = new AssetsDatabase(options.database.pool(ASSETS_ROLE), bus !== null);
    const settings = new AssetsSettings(options.settings);
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
        AssetUrls,
        ...handlers,
        CommitOutputHandler,
        FollowJobsHandler,
        { provide: MetricsRegistry, useValue: registry },
        AssetJobFollower,
        VerdictWriter,
        ModerateHashHandler,
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
        assetsPort,
        workerAssetsPort,
        moderationPort,
      ],
      exports: [ASSETS_PORT, WORKER_ASSETS_PORT, MODERATION_PORT, STORAGE_PORT],
    };
  }
}
