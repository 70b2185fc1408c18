import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BrokerProcess } from './broker-process.js';
import { withFreePorts } from '@heddle/platform-database';
import { brokerPorts, givenPorts } from './broker-ports.js';
import { brokerProperties, type SaslUser } from './broker-properties.js';
import { installKafka } from './install-kafka.js';
import type { InstalledKafka } from './installed-kafka.js';

export interface KafkaOptions {
  /** Where the jars are kept; see `installKafka`. */
  readonly cacheDir: string;
  /** Data, logs and notes of the brokers; a later start over it goes on with what is there. */
  readonly dataDir: string;
  /** 1 unless told; with 3 or more, topics have three replicas of which two must have a message. */
  readonly brokers?: number;
  /** One client port a broker; the two above it are used as well. Free ones unless told. */
  readonly ports?: readonly number[];
  /** Clients have to sign in with SASL/PLAIN as this user. */
  readonly sasl?: SaslUser;
  /** Client ports that the brokers tell, where a proxy stands before each. */
  readonly advertisedPorts?: readonly number[];
  readonly onProgress?: (line: string) => void;
}

/** A local cluster; brokers are numbered from 0 here, in the order of `brokers`. */
export interface RunningKafka {
  /** `host:port` of each, for clients. */
  readonly brokers: readonly string[];
  /** `kill -9`; the port is closed when it resolves. */
  kill(broker: number): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(broker: number): void;
  thaw(broker: number): void;
  /** Starts one again over its data; resolves when it takes connections. */
  start(broker: number): Promise<void>;
  /** SIGTERM to one, SIGKILL after 8 s. */
  stopOne(broker: number): Promise<void>;
  /** The same for all at once. */
  stop(): Promise<void>;
}

/**
 * Starts Apache Kafka as local processes without containers; installs it where needed. What an earlier run left running over the same
 * folder is stopped first. The brokers end with this process, also where nobody stops them, save for its `kill -9`.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const kafka = await installKafka(options.cacheDir, options.onProgress);
  return await withFreePorts(givenPorts(options.ports), async () => await startBrokers(kafka, options));
}

async function startBrokers(kafka: InstalledKafka, options: KafkaOptions): Promise<RunningKafka> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await stopKafka(dataDir);
  const ports = await brokerPorts(dataDir, options.brokers ?? 1, options.ports);
  const processes = ports.map(({ client }, i) => new BrokerProcess(kafka, folderOf(dataDir, i), client));
  const killAll = (): void => processes.forEach((broker) => broker.killNow());
  const properties = (i: number): string =>
    brokerProperties({
      id: i + 1,
      ports,
      logDir: join(folderOf(dataDir, i), 'data'),
      sasl: options.sasl,
      advertisedPort: options.advertisedPorts?.[i],
    });
  process.once('exit', killAll);
  try {
    await Promise.all(processes.map(async (broker, i) => await broker.prepare(properties(i), i + 1)));
    await Promise.all(processes.map(async (broker) => await broker.start()));
  } catch (error) {
    await Promise.all(processes.map(async (broker) => await broker.stop()));
    process.off('exit', killAll);
    throw error;
  }
  const one = (i: number): BrokerProcess => {
    const broker = processes[i];
    if (!broker) throw new Error(`There is no Kafka broker ${i}: they are numbered from 0 to ${processes.length - 1}.`);
    return broker;
  };
  return {
    brokers: ports.map(({ client }) => `127.0.0.1:${client}`),
    kill: async (i) => await one(i).kill(),
    freeze: (i) => one(i).freeze(),
    thaw: (i) => one(i).thaw(),
    start: async (i) => await one(i).start(),
    stopOne: async (i) => await one(i).stop(),
    stop: async () => {
      await Promise.all(processes.map(async (broker) => await broker.stop()));
      process.off('exit', killAll);
    },
  };
}

const MAX_BROKERS = 9;

/** Stops the brokers that run over this folder, whoever started them. */
export async function stopKafka(dataDir: string): Promise<void> {
  const unknown: InstalledKafka = { jars: '', prepared: '' };
  const folders = Array.from({ length: MAX_BROKERS }, (_, i) => folderOf(resolve(dataDir), i));
  const known = folders.map((folder) => new BrokerProcess(unknown, folder, 0));
  await Promise.all(known.map(async (broker) => await broker.stop()));
}

function folderOf(dataDir: string, broker: number): string {
  return join(dataDir, `broker-${broker + 1}`);
}
