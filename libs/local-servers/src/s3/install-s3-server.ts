import { join } from 'node:path';
import { checkGoProgram, installGoProgram } from '../go-program.js';
import { S3_SERVER } from './s3-release.js';

/**
 * The path of the server's binary below `cacheDir/s3`, built there if it is missing: about three minutes once.
 * Concurrent processes wait for the one that builds. Rejects with GoProgramMissingError.
 */
export async function installS3Server(
  cacheDir: string,
  onProgress: (line: string) => void = () => undefined,
  signal?: AbortSignal,
): Promise<string> {
  return await installGoProgram(join(cacheDir, 's3'), S3_SERVER, onProgress, signal);
}

/** Rejects with GoProgramMissingError if `installS3Server` cannot work: nothing is built and Go does not run. */
export async function checkS3Server(cacheDir: string): Promise<void> {
  await checkGoProgram(join(cacheDir, 's3'), S3_SERVER);
}
