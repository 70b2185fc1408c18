import { join, resolve } from 'node:path';
import type { ServiceProcess } from '../process/service-process.js';
import type { WrittenFolder } from './disk-room.js';

/** In the data folder. */
export const REGISTRY_BLOBS = 'registry-blobs';
const UPLOADS = 'registry-uploads';

/** Where the registry writes uploads before they are judged. */
export function registryUploads(data: string): string {
  return join(resolve(data), UPLOADS);
}

/** Folders that the registry writes to. */
export function registryFolders({
  data,
  s3Endpoint,
}: Pick<ServiceProcess['settings'], 'data' | 's3Endpoint'>): readonly WrittenFolder[] {
  const blobs = { name: REGISTRY_BLOBS, path: join(resolve(data), REGISTRY_BLOBS) };
  return [{ name: UPLOADS, path: registryUploads(data) }, ...(s3Endpoint === null ? [blobs] : [])];
}
