import { join, resolve } from 'node:path';
import { DirectoryBlobStore, S3BlobStore } from '@heddle/platform-blob-store';
import type { BlobStore } from '@heddle/platform-blob-store';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '../settings/setting-kinds.js';

/** Where bytes lie: S3 where an endpoint is named, else the data folder. */
export async function openStore(service: ServiceProcess): Promise<BlobStore> {
  const { settings } = service;
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3AccessKey: accessKey, s3SecretKey: secretKey } = settings;
  if (endpoint === null) return await DirectoryBlobStore.open(join(resolve(settings.data), 'blobs'));
  if (bucket === null || accessKey === null || secretKey === null) {
    throw new SettingRefused(
      'HEDDLE_S3_ENDPOINT needs HEDDLE_S3_BUCKET, HEDDLE_S3_ACCESS_KEY and HEDDLE_S3_SECRET_KEY',
    );
  }
  const store = await S3BlobStore.open({
    endpoint,
    bucket,
    accessKey,
    secretKey,
    region: settings.s3Region,
    checksums: settings.s3Checksums,
    addressing: settings.s3PathStyle ? 'path' : 'host',
    ...(settings.s3PublicEndpoint === null ? {} : { publicEndpoint: settings.s3PublicEndpoint }),
  });
  service.readiness.push({
    name: 'blob store',
    check: () =>
      store.health().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
  });
  return store;
}
