import { join, resolve } from 'node:path';
import { errorMessage } from '@heddle/contracts-messages/error-message';
import { TargetSigner } from '@heddle/platform-blob-store';
import { SURFACES } from '@heddle/contracts-messages';
import { openKeyFile, readKeyFile, SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

type SignerSettings = Pick<Settings, 'surface' | 'signedUrlKeys' | 's3Endpoint' | 'data'>;

/** Whether answers of the surface hold signed URLs. */
function signsUrls(surface: Settings['surface']): boolean {
  return SURFACES[surface].content === 'redirect';
}

/** HMAC-SHA-256 takes keys of any length; shorter ones could be guessed. */
const LENGTH = { min: 16, max: 1_024 };

/** The file of keys that is made where no file is named. */
const MADE_FILE = 'signed-url-keys';

/** Signs and verifies URLs in a process that does both; null if no such URLs are given out. */
export async function openTargetSigner({
  surface,
  signedUrlKeys,
  s3Endpoint,
  data,
}: SignerSettings): Promise<TargetSigner | null> {
  if (!signsUrls(surface)) return null;
  if (signedUrlKeys !== null) return await signerOf(signedUrlKeys, readKeyFile);
  return s3Endpoint === null ? await signerOf(join(resolve(data), MADE_FILE), openKeyFile) : null;
}

/** Signs URLs in an assets service: its gateways must have the same file. Null if no such URLs are given out. */
export async function signerForStore({
  surface,
  signedUrlKeys,
  s3Endpoint,
}: Omit<SignerSettings, 'data'>): Promise<TargetSigner | null> {
  if (!signsUrls(surface) || s3Endpoint !== null) return null;
  if (signedUrlKeys === null) {
    throw new SettingRefused(
      'HEDDLE_SIGNED_URL_KEYS is needed without HEDDLE_S3_ENDPOINT: name one file for the assets service and the gateways',
    );
  }
  return await signerOf(signedUrlKeys, readKeyFile);
}

/** Verifies URLs in a gateway; null without a file: then every such URL is refused. */
export async function signerForGateway({
  surface,
  signedUrlKeys,
}: Pick<SignerSettings, 'surface' | 'signedUrlKeys'>): Promise<TargetSigner | null> {
  if (!signsUrls(surface) || signedUrlKeys === null) return null;
  return await signerOf(signedUrlKeys, readKeyFile);
}

async function signerOf(file: string, read: typeof readKeyFile): Promise<TargetSigner> {
  try {
    return new TargetSigner(await read(file, LENGTH));
  } catch (error) {
    const reason = errorMessage(error);
    throw new SettingRefused(`HEDDLE_SIGNED_URL_KEYS ${file} cannot be used: ${reason}`);
  }
}
