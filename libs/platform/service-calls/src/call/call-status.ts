import { status } from '@grpc/grpc-js';
import type { Metadata } from '@grpc/grpc-js';
import { refusalStatusOf } from '../bytes/http-status.js';
import type { CallFailure } from '../call-failure.js';
import { CallFailedError, CallRefusedError, ServiceAwayError } from './call-errors.js';
import { ERROR_CODE } from '../serve/error-code.js';

interface EndedCall {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Matches statuses of calls that no handler has seen: grpc-js says so only in the text. */
const UNREACHED = /No connection established|no address of .* is known|Stream refused by server/;

/** Text of grpc-js for a message beyond the server's limit */
const TOO_LARGE = /larger than max/;

/** Maps a status to an error. Only the serving process sets an error code; proxies and grpc-js do not. */
export function errorOfStatus(service: string, { code, details, metadata }: EndedCall): Error {
  const [named] = metadata.get(ERROR_CODE);
  return errorOf(service, { status: code, code: named === undefined ? '' : String(named), message: details });
}

/** Maps the failure of one item of a batch to an error. */
export function errorOf(service: string, failure: CallFailure): Error {
  const { code, message } = failure;
  const refused = refusalStatusOf(failure.status);
  if (code === 'not_now') return new ServiceAwayError(service, message, false);
  if (refused !== undefined && (code !== '' || failure.status === status.UNIMPLEMENTED)) {
    return new CallRefusedError(service, refused, code === '' ? 'unknown_call' : code, message);
  }
  if (code !== '') return new CallFailedError(service, code, message);
  if (refused === 413 && TOO_LARGE.test(message)) return new CallRefusedError(service, refused, 'too_large', message);
  return new ServiceAwayError(service, `${status[failure.status]} ${message}`, !UNREACHED.test(message));
}
