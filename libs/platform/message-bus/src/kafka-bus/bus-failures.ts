/**
 * The broker was reached and does not let this process in, or not do what it asked. Repeating does not help: somebody has to change a
 * setting. `subject` says which: `credentials` (SASL mechanism, user, password), `tls` (files, or whether TLS is used at all) or
 * `rights` (the access list of the brokers).
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

/** No broker answered in time. Whether a message that was being published arrived is open. */
export class BusUnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BusUnreachableError';
  }
}

/** A message that no broker would take however often it is sent: without key or id, or too large. */
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
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const MAX_CAUSES = 10;
const WRONG_CREDENTIALS = new Set(['SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE']);
const UNTRUSTED =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH)/;

/** The failure and its causes, outermost first. */
export function causesOf(failure: unknown): ClientFailure[] {
  const causes: ClientFailure[] = [];
  const open = [failure];
  while (open.length > 0 && causes.length < MAX_CAUSES) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || causes.includes(next)) continue;
    const cause = next as ClientFailure;
    causes.push(cause);
    open.push(cause.cause, ...(cause.errors ?? []));
  }
  return causes;
}

/** Whether one of the causes has this protocol error, such as `UNKNOWN_TOPIC_OR_PARTITION`. */
export function hasType(failure: unknown, ...types: readonly string[]): boolean {
  return causesOf(failure).some(({ type }) => type !== undefined && types.includes(type));
}

/** The refusal that a failure of the client stands for; undefined where trying again may help. */
export function refusalOf(failure: unknown): BusRefusedError | undefined {
  for (const { name, type, code, message = '' } of causesOf(failure)) {
    if (name === 'BusRefusedError') return failure as BusRefusedError;
    if (name === 'KafkaJSSASLAuthenticationError' || WRONG_CREDENTIALS.has(type ?? '')) {
      return new BusRefusedError('credentials', `Kafka refuses the credentials: ${message}`, { cause: failure });
    }
    if (typeof code === 'string' && UNTRUSTED.test(code)) {
      return new BusRefusedError('tls', `No TLS connection to Kafka comes about: ${message}`, { cause: failure });
    }
    if (type?.endsWith('_AUTHORIZATION_FAILED')) {
      return new BusRefusedError('rights', `Kafka does not let this user do that: ${message}`, { cause: failure });
    }
  }
  return undefined;
}

/** A broker that takes the connection and closes it on the first request: it speaks TLS or SASL, and this process does not, or the other way round. */
export function isHungUp(failure: unknown): boolean {
  return causesOf(failure).some(
    ({ name, code, message = '' }) =>
      name === 'KafkaJSConnectionClosedError' ||
      code === 'ECONNRESET' ||
      /closed by the server|socket disconnected/.test(message),
  );
}

/** One line about a failure; of several at once, each once. */
export function reasonOf(failure: unknown): string {
  const [outer] = causesOf(failure);
  if (!outer?.errors?.length) return outer?.message ?? String(failure);
  return [...new Set(outer.errors.map((one) => (one as ClientFailure).message))].join('; ');
}
