/** The other service did not answer: it cannot be reached, broke off, or took longer than the call's deadline. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError';

  /** `mayHaveActed`: it may have received the call; false when it certainly has not. */
  constructor(
    readonly service: string,
    reason: string,
    readonly mayHaveActed: boolean,
    cause?: unknown,
  ) {
    super(`the ${service} service did not answer: ${reason}`, { cause });
  }
}

/** The other service refused the call itself: whoever sent it is set up wrongly, or too new or too old for it. */
export class CallRefusedError extends Error {
  override readonly name = 'CallRefusedError';

  constructor(
    readonly service: string,
    /** 400, 401, 403, 404, 405 or 413 */
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(`the ${service} service refused the call: ${message}`);
  }
}

/** The other service took the call and failed. `code` is the name of its error where it tells it, else `failed`. */
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
