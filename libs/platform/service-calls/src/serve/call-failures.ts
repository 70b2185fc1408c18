import { Metadata, status } from '@grpc/grpc-js';
import { currentCallContext } from '@heddle/platform-telemetry';
import type { Logger } from '@heddle/platform-telemetry';
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, RpcExceptionFilter } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { DEPENDENCY_AWAY, ERROR_CODE } from './error-code.js';
import { servedCall } from './served-call.js';

/** A call that its service refuses, with the status that says whose fault it is. */
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

/** What the caller sent is no such call. */
export class MalformedCallError extends RefusedCallError {
  constructor(message: string) {
    super(status.INVALID_ARGUMENT, 'malformed', message);
  }
}

export interface FailureOptions {
  readonly logger?: Pick<Logger, 'warn' | 'error'>;
  /** The handler failed because something that it needs is away: its caller may wait and try again. */
  readonly isOutage?: (error: unknown) => boolean;
}

/** How a call failed, as its caller is told. */
export interface CallFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Errors that are told to the caller by their names: it knows what they mean. */
const TOLD: readonly string[] = ['ServiceAwayError', 'BlobStoreUnavailableError', 'OutputTooLargeError'];

/** What became of a handler that threw; logged here, once. */
export function failureOf(error: unknown, { logger, isOutage }: FailureOptions): CallFailure {
  if (error instanceof RefusedCallError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (TOLD.includes(name)) return { status: status.INTERNAL, code: name, message };
  const { path, caller } = servedCall();
  const requestId = currentCallContext()?.requestId ?? '';
  const about = { call: path, request_id: requestId, caller: caller.service };
  if (isOutage?.(error) === true) {
    logger?.warn({ ...about, reason: message }, 'a call failed: what this service needs is away');
    const text = `what it needs is away; the request id is ${requestId}`;
    return { status: status.INTERNAL, code: DEPENDENCY_AWAY, message: text };
  }
  logger?.error({ err: error, ...about }, 'a call failed');
  return { status: status.INTERNAL, code: 'failed', message: `it failed there; the request id is ${requestId}` };
}

/** Answers every call whose handler throws. */
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
