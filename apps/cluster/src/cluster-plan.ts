import { join } from 'node:path';
import { serviceEnvironment } from '@heddle/composition';
import type { WorkerPool } from '@heddle/contracts-messages';
import { freePort } from '@heddle/platform-database';
import type { Infrastructure } from './infrastructure.js';
import { SERVICES } from './replicas.js';
import type { Replicas, ServiceName } from './replicas.js';
import type { ProcessPlan } from './supervise/supervised-process.js';
import type { TokenIssuer } from './token-issuer.js';

export interface PlannedProcess extends ProcessPlan {
  readonly service: ServiceName;
  readonly apiPort: number | null;
  readonly opsPort: number;
}

export interface ClusterPlanOptions {
  readonly replicas: Replicas;
  readonly infrastructure: Infrastructure;
  readonly logDir: string;
  /** Folder of checkpoints outside the database, unless the environment names another. */
  readonly checkpoints: string;
  /** How long a stop of a process may take. */
  readonly stopMs: number;
  readonly tokens: Pick<TokenIssuer, 'publicKey' | 'fileOf'>;
  /** The pool of the workers, in their tokens; null: the tokens name no deployment. */
  readonly workerPool: WorkerPool | null;
  /** The launcher's environment, settings included: each process gets the part that its service reads. */
  readonly env: Readonly<Record<string, string>>;
  /** The operator's public keys (PEM), trusted beside the launcher's; null: none. */
  readonly trustedKeys: string | null;
  /** File of the keys that seal partner credentials; null: the surface stores none. */
  readonly credentialKeys: string | null;
  /** Files of the registry, the same for all of its replicas, and its folder for uploads that are not judged yet. */
  readonly registry: { readonly data: string; readonly pepper: string; readonly signingKeys: string };
  /** Of gateways that serve accounts; null: the self-hosted surface. */
  readonly keyed: KeyedGateways | null;
  /** What calls of the admin API carry, which gateways serve. */
  readonly adminToken: string;
  /** Port of a single gateway; several have their own ports behind the round-robin. */
  readonly port: number;
  /** Hosts that requests may name (`answeredHosts`): gateways behind the round-robin listen only on loopback. */
  readonly hosts: readonly string[];
  /** The port that callers of this port are given, if a proxy is in between. */
  calledAt?(service: ServiceName, callsPort: number): Promise<number>;
}

/** What gateways of the managed and the dedicated surface share. */
export interface KeyedGateways {
  /** File of the pepper of keys. */
  readonly pepper: string;
}

export interface ClusterPlan {
  readonly processes: readonly PlannedProcess[];
  /** Plans one more worker, of the pool of a deployment. */
  worker(name: string, pool: WorkerPool): Promise<PlannedProcess>;
}

interface CalledPort {
  readonly port: number;
  readonly calledAt: number;
}

interface PlacedProcess {
  readonly service: ServiceName;
  readonly name: string;
  readonly callsPort: number;
  /** The port that callers use; differs from `callsPort` behind a proxy. */
  readonly calledAt: number;
  readonly opsPort: number;
  readonly apiPort: number | null;
  /** Null: a service that makes no calls. */
  readonly tokenFile: string | null;
  /** For the jobs service: its port for workers, and the port that workers are given. */
  readonly work: CalledPort | null;
  /** For the assets service: its port for bytes, and the port that callers are given. */
  readonly bytes: CalledPort | null;
}

/**
 * Plans the processes and their environments: each gets its own database role, its own token, and nothing that another
 * one needs.
 */
export async function planCluster(options: ClusterPlanOptions): Promise<ClusterPlan> {
  const { replicas, infrastructure } = options;
  const names = SERVICES.flatMap((service) =>
    Array.from({ length: replicas[service] }, (_, index) => ({ service, name: `${service}-${index + 1}` })),
  );
  const processes: PlacedProcess[] = [];
  for (const { service, name } of names) processes.push(await placed(options, service, name));
  const urlsOf = (service: ServiceName): string =>
    processes
      .filter((one) => one.service === service)
      .map(({ calledAt }) => `http://127.0.0.1:${calledAt}`)
      .join(',');
  const portUrls = (kind: 'work' | 'bytes'): string =>
    processes.flatMap((one) => (one[kind] === null ? [] : [`http://127.0.0.1:${one[kind].calledAt}`])).join(',');
  const planned = ({
    service,
    name,
    callsPort,
    calledAt,
    opsPort,
    apiPort,
    tokenFile,
    work,
    bytes,
  }: PlacedProcess): PlannedProcess => ({
    name,
    service,
    apiPort,
    opsPort,
    callsPort: isCalled(service) ? callsPort : null,
    port: apiPort ?? work?.port ?? null,
    program: service,
    stopMs: options.stopMs,
    logFile: join(options.logDir, `${name}.log`),
    env: withOperatorSettings(service, options.env, {
      HEDDLE_OPS_PORT: String(opsPort),
      ...(isCalled(service) ? { HEDDLE_CALLS_PORT: String(callsPort) } : {}),
      ...(calledAt === callsPort ? {} : { HEDDLE_CALLS_ADDRESS: `http://127.0.0.1:${calledAt}` }),
      ...tokenSettings(service, options),
      ...(tokenFile === null ? {} : { HEDDLE_SERVICE_TOKEN_FILE: tokenFile }),
      ...(service === 'worker' ? { HEDDLE_WORK_URLS: portUrls('work') } : {}),
      ...(bytes === null ? {} : { HEDDLE_BYTES_PORT: String(bytes.port) }),
      ...(work === null ? {} : { HEDDLE_WORK_PORT: String(work.port) }),
      ...(service === 'jobs' ? { HEDDLE_CHECKPOINTS: options.env['HEDDLE_CHECKPOINTS'] || options.checkpoints } : {}),
      ...(service === 'jobs' && options.credentialKeys !== null
        ? { HEDDLE_CREDENTIAL_KEYS: options.credentialKeys }
        : {}),
      ...(service === 'worker' || service === 'validation'
        ? {}
        : { HEDDLE_KAFKA_BROKERS: infrastructure.brokers.join(',') }),
      ...(apiPort === null
        ? {}
        : { [service === 'registry' ? 'HEDDLE_REGISTRY_PORT' : 'HEDDLE_PORT']: String(apiPort) }),
      ...(service === 'registry' ? registrySettings(options) : {}),
      ...(service === 'gateway' && replicas.gateway > 1
        ? { HEDDLE_HOST: '127.0.0.1', HEDDLE_ALLOWED_HOSTS: options.hosts.join(',') }
        : {}),
      ...(service === 'gateway' ? { ...keyedSettings(options), HEDDLE_ADMIN_TOKEN: options.adminToken } : {}),
      ...(service === 'gateway' ? { HEDDLE_VALIDATION_URLS: urlsOf('validation') } : {}),
      ...(service === 'gateway' || service === 'validation' ? { HEDDLE_REGISTRY_URLS: urlsOf('registry') } : {}),
      ...(callsJobs(service, options) ? { HEDDLE_JOBS_URLS: urlsOf('jobs') } : {}),
      ...(service === 'gateway' || service === 'worker'
        ? {
            HEDDLE_ASSETS_URLS: urlsOf('assets'),
            HEDDLE_ASSETS_BYTES_URLS: portUrls('bytes'),
            HEDDLE_LOGS_URLS: urlsOf('logs'),
          }
        : {}),
      ...(service === 'jobs' || service === 'logs'
        ? { HEDDLE_DATABASE_URL: infrastructure.databaseUrls[service] }
        : {}),
      ...(service === 'jobs' && options.keyed !== null
        ? { HEDDLE_DEPLOYMENTS_DATABASE_URL: infrastructure.databaseUrls.deployments }
        : {}),
      ...(service === 'assets'
        ? {
            HEDDLE_DATABASE_URL: infrastructure.databaseUrls.assets,
            ...s3Env(infrastructure),
          }
        : {}),
    }),
  });
  const worker = async (name: string, pool: WorkerPool): Promise<PlannedProcess> =>
    planned(await placed(options, 'worker', name, pool));
  return { processes: processes.map(planned), worker };
}

async function placed(
  options: ClusterPlanOptions,
  service: ServiceName,
  name: string,
  pool = service === 'worker' ? options.workerPool : null,
): Promise<PlacedProcess> {
  const [callsPort, opsPort] = [await freePort(), await freePort()];
  const apiPort = await apiPortOf(options, service);
  const calledAt = (await options.calledAt?.(service, callsPort)) ?? callsPort;
  const work = service === 'jobs' ? await calledPort(options, service) : null;
  const bytes = service === 'assets' ? await calledPort(options, service) : null;
  const tokenFile = calls(service, options) ? await options.tokens.fileOf(name, service, pool) : null;
  return { service, name, callsPort, calledAt, opsPort, apiPort, tokenFile, work, bytes };
}

/** Several replicas have ports of their own; those of gateways are behind the round-robin. */
async function apiPortOf({ replicas, port, env }: ClusterPlanOptions, service: ServiceName): Promise<number | null> {
  if (service !== 'gateway' && service !== 'registry') return null;
  const given = service === 'gateway' ? port : Number(env['HEDDLE_REGISTRY_PORT'] ?? 0);
  return replicas[service] === 1 && given !== 0 ? given : await freePort();
}

/** Only for the launcher: its services have their own database roles and tokens. */
const OF_THE_LAUNCHER = [
  'HEDDLE_DATABASE_URL',
  'HEDDLE_ACCOUNTS_DATABASE_URL',
  'HEDDLE_DEPLOYMENTS_DATABASE_URL',
  'HEDDLE_SERVICE_TOKEN',
];

/** What the launcher gives, and the operator's other settings: a value and its file would exclude each other. */
function withOperatorSettings(
  service: ServiceName,
  env: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const taken = new Set([...OF_THE_LAUNCHER, ...Object.keys(given)]);
  const own = Object.entries(serviceEnvironment(service, env));
  return { ...Object.fromEntries(own.filter(([name]) => !taken.has(name.replace(/_FILE$/, '')))), ...given };
}

function keyedSettings({ keyed, infrastructure }: ClusterPlanOptions): Record<string, string> {
  if (keyed === null) return {};
  return {
    HEDDLE_DATABASE_URL: infrastructure.databaseUrls.accounts,
    HEDDLE_KEY_PEPPER: keyed.pepper,
  };
}

function registrySettings({ keyed, infrastructure, registry }: ClusterPlanOptions): Record<string, string> {
  const { databaseUrls } = infrastructure;
  return {
    ...s3Env(infrastructure),
    HEDDLE_DATABASE_URL: databaseUrls.registry,
    HEDDLE_DATA: registry.data,
    HEDDLE_KEY_PEPPER: registry.pepper,
    HEDDLE_REGISTRY_SIGNING_KEYS: registry.signingKeys,
    ...(keyed === null ? {} : { HEDDLE_ACCOUNTS_DATABASE_URL: databaseUrls.accounts }),
  };
}

/** The registry calls for the credits of tasks alone. */
function calls(service: ServiceName, { keyed }: Pick<ClusterPlanOptions, 'keyed'>): boolean {
  return service !== 'registry' || keyed !== null;
}

/**
 * Workers reach it by HEDDLE_WORK_URLS; replicas of the jobs service find one another in the database. The validation
 * service asks it for catalogues of pinned environments alone.
 */
function callsJobs(service: ServiceName, options: Pick<ClusterPlanOptions, 'keyed'>): boolean {
  if (service === 'validation') return options.keyed !== null;
  return service !== 'jobs' && service !== 'worker' && calls(service, options);
}

function isCalled(service: ServiceName): boolean {
  return service !== 'gateway' && service !== 'worker';
}

/** Trusted keys: the launcher's, and those that the operator names for other processes. */
function tokenSettings(service: ServiceName, { tokens, trustedKeys, env }: ClusterPlanOptions): Record<string, string> {
  if (!isCalled(service)) return {};
  return {
    HEDDLE_SERVICE_PUBLIC_KEY: [tokens.publicKey, trustedKeys ?? ''].join('\n').trim(),
    // Every token here is issued by this version.
    HEDDLE_SERVICE_TOKEN_AUDIENCE: env['HEDDLE_SERVICE_TOKEN_AUDIENCE'] || 'required',
  };
}

async function calledPort({ calledAt }: ClusterPlanOptions, service: ServiceName): Promise<CalledPort> {
  const port = await freePort();
  return { port, calledAt: (await calledAt?.(service, port)) ?? port };
}

function s3Env({ s3 }: Infrastructure): Record<string, string> {
  return {
    HEDDLE_S3_ENDPOINT: s3.endpoint,
    HEDDLE_S3_BUCKET: s3.bucket,
    HEDDLE_S3_ACCESS_KEY: s3.accessKey,
    HEDDLE_S3_SECRET_KEY: s3.secretKey,
  };
}
