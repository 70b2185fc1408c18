import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { topicWishes } from '@heddle/composition';
import type { Settings } from '@heddle/composition';
import { ensureTopics } from '@heddle/platform-message-bus';
import { planCluster } from './cluster-plan.js';
import type { PlannedProcess } from './cluster-plan.js';
import { startInfrastructure } from './infrastructure.js';
import type { Infrastructure } from './infrastructure.js';
import type { Replicas, ServiceName } from './replicas.js';
import { RoundRobin } from './round-robin.js';
import { SupervisedProcess } from './supervised-process.js';

export interface ClusterOptions {
  readonly settings: Settings;
  /** The environment that every service starts from, settings included. */
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
  const { settings, replicas, dataDir, progress } = options;
  const undo: (() => unknown)[] = [];
  const codes = new Map<string, number | null>();
  const stop = async (): Promise<typeof codes> => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        progress(String(error));
      }
    }
    return codes;
  };
  try {
    const infrastructure = options.infrastructure ?? (await startInfrastructure(options));
    if (options.infrastructure === undefined) undo.push(() => infrastructure.stop());
    await ensureTopics({ brokers: infrastructure.brokers, clientId: 'heddle-cluster' }, topicWishes(settings));
    const port = settings.port === 0 ? await freePort() : settings.port;
    const logDir = join(dataDir, 'logs');
    await mkdir(logDir, { recursive: true });
    const plan = await planCluster({
      replicas,
      infrastructure,
      logDir,
      env: options.env,
      port,
      freePort,
      ...(options.calledAt === undefined ? {} : { calledAt: options.calledAt }),
      onCrash: (name, how) =>
        progress(`${name} ended (${how}) and is started again; its log: ${join(logDir, `${name}.log`)}`),
    });
    const processes = plan.map((one) => new SupervisedProcess(one));
    const killAll = (): void => processes.forEach((one) => void one.destroy());
    process.once('exit', killAll);
    undo.push(() => process.off('exit', killAll));
    undo.push(() => stopInOrder(processes, codes));
    progress(`starting ${plan.map(({ name }) => name).join(', ')}`);
    await Promise.all(processes.map(async (one) => await one.start()));
    const ports = plan.flatMap(({ apiPort }) => (apiPort === null ? [] : [apiPort]));
    if (ports.length > 1) {
      const roundRobin = new RoundRobin(ports);
      await roundRobin.listen(port, settings.host);
      undo.push(() => roundRobin.close());
    }
    const kill = async (): Promise<void> => {
      await Promise.all(processes.map(async (one) => await one.destroy()));
      await stop();
    };
    return { url: `http://${settings.host}:${port}`, infrastructure, processes, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whoever takes work from outside ends first, then the workers, then what these call. */
async function stopInOrder(processes: RunningCluster['processes'], codes: Map<string, number | null>): Promise<void> {
  for (const group of [['gateway'], ['worker'], ['jobs', 'assets', 'validation', 'logs']]) {
    const members = processes.filter(({ plan }) => group.includes(plan.service));
    await Promise.all(members.map(async (one) => codes.set(one.plan.name, await one.stop())));
  }
}

/** A port that nobody listens on now. Ports are given out once in a run, so that two services never get the same. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((done, fail) => {
      const probe = createServer();
      probe.once('error', fail);
      probe.listen(0, '127.0.0.1', () => {
        const { port: found } = probe.address() as AddressInfo;
        probe.close(() => done(found));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

const given = new Set<number>();
