import { errorMessage } from '@heddle/contracts-messages/error-message';
import { BlobStoreRefusedError, BlobStoreUnavailableError } from '../blob-store.js';
import { S3BusyError } from './s3-transport.js';

const BUSY_CODES = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted']);
const REFUSING_CODES = new Set([
  'AccessDenied',
  'AllAccessDisabled',
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'NoSuchBucket',
  'PermanentRedirect',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
]);

/** The store's error code, such as `NoSuchKey`; undefined for other errors. */
export function s3Code(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Za-z]*[a-z][A-Za-z]*$/.test(code) ? code : undefined;
}

export function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(s3Code(error) ?? '');
}

/** True if the call may succeed later; it may also have been executed. */
export function isAway(error: unknown): boolean {
  if (error instanceof BlobStoreUnavailableError || error instanceof S3BusyError) return true;
  if (BUSY_CODES.has(s3Code(error) ?? '')) return true;
  return error instanceof Error && /^(E[A-Z]+|UND_ERR_.*)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

/** Maps an error to the port's errors: the store is unreachable, or refuses; other errors pass unchanged. */
export function portError(error: unknown): unknown {
  if (error instanceof BlobStoreUnavailableError || error instanceof BlobStoreRefusedError) return error;
  const reason = errorMessage(error);
  if (isAway(error)) return new BlobStoreUnavailableError(`the S3 store is unreachable: ${reason}`, { cause: error });
  const code = s3Code(error);
  if (code !== undefined && REFUSING_CODES.has(code)) {
    return new BlobStoreRefusedError(`the S3 store refuses (${code}): ${reason}`, { cause: error });
  }
  return error;
}
