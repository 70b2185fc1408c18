import { Metadata, status } from '@grpc/grpc-js';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, RpcExceptionFilter } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import type { CallFailure } from '../call-failure.js';
import { DEPENDENCY_AWAY, ERROR_CODE } from './error-code.js';
import { servedCall } from './served-call.js';

/** Refuses the call with a gRPC status and an error code. */
export class RefusedCallError extends Error {
  override readonly name = 'RefusedCallError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The message of the caller is malformed. */
export class MalformedCallError extends Error {
  override readonly name = 'MalformedCallError';
  readonly status = status.INVALID_ARGUMENT;
  readonly code = 'malformed';
}

export interface FailureOptions {
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
  /** True if the handler failed because a dependency is unreachable: the caller may retry. */
  readonly isOutage?: (error: unknown) => boolean;
}

/** Errors whose names are sent to the caller, which handles them by name */
const NAMED_ERRORS: readonly string[] = ['ServiceAwayError', 'BlobStoreUnavailableError', 'OutputTooLargeError'];

/** Maps an error of a handler to a failure, and logs it once. */
export function failureOf(error: unknown, { logger, isOutage }: FailureOptions): CallFailure {
  if (error instanceof RefusedCallError || error instanceof MalformedCallError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (NAMED_ERRORS.includes(name)) return { status: status.INTERNAL, code: name, message };
  const { path, caller } = servedCall();
  const requestId = currentCallContext()?.requestId ?? '';
  const about = { call: path, request_id: requestId, caller: caller.service };
  if (isOutage?.(error) === true) {
    logger?.warn({ ...about, reason: message }, 'a call failed: a dependency is unreachable');
    const text = `a dependency of the service is unreachable; the request id is ${requestId}`;
    return { status: status.INTERNAL, code: DEPENDENCY_AWAY, message: text };
  }
  logger?.error({ err: error, ...about }, 'a call failed');
  return { status: status.INTERNAL, code: 'failed', message: `the call failed; the request id is ${requestId}` };
}

/** Answers every call whose handler throws */
@Catch()
export class CallFailures implements RpcExceptionFilter {
  constructor(private readonly options: FailureOptions) {}

  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    const { status: code, code: errorCode, message: details } = failureOf(error, this.options);
    const metadata = new Metadata();
    metadata.set(ERROR_CODE, errorCode);
    return throwError(() => ({ code, details, metadata }));
  }
}
