import type { S3BlobStoreOptions } from '@heddle/platform-blob-store';
import type { ExportPlace } from '@heddle/jobs-history/queries';
import type { CommandCall } from '../command-line/command.js';
import { failed, unreachable, wrongUsage } from '../failure.js';
import { progressOn } from '../terminal/work-progress.js';
import { inTemporaryFolder } from './temporary-folder.js';

const STORE = 's3://';
const BUCKET_AND_PREFIX = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[^/\p{Cc}]+)*)\/?$/u;

/** The Parquet files of each segment of a log. */
export type LogSegments = readonly (readonly string[])[];

export function isBucketPlace(named: string): boolean {
  return named.startsWith(STORE);
}

/**
 * Gives `use` the place of an export: a folder, or a prefix of a bucket, whose files are kept in a temporary folder while
 * they are used. What the store refuses becomes a failure that names the place.
 */
export async function withExportPlace<T>(
  { env }: Pick<CommandCall, 'env'>,
  named: string,
  use: (place: ExportPlace) => Promise<T>,
): Promise<T> {
  const { ExportBucket, ExportFolder } = await import('@heddle/jobs-history/queries');
  if (!isBucketPlace(named)) return await use(new ExportFolder(named));
  const options = await storeOptions(env, named);
  const name = `${STORE}${options.bucket}/${options.prefix}`.replace(/\/$/, '');
  const { BlobStoreRefusedError, BlobStoreUnavailableError, S3Objects } = await import('@heddle/platform-blob-store');
  try {
    return await inTemporaryFolder(async (folder) =>
      use(new ExportBucket(await S3Objects.open(options), name, folder)),
    );
  } catch (error) {
    if (error instanceof BlobStoreUnavailableError)
      throw unreachable(`${name}: ${error.message}`, 'run the command again when the store answers');
    if (error instanceof BlobStoreRefusedError)
      throw failed(`${name}: ${error.message}`, 'check the HEDDLE_S3_ settings');
    throw error;
  }
}

/** Gives `use` the files of an export, once they were compared with its manifest. */
export async function withExport<T>(
  call: CommandCall,
  from: string,
  signal: AbortSignal,
  use: (segments: LogSegments, name: string) => Promise<T>,
): Promise<T> {
  const { checkedManifest, segmentPaths } = await import('@heddle/jobs-history/queries');
  return await withExportPlace(call, from, async (place) => {
    const tell = progressOn(call.terminal);
    const onProgress = (progress: { readonly events: number; readonly total: number }): void =>
      tell({ phase: 'check', ...progress });
    const manifest = await checkedManifest(place, { signal, onProgress });
    call.terminal.erase();
    return await use(segmentPaths(place, manifest), place.name);
  });
}

async function storeOptions(
  env: CommandCall['env'],
  named: string,
): Promise<S3BlobStoreOptions & { readonly prefix: string }> {
  const [, bucket, path] = BUCKET_AND_PREFIX.exec(named) ?? [];
  if (bucket === undefined || path === undefined)
    throw wrongUsage(`"${named}" is not a place in a bucket`, 'for example s3://bucket/history');
  const [{ readS3Connection }, { SettingRefused }] = await Promise.all([
    import('@heddle/composition/s3-connection'),
    import('@heddle/platform-settings'),
  ]);
  try {
    const connection = readS3Connection(env);
    if (connection !== null) return { ...connection, bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
  } catch (error) {
    throw error instanceof SettingRefused ? wrongUsage(error.message) : error;
  }
  throw wrongUsage(
    `${named} needs HEDDLE_S3_ENDPOINT, HEDDLE_S3_ACCESS_KEY and HEDDLE_S3_SECRET_KEY`,
    'set those of the store; HEDDLE_S3_BUCKET is not read here',
  );
}
