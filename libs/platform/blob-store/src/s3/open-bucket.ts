import { BlobStoreRefusedError, BlobStoreUnavailableError } from '../blob-store.js';
import { repeatCall } from './repeat-call.js';
import type { S3Calls } from './s3-calls.js';
import { isAway, s3Code } from './s3-failure.js';
import { withDeadline } from './s3-transport.js';

const MAKING_ATTEMPTS = 5;

/**
 * Looks into the bucket, and makes it where it is not there and may be made. Rejects with a message that names the
 * setting to be looked at: BlobStoreUnavailableError where nobody answers, BlobStoreRefusedError otherwise.
 */
export async function openBucket(calls: S3Calls): Promise<void> {
  try {
    await withDeadline(calls.settings.deadlines.callMs, null, () => lookInto(calls));
  } catch (error) {
    if (s3Code(error) !== 'NoSuchBucket') throw explained(calls, error);
    await makeBucket(calls);
  }
}

/** Services that start together make it together, and a store may call itself busy to those that come a moment later. */
async function makeBucket({ client, settings }: S3Calls): Promise<void> {
  const { bucket, deadlines } = settings;
  const limits = { attempts: MAKING_ATTEMPTS, deadlineMs: deadlines.callMs };
  await repeatCall(limits, () => client.makeBucket(bucket)).catch((error: unknown) => {
    // Another process of ours was first, or an attempt of this one whose answer was lost.
    if (s3Code(error) === 'BucketAlreadyOwnedByYou') return;
    if (error instanceof BlobStoreUnavailableError) throw error;
    const refusal = error instanceof BlobStoreRefusedError ? error.cause : error;
    const code = s3Code(refusal) ?? String(refusal);
    throw new BlobStoreRefusedError(
      `the bucket ${bucket} (HEDDLE_S3_BUCKET) does not exist and could not be created (${code}): create it, or let HEDDLE_S3_ACCESS_KEY create it`,
      { cause: refusal },
    );
  });
}

/** Below a name that no object has: a right that every sweep needs, and errors with their codes, which HEAD does not give. */
export async function lookInto({ client, settings }: S3Calls): Promise<void> {
  await client.listObjectsV2(settings.bucket, `${settings.prefix}?`).toArray();
}

function explained({ settings }: S3Calls, error: unknown): Error {
  const { endpoint, bucket, region } = settings;
  const options = { cause: error };
  const reason = error instanceof Error ? error.message : String(error);
  if (isAway(error)) {
    return new BlobStoreUnavailableError(`no S3 store answers at ${endpoint} (HEDDLE_S3_ENDPOINT): ${reason}`, options);
  }
  const code = s3Code(error);
  switch (code) {
    case undefined:
      return new BlobStoreRefusedError(
        `what answers at ${endpoint} (HEDDLE_S3_ENDPOINT) is no S3 store: ${reason}`,
        options,
      );
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'MovedPermanently':
      return new BlobStoreRefusedError(
        `the bucket ${bucket} (HEDDLE_S3_BUCKET) is not in the region ${region} (HEDDLE_S3_REGION): ${reason}`,
        options,
      );
    case 'AccessDenied':
      return new BlobStoreRefusedError(
        `HEDDLE_S3_ACCESS_KEY may not list the bucket ${bucket} (HEDDLE_S3_BUCKET): ${reason}`,
        options,
      );
    case 'RequestTimeTooSkewed':
      return new BlobStoreRefusedError(
        `the clocks of this machine and of the S3 store differ too much: ${reason}`,
        options,
      );
    default:
      return new BlobStoreRefusedError(
        `the S3 store at ${endpoint} refuses HEDDLE_S3_ACCESS_KEY with HEDDLE_S3_SECRET_KEY (${code}): ${reason}`,
        options,
      );
  }
}
