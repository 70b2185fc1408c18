import { errorMessage } from '@heddle/contracts-messages/error-message';
import { BlobStoreRefusedError, BlobStoreUnavailableError } from '../blob-store.js';
import { repeatCall } from './repeat-call.js';
import type { S3Calls } from './s3-calls.js';
import { isAway, s3Code } from './s3-failure.js';
import { withDeadline } from './s3-transport.js';

const MAKING_ATTEMPTS = 5;

/**
 * Checks the bucket, and creates it if it is missing and may be created. Rejects with a message that names the setting
 * to check: BlobStoreUnavailableError if nothing answers, otherwise BlobStoreRefusedError.
 */
export async function openBucket(calls: S3Calls): Promise<void> {
  try {
    await withDeadline(calls.settings.deadlines.callMs, null, () => lookInto(calls));
  } catch (error) {
    if (s3Code(error) !== 'NoSuchBucket') throw explained(calls, error, `${calls.settings.bucket} (HEDDLE_S3_BUCKET)`);
    await makeBucket(calls);
  }
}

/** The same for a bucket that somebody else made: it is never created, and no setting names it. */
export async function findBucket(calls: S3Calls): Promise<void> {
  try {
    await withDeadline(calls.settings.deadlines.callMs, null, () => lookInto(calls));
  } catch (error) {
    const { bucket, endpoint } = calls.settings;
    if (s3Code(error) !== 'NoSuchBucket') throw explained(calls, error, bucket);
    throw new BlobStoreRefusedError(`the S3 store at ${endpoint} has no bucket ${bucket}: create it`, { cause: error });
  }
}

/** Services that start together create it together, and a store may report busy to those a moment later. */
async function makeBucket({ client, settings }: S3Calls): Promise<void> {
  const { bucket, deadlines } = settings;
  const limits = { attempts: MAKING_ATTEMPTS, deadlineMs: deadlines.callMs };
  await repeatCall(limits, () => client.makeBucket(bucket)).catch((error: unknown) => {
    // Created by another process, or by our own attempt whose answer was lost.
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

/**
 * Lists below a name that no object has: every sweep needs this permission, and errors carry codes, which HEAD does not
 * return.
 */
export async function lookInto({ client, settings }: S3Calls): Promise<void> {
  await client.listObjectsV2(settings.bucket, `${settings.prefix}?`).toArray();
}

function explained({ settings }: S3Calls, error: unknown, bucket: string): Error {
  const { endpoint, region } = settings;
  const options = { cause: error };
  const reason = errorMessage(error);
  if (isAway(error)) {
    return new BlobStoreUnavailableError(`no S3 store answers at ${endpoint} (HEDDLE_S3_ENDPOINT): ${reason}`, options);
  }
  const code = s3Code(error);
  switch (code) {
    case undefined:
      return new BlobStoreRefusedError(
        `what answers at ${endpoint} (HEDDLE_S3_ENDPOINT) is not an S3 store: ${reason}`,
        options,
      );
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'MovedPermanently':
      return new BlobStoreRefusedError(
        `the bucket ${bucket} is not in the region ${region} (HEDDLE_S3_REGION): ${reason}`,
        options,
      );
    case 'AccessDenied':
      return new BlobStoreRefusedError(`HEDDLE_S3_ACCESS_KEY may not list the bucket ${bucket}: ${reason}`, options);
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
