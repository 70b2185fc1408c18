import { CallFailedError, CallRefusedError } from '../call/call-errors.js';

export { CallFailedError, CallRefusedError, ServiceAwayError } from '../call/call-errors.js';

/** One attempt came to nothing; whether another is made depends on what may have happened. */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';

  constructor(
    /** `unreached`: not a byte was taken. `busy`: refused unserved. `broken`: lost under way. `late`: no answer in time. */
    readonly kind: 'unreached' | 'busy' | 'broken' | 'late',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  get mayHaveActed(): boolean {
    return this.kind === 'broken' || this.kind === 'late';
  }
}

interface Told {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What a refusal means for its caller. */
export function errorOfRefusal(service: string, { status, code, message }: Told): Error {
  if (status === 503) return new AttemptFailed('busy', message);
  if (status === 504) return new AttemptFailed('late', message);
  if (status >= 500) return new CallFailedError(service, code, message);
  return new CallRefusedError(service, status, code, message);
}

/** The same of a whole answer; one that cannot be read is told by its status. */
export function errorOfAnswer(service: string, status: number, body: Buffer): Error {
  try {
    const { code, message } = (JSON.parse(body.toString()) as { error: { code: unknown; message: unknown } }).error;
    return errorOfRefusal(service, { status, code: String(code), message: String(message) });
  } catch {
    return errorOfRefusal(service, { status, code: 'failed', message: `it answered with the status ${status}` });
  }
}
