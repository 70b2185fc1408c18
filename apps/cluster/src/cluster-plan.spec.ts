import { newUuid } from '@heddle/contracts-messages';
import type { DeploymentId } from '@heddle/contracts-messages';
import { describe, expect, it } from 'vitest';
import { planCluster } from './cluster-plan.js';
import type { ClusterPlan, ClusterPlanOptions } from './cluster-plan.js';
import type { Infrastructure } from './infrastructure.js';
import type { Replicas } from './replicas.js';

const infrastructure: Infrastructure = {
  databaseUrls: {
    jobs: 'postgres://j',
    assets: 'postgres://a',
    logs: 'postgres://l',
    accounts: 'postgres://k',
    deployments: 'postgres://d',
    registry: 'postgres://r',
  },
  brokers: ['127.0.0.1:9092'],
  s3: { endpoint: 'http://127.0.0.1:9000', bucket: 'b', accessKey: 'k', secretKey: 's' },
};
const tokens = { publicKey: 'the launcher’s key', fileOf: (name: string) => Promise.resolve(`/tokens/${name}`) };
const one: Replicas = { validation: 1, assets: 1, logs: 1, jobs: 1, registry: 1, gateway: 1, worker: 1 };

function planned(changes: Partial<ClusterPlanOptions> = {}): Promise<ClusterPlan> {
  return planCluster({
    replicas: one,
    infrastructure,
    tokens,
    workerPool: null,
    registry: { data: '/registry', pepper: '/pepper', signingKeys: '/signing' },
    keyed: null,
    adminToken: 'token',
    credentialKeys: '/keys',
    trustedKeys: null,
    stopMs: 9_500,
    logDir: '/tmp',
    checkpoints: '/tmp/checkpoints',
    env: {},
    port: 8189,
    hosts: [],
    ...changes,
  });
}

async function environments(
  env: Record<string, string>,
  changes: Partial<ClusterPlanOptions> = {},
): Promise<Record<string, Record<string, string>>> {
  const { processes } = await planned({ ...changes, env });
  return Object.fromEntries(processes.map(({ service, env: own }) => [service, { ...own }]));
}

async function gateways(replicas: Partial<Replicas>): Promise<(string | undefined)[][]> {
  const { processes } = await planned({
    replicas: { ...one, ...replicas },
    env: { HEDDLE_HOST: '192.0.2.7' },
    hosts: ['heddle.lan', '192.0.2.7'],
  });
  const found = processes.filter(({ service }) => service === 'gateway');
  return found.map(({ env }) => [env['HEDDLE_HOST'], env['HEDDLE_ALLOWED_HOSTS']]);
}

describe('the plan of a cluster', () => {
  it('gives each process the settings of its service, and nothing else of the environment', async () => {
    const secrets = {
      HEDDLE_DATABASE_URL: 'postgres://owner',
      HEDDLE_STATIC_TOKEN: 'static',
      HEDDLE_S3_SECRET_KEY: 'of-the-operator',
      HEDDLE_SERVICE_TOKEN: 'of-the-operator',
      HEDDLE_SERVICE_TOKEN_FILE: '/of-the-operator',
      HEDDLE_KAFKA_SASL_PASSWORD: 'kafka',
      HEDDLE_CREDENTIAL_KEYS: '/of-the-operator',
      AWS_SECRET_ACCESS_KEY: 'of-the-shell',
    };
    const plan = await environments({ ...secrets, HEDDLE_LOG_LEVEL: 'debug', HEDDLE_LEASE_S: '7', TZ: 'UTC' });
    const whoHas = (name: string, value?: string): string[] =>
      Object.keys(plan).filter(
        (service) => plan[service]![name] !== undefined && (value ?? plan[service]![name]) === plan[service]![name],
      );
    expect(whoHas('HEDDLE_STATIC_TOKEN')).toEqual(['registry', 'gateway']);
    expect(whoHas('HEDDLE_DATABASE_URL', 'postgres://owner')).toEqual([]);
    expect(whoHas('HEDDLE_S3_SECRET_KEY')).toEqual(['assets', 'registry']);
    expect(whoHas('HEDDLE_S3_SECRET_KEY', 's')).toEqual(['assets', 'registry']);
    expect(whoHas('HEDDLE_SERVICE_TOKEN')).toEqual([]);
    expect(whoHas('HEDDLE_SERVICE_TOKEN_FILE', '/of-the-operator')).toEqual([]);
    expect(whoHas('HEDDLE_KAFKA_SASL_PASSWORD')).toEqual(['assets', 'logs', 'jobs', 'registry', 'gateway']);
    expect(whoHas('HEDDLE_CREDENTIAL_KEYS')).toEqual(['jobs']);
    expect(whoHas('HEDDLE_CREDENTIAL_KEYS', '/keys')).toEqual(['jobs']);
    expect(whoHas('AWS_SECRET_ACCESS_KEY')).toEqual([]);
    expect(whoHas('HEDDLE_CHECKPOINTS', '/tmp/checkpoints')).toEqual(['jobs']);
    expect(whoHas('HEDDLE_LEASE_S')).toEqual(['jobs']);
    for (const name of ['HEDDLE_LOG_LEVEL', 'TZ']) expect(whoHas(name)).toEqual(Object.keys(plan));
  });

  it('hands on the files of secrets that it does not give itself', async () => {
    const names = [
      'STATIC_TOKEN',
      'KAFKA_SASL_PASSWORD',
      'DATABASE_URL',
      'S3_SECRET_KEY',
      'ADMIN_TOKEN',
      'SERVICE_PUBLIC_KEY',
    ];
    const env = Object.fromEntries(names.map((name) => [`HEDDLE_${name}_FILE`, `/secrets/${name}`]));
    const plan = await environments(env, { keyed: { pepper: '/pepper' } });
    const held = names.map((name) => Object.keys(plan).filter((service) => `HEDDLE_${name}_FILE` in plan[service]!));
    expect(held).toEqual([['registry', 'gateway'], ['assets', 'logs', 'jobs', 'registry', 'gateway'], [], [], [], []]);
  });

  it('gives the role of deployments to jobs alone, and to no process of self-hosted', async () => {
    const env = { HEDDLE_DEPLOYMENTS_DATABASE_URL: 'of-the-operator' };
    const urls = async (keyed: ClusterPlanOptions['keyed']): Promise<(string | undefined)[][]> =>
      (await planned({ keyed, env })).processes.flatMap(({ service, env: own }) => {
        const url = own['HEDDLE_DEPLOYMENTS_DATABASE_URL'];
        return url === undefined ? [] : [[service, url]];
      });
    expect(await urls(null)).toEqual([]);
    expect(await urls({ pepper: '/pepper' })).toEqual([['jobs', 'postgres://d']]);
  });

  it('lets the validation service of keyed surfaces call the jobs service, and each the registry', async () => {
    const called = async (keyed: ClusterPlanOptions['keyed']): Promise<(string | undefined)[]> => {
      const { processes } = await planned({ keyed });
      const { env } = processes.find(({ service }) => service === 'validation')!;
      return [env['HEDDLE_SERVICE_TOKEN_FILE'], env['HEDDLE_JOBS_URLS'], env['HEDDLE_REGISTRY_URLS']];
    };
    const url = expect.stringMatching(/^http:/) as string;
    expect(await called(null)).toEqual(['/tokens/validation-1', undefined, url]);
    expect(await called({ pepper: '/pepper' })).toEqual(['/tokens/validation-1', url, url]);
  });

  it('lets the registry of keyed surfaces call the jobs service for the credits of tasks', async () => {
    const called = async (keyed: ClusterPlanOptions['keyed']): Promise<(string | undefined)[]> => {
      const { processes } = await planned({ keyed });
      const { env } = processes.find(({ service }) => service === 'registry')!;
      return [env['HEDDLE_SERVICE_TOKEN_FILE'], env['HEDDLE_JOBS_URLS']];
    };
    expect(await called(null)).toEqual([undefined, undefined]);
    expect(await called({ pepper: '/pepper' })).toEqual([
      '/tokens/registry-1',
      expect.stringMatching(/^http:/) as string,
    ]);
  });

  it('lets gateways of every surface call the registry for the admin API', async () => {
    for (const keyed of [null, { pepper: '/pepper' }]) {
      const { processes } = await planned({ keyed });
      const urls = processes
        .filter(({ service }) => service === 'registry')
        .map(({ callsPort }) => `http://127.0.0.1:${callsPort}`);
      const { env } = processes.find(({ service }) => service === 'gateway')!;
      expect([env['HEDDLE_REGISTRY_URLS'], env['HEDDLE_ADMIN_TOKEN']]).toEqual([urls.join(','), 'token']);
    }
  });

  it('gives callers the port of each assets process for bytes, which may be behind a proxy', async () => {
    const calledAt = (_: string, port: number): Promise<number> => Promise.resolve(port + 1);
    const { processes } = await planned({ replicas: { ...one, assets: 2 }, calledAt });
    const urls = processes
      .filter(({ service }) => service === 'assets')
      .map(({ env }) => `http://127.0.0.1:${Number(env['HEDDLE_BYTES_PORT']) + 1}`);
    expect(new Set(urls).size).toBe(2);
    for (const service of ['gateway', 'worker'])
      expect(processes.find((one) => one.service === service)?.env['HEDDLE_ASSETS_BYTES_URLS']).toBe(urls.join(','));
  });

  it('gives a worker of a deployment what a shared one has, with a token of its own pool', async () => {
    const pools = new Map<string, unknown>();
    const fileOf = (name: string, _: string, pool: unknown = null): Promise<string> => {
      pools.set(name, pool);
      return tokens.fileOf(name);
    };
    const plan = await planned({ tokens: { ...tokens, fileOf } });
    const pool = { deploymentId: newUuid() as DeploymentId, revision: 2 };
    const worker = await plan.worker('worker-alpha-r2-1', pool);
    const shared = plan.processes.find(({ service }) => service === 'worker')!;
    const own = { HEDDLE_SERVICE_TOKEN_FILE: '/tokens/worker-alpha-r2-1', HEDDLE_OPS_PORT: String(worker.opsPort) };
    expect(worker.env).toEqual({ ...shared.env, ...own });
    expect(worker.opsPort).not.toBe(shared.opsPort);
    expect([pools.get('worker-alpha-r2-1'), pools.get('worker-1')]).toEqual([pool, null]);
  });

  it('trusts the key of the operator beside its own, and tokens without an audience only when it is set to', async () => {
    const own = await environments({});
    expect(own['jobs']).toMatchObject({
      HEDDLE_SERVICE_PUBLIC_KEY: 'the launcher’s key',
      HEDDLE_SERVICE_TOKEN_AUDIENCE: 'required',
    });
    const both = await environments({ HEDDLE_SERVICE_TOKEN_AUDIENCE: 'optional' }, { trustedKeys: 'mine' });
    expect(both['jobs']).toMatchObject({
      HEDDLE_SERVICE_PUBLIC_KEY: 'the launcher’s key\nmine',
      HEDDLE_SERVICE_TOKEN_AUDIENCE: 'optional',
    });
  });

  it('lets its only gateway listen where the operator says', async () => {
    expect(await gateways({})).toEqual([['192.0.2.7', undefined]]);
  });

  it('keeps several gateways on loopback, behind the round-robin, which answer to the same hosts', async () => {
    const behind = ['127.0.0.1', 'heddle.lan,192.0.2.7'];
    expect(await gateways({ gateway: 2 })).toEqual([behind, behind]);
  });
});
