import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import {
  BlobStoreRefusedError,
  BlobStoreUnavailableError,
  DirectoryBlobStore,
  S3BlobStore,
} from '@heddle/platform-blob-store';
import type { BlobStore, S3BlobStoreOptions, TargetSigner } from '@heddle/platform-blob-store';
import type { ServiceProcess } from '../process/service-process.js';
import { ObservedStore } from './observed-store.js';
import { s3Connection } from './s3-connection.js';

type StoreOpener = Pick<
  ServiceProcess,
  'settings' | 'logger' | 'metrics' | 'stopping' | 'addReadiness' | 'addRefusals'
>;

/** Where a context keeps its objects: a folder of the data folder, or a prefix of the bucket. */
interface StorePlace {
  readonly folder: string;
  readonly prefix: string;
  /** In `/readyz`. */
  readonly name: string;
}

const ASSETS: StorePlace = { folder: 'blobs', prefix: 'b/', name: 'blob store' };

/** The configured blob store: S3 if an endpoint is named, otherwise the data folder, whose URLs the signer signs. */
export async function openStore(
  service: StoreOpener,
  signer: TargetSigner | null = null,
  place: StorePlace = ASSETS,
): Promise<BlobStore> {
  service.addRefusals(BlobStoreRefusedError);
  return new ObservedStore(await reachableStore(service, signer, place), service.metrics);
}

async function reachableStore(
  service: StoreOpener,
  signer: TargetSigner | null,
  place: StorePlace,
): Promise<BlobStore> {
  const { settings } = service;
  if (settings.s3Endpoint === null)
    return await DirectoryBlobStore.open(join(resolve(settings.data), place.folder), signer);
  const [connection, bucket] = [s3Connection(settings), settings.s3Bucket];
  if (connection === null || bucket === null) throw new Error('the settings of the store are not read');
  return await reachStore(service, place.name, { ...connection, bucket, prefix: place.prefix });
}

const PAUSE_MS = 1_000;

/** Waits for an unreachable store, and reports it in `/readyz`; for one that refuses, waiting does not help. */
async function reachStore(service: StoreOpener, name: string, options: S3BlobStoreOptions): Promise<BlobStore> {
  let waiting: string | null = 'it was not reached yet';
  let store: S3BlobStore | null = null;
  const health = async (): Promise<string | null> =>
    store === null ? waiting : await store.health().then(() => null, errorMessage);
  service.addReadiness({ name, check: health });
  for (;;) {
    try {
      store = await S3BlobStore.open(options);
      return store;
    } catch (error) {
      if (!(error instanceof BlobStoreUnavailableError)) throw error;
      const why = errorMessage(error);
      if (why !== waiting) service.logger.warn({ why }, 'waiting for the blob store');
      waiting = why;
      await delay(PAUSE_MS, undefined, { signal: service.stopping });
    }
  }
}
