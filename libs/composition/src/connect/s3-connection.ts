import type { S3BlobStoreOptions } from '@heddle/platform-blob-store';
import { readDeclared } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import { S3_SETTINGS } from '../settings/storage-settings.js';

type S3Connection = Omit<S3BlobStoreOptions, 'bucket' | 'prefix'>;

/** How the settings reach a store, whatever the bucket; null without an endpoint and its keys. */
export function s3Connection(settings: SettingValues<typeof S3_SETTINGS>): S3Connection | null {
  const { s3Endpoint: endpoint, s3AccessKey: accessKey, s3SecretKey: secretKey } = settings;
  if (endpoint === null || accessKey === null || secretKey === null) return null;
  return {
    endpoint,
    accessKey,
    secretKey,
    region: settings.s3Region,
    checksums: settings.s3Checksums,
    addressing: settings.s3PathStyle ? 'path' : 'host',
    ...(settings.s3PublicEndpoint === null ? {} : { publicEndpoint: settings.s3PublicEndpoint }),
  };
}

/** @throws SettingRefused */
export function readS3Connection(env: Readonly<Record<string, string | undefined>>): S3Connection | null {
  return s3Connection(readDeclared(S3_SETTINGS, env));
}
