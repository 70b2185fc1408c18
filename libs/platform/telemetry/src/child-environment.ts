type Environment = Readonly<Record<string, string | undefined>>;

/** What Node, TLS, proxies, the locale, the time zone and telemetry read, and where programs and temporary files are. */
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
 * What every process that Heddle starts is given of its parent's environment, settings aside. Whatever else stands there,
 * such as the credentials of a shell, is nobody's business.
 */
export function systemEnvironment(env: Environment): Record<string, string> {
  return { ...systemWithoutTelemetry(env), ...pickEnvironment(env, (name) => name.startsWith('OTEL_')) };
}

/** The same for a program that sends no telemetry of Heddle: these settings may hold the token of a collector. */
export function systemWithoutTelemetry(env: Environment): Record<string, string> {
  return pickEnvironment(env, (name) => SYSTEM.has(name) || name.startsWith('LC_'));
}

/** The same with every setting of Heddle: for a process that holds all services. */
export function standaloneEnvironment(env: Environment): Record<string, string> {
  return { ...systemEnvironment(env), ...pickEnvironment(env, (name) => name.startsWith('HEDDLE_')) };
}

/** What the database's driver reads, such as PGPASSWORD and PGSSLROOTCERT: for a process that connects as the owner. */
export function databaseEnvironment(env: Environment): Record<string, string> {
  return pickEnvironment(env, (name) => name.startsWith('PG'));
}

/** The variables whose names are admitted. */
export function pickEnvironment(env: Environment, admits: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.filter(([name]) => admits(name)));
}
