import { causesOf } from '@heddle/platform-telemetry/causes';

/**
 * The broker was reached but refuses this process or its request. Retrying does not help: someone must change a
 * setting. `subject` says which: `credentials` (SASL mechanism, user, password), `tls` (files, or TLS on or off) or
 * `rights` (the brokers' ACLs).
 */
export class BusRefusedError extends Error {
  constructor(
    readonly subject: 'credentials' | 'tls' | 'rights',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'BusRefusedError';
  }
}

/** No broker answered in time. A message that was being published may have arrived. */
export class BusUnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BusUnreachableError';
  }
}

/** A message that no broker accepts: without key or id, or too large. */
export class UnpublishableMessageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnpublishableMessageError';
  }
}

interface ClientFailure {
  readonly name?: string;
  readonly message?: string;
  readonly type?: string;
  readonly code?: string | number;
  readonly errors?: readonly unknown[];
}

const WRONG_CREDENTIALS = new Set(['SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE']);
const UNTRUSTED =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH)/;

/** The failure and its causes, outermost first, with the fields that errors of the client may have. */
export function clientFailures(failure: unknown): readonly ClientFailure[] {
  return causesOf(failure);
}

/** True if one of the causes is this protocol error, such as `UNKNOWN_TOPIC_OR_PARTITION`. */
export function hasType(failure: unknown, ...types: readonly string[]): boolean {
  return clientFailures(failure).some(({ type }) => type !== undefined && types.includes(type));
}

/** The refusal behind a client failure; undefined if a retry may help. */
export function refusalOf(failure: unknown): BusRefusedError | undefined {
  for (const { name, type, code, message = '' } of clientFailures(failure)) {
    if (name === 'BusRefusedError') return failure as BusRefusedError;
    if (name === 'KafkaJSSASLAuthenticationError' || WRONG_CREDENTIALS.has(type ?? '')) {
      return new BusRefusedError('credentials', `Kafka refuses the credentials: ${message}`, { cause: failure });
    }
    if (typeof code === 'string' && UNTRUSTED.test(code)) {
      return new BusRefusedError('tls', `The TLS connection to Kafka failed: ${message}`, { cause: failure });
    }
    if (type?.endsWith('_AUTHORIZATION_FAILED')) {
      return new BusRefusedError('rights', `Kafka denies this user the operation: ${message}`, { cause: failure });
    }
  }
  return undefined;
}

/**
 * A broker that accepts the connection and closes it on the first request: TLS or SASL is on at one end and off at the
 * other.
 */
export function isHungUp(failure: unknown): boolean {
  return clientFailures(failure).some(
    ({ name, code, message = '' }) =>
      name === 'KafkaJSConnectionClosedError' ||
      code === 'ECONNRESET' ||
      /closed by the server|socket disconnected/.test(message),
  );
}

/** One line about a failure; repeated reasons appear once. */
export function reasonOf(failure: unknown): string {
  const [outer] = clientFailures(failure);
  if (!outer?.errors?.length) return outer?.message ?? String(failure);
  return [...new Set(outer.errors.map((one) => (one as ClientFailure).message))].join('; ');
}
