import { pino } from 'pino';
import type { LogFn, Logger as PinoLogger } from 'pino';
import { contextOfLogLine } from './call-context.js';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'isLevelEnabled'>;

const MAX_FIELD = 1024;
const MAX_STACK = 4 * MAX_FIELD;
/** Causes of causes that are told. */
const DEEPEST_CAUSE = 3;

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
 * One JSON object a line on standard error, with the request, trace and job that the work belongs to. Texts are capped at 1 KiB; JSON escapes control characters, so that no
 * client can forge a line.
 */
export function createLogger(level: string, bindings: Readonly<Record<string, string>> = {}): Logger {
  return pino(
    {
      level,
      base: bindings,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: contextOfLogLine,
      formatters: { level: (label) => ({ level: label }), log: capFields },
      redact: { paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: (error: unknown) => describeError(error, DEEPEST_CAUSE) },
      hooks: { logMethod: capMessages },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** Texts that are given as messages, and what is put into them. */
function capMessages(this: PinoLogger, args: Parameters<LogFn>, method: LogFn): void {
  method.apply(this, args.map((arg: unknown) => (typeof arg === 'string' ? cap(arg, MAX_FIELD) : arg)) as typeof args);
}

function cap(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function capFields(fields: Record<string, unknown>): Record<string, unknown> {
  let capped = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string' || value.length <= MAX_FIELD) continue;
    if (capped === fields) capped = { ...fields };
    capped[name] = cap(value, MAX_FIELD);
  }
  return capped;
}

function describeError(error: unknown, depth: number): object {
  if (!(error instanceof Error)) return { message: cap(String(error), MAX_FIELD) };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return {
    type: name,
    message: cap(message, MAX_FIELD),
    code,
    stack: stack === undefined ? undefined : cap(stack, MAX_STACK),
    ...(cause === undefined || depth === 0 ? {} : { cause: describeError(cause, depth - 1) }),
  };
}
