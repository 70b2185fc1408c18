import type { ProcessVariables } from './process-variables.js';

/**
 * Variables that Node, TLS, proxies, locale, time zone and telemetry read, and paths of programs and temporary files.
 */
const SYSTEM = new Set([
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'TZ',
  'LD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'UV_THREADPOOL_SIZE',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
]);

/**
 * The environment of every process that Heddle starts, settings aside. Everything else, such as credentials of a shell,
 * is not passed on.
 */
export function systemEnvironment(env: ProcessVariables): Record<string, string> {
  return { ...systemWithoutTelemetry(env), ...pickEnvironment(env, (name) => name.startsWith('OTEL_')) };
}

/** The same for a program that sends no telemetry of Heddle: these settings may hold a collector's token. */
export function systemWithoutTelemetry(env: ProcessVariables): Record<string, string> {
  return pickEnvironment(env, (name) => SYSTEM.has(name) || name.startsWith('LC_'));
}

/** The same with every setting of Heddle: for a process with all services. */
export function standaloneEnvironment(env: ProcessVariables): Record<string, string> {
  return { ...systemEnvironment(env), ...pickEnvironment(env, (name) => name.startsWith('HEDDLE_')) };
}

/**
 * Variables that the database driver reads, such as PGPASSWORD and PGSSLROOTCERT: for a process that connects as the
 * owner.
 */
export function databaseEnvironment(env: ProcessVariables): Record<string, string> {
  return pickEnvironment(env, (name) => name.startsWith('PG'));
}

/** The variables with admitted names. */
export function pickEnvironment(env: ProcessVariables, admits: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name]) => admits(name)));
}
