import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answeredHosts, kafkaConnection, openAddressLines, topicWishes, urlOf } from '@heddle/composition';
import type { Settings } from '@heddle/composition';
import { freePort, withFreePorts } from '@heddle/platform-database';
import { ensureTopics } from '@heddle/platform-message-bus/kafka';
import { planCluster } from './cluster-plan.js';
import type { PlannedProcess } from './cluster-plan.js';
import { startInfrastructure } from './infrastructure.js';
import type { Infrastructure } from './infrastructure.js';
import type { Replicas, ServiceName } from './replicas.js';
import { RoundRobin } from './round-robin.js';
import { SupervisedProcess } from './supervised-process.js';
import { TokenIssuer } from './token-issuer.js';
import { Undo } from './undo.js';

export interface ClusterOptions {
  readonly settings: Settings;
  /** The launcher's environment, settings included: each process is given of it what its service reads. */
  readonly env: Readonly<Record<string, string>>;
  readonly replicas: Replicas;
  /** Kafka brokers of our own. */
  readonly brokers: number;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Runs on these instead of servers of its own; they stay when it stops. */
  readonly infrastructure?: Infrastructure;
  /** See `planCluster`. */
  calledAt?(service: ServiceName, callsPort: number): Promise<number>;
  progress(line: string): void;
}

export interface RunningCluster {
  readonly url: string;
  readonly infrastructure: Infrastructure;
  readonly processes: readonly SupervisedProcess<PlannedProcess>[];
  /** Everything in order; resolves with the exit codes of the services by the processes' names. */
  stop(): Promise<ReadonlyMap<string, number | null>>;
  /** `kill -9` of every service at once; servers stay. */
  kill(): Promise<void>;
}

/** Brings up servers, topics and services, in the order in which they need each other. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { settings } = options;
  const servers = new Undo(options.progress);
  try {
    const infrastructure = options.infrastructure ?? (await startInfrastructure(options));
    if (options.infrastructure === undefined) servers.add(() => infrastructure.stop());
    const connection = { ...kafkaConnection('heddle-cluster', settings), brokers: infrastructure.brokers };
    await ensureTopics(connection, topicWishes(settings));
    const given = settings.port === 0 ? [] : [settings.port];
    const services = await withFreePorts(given, async () => await startServices(options, infrastructure));
    const stop = async (): Promise<ReadonlyMap<string, number | null>> => {
      const codes = await services.stop();
      await servers.run();
      return codes;
    };
    const kill = async (): Promise<void> => {
      await Promise.all(services.processes.map(async (one) => await one.destroy()));
      await stop();
    };
    return { url: services.url, infrastructure, processes: services.processes, stop, kill };
  } catch (error) {
    await servers.run();
    throw error;
  }
}

type Services = Pick<RunningCluster, 'url' | 'processes' | 'stop'>;

async function startServices(options: ClusterOptions, infrastructure: Infrastructure): Promise<Services> {
  const { settings, replicas, dataDir, progress } = options;
  const undo = new Undo(progress);
  const codes = new Map<string, number | null>();
  const port = settings.port === 0 ? await freePort() : settings.port;
  const logDir = join(dataDir, 'logs');
  await mkdir(logDir, { recursive: true });
  const tokens = new TokenIssuer(join(dataDir, 'tokens'), settings.serviceTokenLife, (error) =>
    progress(`service tokens cannot be renewed: ${error instanceof Error ? error.message : String(error)}`),
  );
  undo.add(() => tokens.stop());
  const plan = await planCluster({
    replicas,
    tokens,
    infrastructure,
    logDir,
    checkpoints: join(dataDir, 'checkpoints'),
    env: options.env,
    port,
    hosts: answeredHosts(settings),
    ...(options.calledAt === undefined ? {} : { calledAt: options.calledAt }),
    onCrash: (name, how) =>
      progress(`${name} ended (${how}) and is started again; its log: ${join(logDir, `${name}.log`)}`),
  });
  const processes = plan.map((one) => new SupervisedProcess(one));
  const killAll = (): void => processes.forEach((one) => void one.destroy());
  process.once('exit', killAll);
  undo.add(() => process.off('exit', killAll));
  undo.add(() => stopInOrder(processes, codes));
  try {
    progress(`starting ${plan.map(({ name }) => name).join(', ')}`);
    await Promise.all(processes.map(async (one) => await one.start()));
    const ports = plan.flatMap(({ apiPort }) => (apiPort === null ? [] : [apiPort]));
    if (ports.length > 1) {
      const roundRobin = new RoundRobin(ports);
      await roundRobin.listen(port, settings.host);
      undo.add(() => roundRobin.close());
    }
  } catch (error) {
    await undo.run();
    throw error;
  }
  const stop = async (): Promise<typeof codes> => {
    await undo.run();
    return codes;
  };
  for (const line of openAddressLines(settings, port)) progress(line);
  return { url: urlOf(settings.host, port), processes, stop };
}

/** Whoever takes work from outside ends first, then the workers, then what these call. */
async function stopInOrder(processes: RunningCluster['processes'], codes: Map<string, number | null>): Promise<void> {
  for (const group of [['gateway'], ['worker'], ['jobs', 'assets', 'validation', 'logs']]) {
    const members = processes.filter(({ plan }) => group.includes(plan.service));
    await Promise.all(members.map(async (one) => codes.set(one.plan.name, await one.stop())));
  }
}
