/** The service did not answer: it is unreachable, broke off, or exceeded the call's deadline. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';

  /** `mayHaveActed`: false if the service certainly did not receive the call. */
  constructor(
    readonly service: string,
    reason: string,
    readonly mayHaveActed: boolean,
    cause?: unknown,
  ) {
    super(`the ${service} service did not answer: ${reason}`, { cause });
  }
}

/** The service refused the call itself: the caller is misconfigured, or its version does not fit. */
export class CallRefusedError extends Error {
  override readonly name = 'CallRefusedError';

  constructor(
    readonly service: string,
    /** 400, 401, 403, 404, 405 or 413. */
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(`the ${service} service refused the call: ${message}`);
  }
}

/** The service accepted the call and failed. `code` is the error's name if the service sends it, else `failed`. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';

  constructor(
    readonly service: string,
    readonly code: string,
    message: string,
  ) {
    super(`the ${service} service failed: ${message}`);
  }
}
