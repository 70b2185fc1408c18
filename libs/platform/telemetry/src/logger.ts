import { pino } from 'pino';
import type { Logger as PinoLogger } from 'pino';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'isLevelEnabled'>;

const MAX_FIELD = 1024;

/** Second belt under the `Secret` class: fields of these names never leave, wherever they sit. */
const SECRET_PATHS = [
  'authorization',
  'extra_data',
  'api_key_partner_org',
  'auth_token_partner_org',
  'password',
  'token',
];

/**
 * One JSON object a line on standard error. Texts are capped at 1 KiB; JSON escapes control characters, so that no
 * client can forge a line.
 */
export function createLogger(level: string, bindings: Readonly<Record<string, string>> = {}): Logger {
  return pino(
    {
      level,
      base: bindings,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: capFields },
      redact: { paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

function capFields(fields: Record<string, unknown>): Record<string, unknown> {
  let capped = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value.length <= MAX_FIELD) continue;
    if (capped === fields) capped = { ...fields };
    capped[name] = `${value.slice(0, MAX_FIELD)}…`;
  }
  return capped;
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error).slice(0, MAX_FIELD) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return {
    type: name,
    message: message.slice(0, MAX_FIELD),
    code,
    stack: stack?.slice(0, 4 * MAX_FIELD),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
