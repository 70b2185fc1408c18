import type { FactoryProvider, Provider } from '@nestjs/common';
import { ASSETS_PORT } from '@heddle/contracts-messages';
import type { AssetsPort } from '@heddle/contracts-messages';
import { AssetsMetrics } from '../assets-metrics.js';
import { CheckHashHandler } from '../check-hash/check-hash.handler.js';
import { DeleteAssetHandler } from '../delete-asset/delete-asset.handler.js';
import { FindNearNamesHandler } from '../find-near-names/find-near-names.handler.js';
import { GetAssetHandler } from '../get-asset/get-asset.handler.js';
import { HoldAssetsHandler } from '../hold-assets/hold-assets.handler.js';
import { MintFromHashHandler } from '../mint-from-hash/mint-from-hash.handler.js';
import { ReadContentHandler } from '../read-content/read-content.handler.js';
import { ReadStoredHandler } from '../read-stored/read-stored.handler.js';
import { AssetUrls } from '../sign-url/asset-urls.js';
import { UploadAssetHandler } from '../upload-asset/upload-asset.handler.js';
import { MintedAnnouncer } from './minted-announcer.js';

const HANDLERS = [
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
  asset: GetAssetHandler,
  removal: DeleteAssetHandler,
  content: ReadContentHandler,
  holds: HoldAssetsHandler,
  nearNames: FindNearNamesHandler,
  stored: ReadStoredHandler,
];

/** The calls of other services about assets, answered in this process: one handler per call. */
const port: FactoryProvider<AssetsPort> = {
  provide: ASSETS_PORT,
  inject: [AssetsMetrics, MintedAnnouncer, ...HANDLERS],
  useFactory: (
    metrics: AssetsMetrics,
    minted: MintedAnnouncer,
    ...[upload, mint, check, asset, removal, content, holds, nearNames, stored]: Handlers
  ): AssetsPort => ({
    upload: async (principal, request) =>
      minted.announced(principal, metrics.uploaded(await upload.handle(principal, request))),
    mintFromHash: async (principal, request) => minted.announced(principal, await mint.handle(principal, request)),
    canMint: (principal, hash) => check.handle(principal, hash),
    get: (principal, assetId) => asset.handle(principal, assetId),
    delete: (principal, assetId) => removal.handle(principal, assetId),
    content: (principal, assetId) => content.handle(principal, assetId),
    bytes: (principal, assetId, range) => content.bytes(principal, assetId, range),
    stored: (objectKey) => stored.handle(objectKey),
    storedBytes: (objectKey, range) => stored.bytes(objectKey, range),
    missing: (principal, assetIds) => holds.missing(principal, assetIds),
    hold: (principal, jobId, wanted) => holds.handle(principal, jobId, wanted),
    nearNames: (principal, name) => nearNames.handle(principal, name),
    releaseHolds: (jobId) => holds.release(jobId),
  }),
};

export const LOCAL_ASSETS: readonly Provider[] = [AssetUrls, MintedAnnouncer, ...HANDLERS, port];
