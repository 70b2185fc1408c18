import { pino } from 'pino';
import type { DestinationStream, LogFn, Logger as PinoLogger } from 'pino';
import { contextOfLogLine } from './call-context.js';
import { isTerminalGone } from './stop-signals.js';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child' | 'isLevelEnabled'>;

const MAX_FIELD = 1024;
const MAX_STACK = 4 * MAX_FIELD;
/** Maximum depth of logged causes. */
const DEEPEST_CAUSE = 3;

/** A second safeguard behind the `Secret` class: fields with these names are never logged, at any depth. */
const SECRET_PATHS = [
  'authorization',
  'extra_data',
  'api_key_partner_org',
  'auth_token_partner_org',
  'password',
  'token',
];

/**
 * Logs one JSON object per line to standard error, with the request, trace and job of the work. Strings are cut at 1
 * KiB; JSON escapes control characters, so that no client can forge a line.
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
    standardError(),
  );
}

/** Without a reader, which is a closed terminal or pipe, the log is dropped: a lost log must not end the process. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true });
  let isGone = false;
  destination.on('error', (error) => {
    if (!isTerminalGone(error) && !('code' in error && error.code === 'EPIPE')) throw error;
    isGone = true;
  });
  return { write: (line) => void (isGone || destination.write(line)) };
}

/** Cuts messages and the values put into them. */
function capMessages(this: PinoLogger, args: Parameters<LogFn>, method: LogFn): void {
  const [fields, message] = args as unknown[];
  const given: unknown[] =
    typeof message === 'string' && !/no space left/i.test(message)
      ? [fields, message + noSpaceNote(fields), ...args.slice(2)]
      : [...args];
  method.apply(this, given.map((arg) => (typeof arg === 'string' ? cap(arg, MAX_FIELD) : arg)) as typeof args);
}

/** A full disk or an exhausted quota, as Node and PostgreSQL report it. */
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Names a full disk in the line itself, whatever failed. */
function noSpaceNote(fields: unknown): string {
  const error = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : null;
  for (let cause = error, depth = 0; cause instanceof Error && depth <= DEEPEST_CAUSE; cause = cause.cause, depth++) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (NO_SPACE.has(code))
      return code === '53100' ? ': no space left on the disk of the database' : ': no space left on the disk';
  }
  return '';
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
