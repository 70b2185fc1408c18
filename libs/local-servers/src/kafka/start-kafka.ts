import { chmod, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BrokerProcess } from './broker-process.js';
import { withFreePorts } from '@heddle/platform-database';
import { brokerPorts, givenPorts } from './broker-ports.js';
import { brokerProperties, type SaslUser } from './broker-properties.js';
import { installKafka } from './install-kafka.js';
import type { InstalledKafka } from './installed-kafka.js';

export interface KafkaOptions {
  /** Folder of the jars; see `installKafka`. */
  readonly cacheDir: string;
  /** Data, logs and pid files of the brokers; a later start reuses them. */
  readonly dataDir: string;
  /** Default 1; with 3 or more, topics have three replicas and two must be in sync. */
  readonly brokers?: number;
  /** One client port per broker; the two ports above it are used as well. Default: free ports. */
  readonly ports?: readonly number[];
  /** Clients must sign in with SASL/PLAIN as this user. */
  readonly sasl?: SaslUser;
  /** Advertised client ports, if a proxy stands before each broker. */
  readonly advertisedPorts?: readonly number[];
  /** Advertised host, if clients reach the brokers through another address of this machine. */
  readonly advertisedHost?: string;
  readonly onProgress?: (line: string) => void;
  /** Called when a broker that ran has ended, and was not stopped from here: `start` brings it back. */
  readonly onEnded?: (broker: number, how: string) => void;
  /** Gives the start up, and what is fetched for it. */
  readonly signal?: AbortSignal;
}

/** A local cluster; brokers are numbered from 0 here, in the order of `brokers`. */
export interface RunningKafka {
  /** `host:port` of each broker for clients. */
  readonly brokers: readonly string[];
  /** Where each writes its log, from its last start on. */
  readonly logs: readonly string[];
  /** Undefined while it does not run. */
  pid(broker: number): number | undefined;
  /** `kill -9`; resolves when the port is closed. */
  kill(broker: number): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(broker: number): void;
  thaw(broker: number): void;
  /** Restarts a broker on its data; resolves when it accepts connections. */
  start(broker: number): Promise<void>;
  /** SIGTERM to one broker, SIGKILL after 8 s. */
  stopOne(broker: number): Promise<void>;
  /** Stops all brokers at once. */
  stop(): Promise<void>;
}

/**
 * Starts Apache Kafka as local processes without containers; installs it if needed. Brokers left by an earlier run on
 * the same folder are stopped first. The brokers end with this process, except after its `kill -9`.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const kafka = await installKafka(options.cacheDir, options.onProgress, options.signal);
  options.signal?.throwIfAborted();
  return await withFreePorts(givenPorts(options.ports), async () => await startBrokers(kafka, options));
}

async function startBrokers(kafka: InstalledKafka, options: KafkaOptions): Promise<RunningKafka> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  // A folder of before may be open to others.
  await chmod(dataDir, 0o700);
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
      advertisedHost: options.advertisedHost,
    });
  const { signal, onEnded } = options;
  const start = async (broker: BrokerProcess, i: number): Promise<void> =>
    await broker.start({ signal, ended: (how) => onEnded?.(i, how) });
  process.once('exit', killAll);
  try {
    await Promise.all(processes.map(async (broker, i) => await broker.prepare(properties(i), i + 1)));
    await Promise.all(processes.map(start));
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
    logs: processes.map(({ log }) => log),
    pid: (i) => one(i).pid(),
    kill: async (i) => await one(i).kill(),
    freeze: (i) => one(i).freeze(),
    thaw: (i) => one(i).thaw(),
    start: async (i) => await start(one(i), i),
    stopOne: async (i) => await one(i).stop(),
    stop: async () => {
      await Promise.all(processes.map(async (broker) => await broker.stop()));
      process.off('exit', killAll);
    },
  };
}

const MAX_BROKERS = 9;

/** Stops the brokers on this folder, also those of another process. */
export async function stopKafka(dataDir: string): Promise<void> {
  const unknown: InstalledKafka = { jars: '', prepared: '' };
  const folders = Array.from({ length: MAX_BROKERS }, (_, i) => folderOf(resolve(dataDir), i));
  const known = folders.map((folder) => new BrokerProcess(unknown, folder, 0));
  await Promise.all(known.map(async (broker) => await broker.stop()));
}

function folderOf(dataDir: string, broker: number): string {
  return join(dataDir, `broker-${broker + 1}`);
}
