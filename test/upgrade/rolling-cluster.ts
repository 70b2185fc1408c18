import { sign } from 'node:crypto';
import { join } from 'node:path';
import { PlainProgress, readReplicas, startCluster } from '@heddle/app-cluster';
import type { RunningCluster } from '@heddle/app-cluster';
import { readSettings } from '@heddle/composition';
import { prepareDatabase } from '@heddle/composition/prepare-cluster';
import { newServiceKeyPair } from '@heddle/platform-service-calls';
import { BuildProcess } from './build-process.ts';
import type { Build } from './builds.ts';
import type { UpgradePlace } from './upgrade-place.ts';

type Planned = RunningCluster['processes'][number]['plan'];

/** A cluster whose processes are replaced one by one; it begins with this build. */
export class RollingCluster {
  readonly #exchanged = new Map<string, BuildProcess>();

  private constructor(
    private readonly cluster: RunningCluster,
    private readonly signingKey: string,
  ) {}

  static async start({ env, ownerUrl, servers, dataDir, bucket }: UpgradePlace): Promise<RollingCluster> {
    const { roles } = await prepareDatabase(ownerUrl);
    const urlOf = (service: string): string => roles.find((role) => role.service === service)?.databaseUrl ?? '';
    const { HEDDLE_DATABASE_URL: _, ...own } = env;
    const operator = newServiceKeyPair();
    // As in a real upgrade: tokens of older versions name no audience.
    const rest = {
      ...own,
      HEDDLE_SERVICE_PUBLIC_KEY: operator.publicKey,
      HEDDLE_SERVICE_TOKEN_AUDIENCE: 'optional',
    };
    const cluster = await startCluster({
      settings: readSettings(rest),
      env: rest,
      replicas: readReplicas('jobs=2'),
      deployments: [],
      brokers: 1,
      dataDir,
      cacheDir: '',
      infrastructure: {
        databaseUrls: {
          jobs: urlOf('jobs'),
          assets: urlOf('assets'),
          logs: urlOf('logs'),
          accounts: '',
          deployments: '',
          registry: urlOf('registry'),
        },
        brokers: servers.brokers,
        s3: { ...servers.s3, bucket },
      },
      progress: new PlainProgress(() => undefined),
    });
    return new RollingCluster(cluster, operator.privateKey);
  }

  get names(): readonly string[] {
    return this.cluster.processes.map(({ plan }) => plan.name);
  }

  /** Stops a process in order, and starts the other build in its place; null: this build. */
  async exchange(name: string, build: Build | null): Promise<void> {
    const supervised = this.cluster.processes.find(({ plan }) => plan.name === name);
    if (supervised === undefined) throw new Error(`there is no process ${name}`);
    const before = this.#exchanged.get(name);
    if (before === undefined) await supervised.stop();
    else await before.stop();
    this.#exchanged.delete(name);
    if (build === null) return await supervised.start();
    this.#exchanged.set(name, await this.start(supervised.plan, build).ready());
  }

  /** Starts a process in the place of a stopped one; it may fail. */
  start({ program, env, logFile }: Pick<Planned, 'program' | 'env' | 'logFile'>, build: Build): BuildProcess {
    const { HEDDLE_SERVICE_TOKEN_FILE: _, ...rest } = env;
    const token = { HEDDLE_SERVICE_TOKEN: tokenWithoutAudience(this.signingKey, program) };
    return new BuildProcess(build, { program, env: { ...rest, ...token }, logFile });
  }

  plan(name: string): Planned {
    return this.cluster.processes.find(({ plan }) => plan.name === name)!.plan;
  }

  /** Freezes a process of this build during the work. */
  async whileFrozen(name: string, work: () => Promise<void>): Promise<void> {
    const frozen = this.cluster.processes.find(({ plan }) => plan.name === name);
    frozen?.freeze();
    try {
      await work();
    } finally {
      frozen?.resume();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#exchanged.values()].map(async (one) => await one.stop()));
    await this.cluster.stop();
  }
}

/** A token as versions before audiences issued it. */
function tokenWithoutAudience(signingKey: string, service: string): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ sub: service, exp })}`;
  return `${text}.${sign(null, Buffer.from(text), signingKey).toString('base64url')}`;
}

/**
 * Starts a build's cluster with its own launcher and migrations. Heartbeats are slow: on a busy machine too, the build
 * stops before it writes a format that the previous one cannot read.
 */
export async function launchCluster(build: Build, { env, logDir }: UpgradePlace): Promise<BuildProcess> {
  const words = ['--replicas', 'jobs=2'];
  return await new BuildProcess(build, {
    program: 'cluster',
    words,
    env: { ...env, HEDDLE_PEER_BEAT_S: '5' },
    logFile: join(logDir, 'launcher.log'),
  }).ready();
}
