import type { DeliveryOptions } from '../bus/message-bus.js';
import type { BusHealth } from './bus-health.js';

/** Paths of PEM files. Without `caFile` the authorities of the system are trusted; `certFile` and `keyFile` come together. */
export interface KafkaTls {
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly user: string;
  readonly password: string;
}

/** Takes one line; never a credential or the content of a message. */
export type BusLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  line: string,
  details?: Record<string, unknown>,
) => void;

/** How brokers are reached; all that topics need as well. */
export interface KafkaConnectionOptions {
  /** `host:port` of some brokers of the cluster; the others are learned from them. */
  readonly brokers: readonly string[];
  /** What the brokers' logs call this process. */
  readonly clientId: string;
  readonly tls?: KafkaTls;
  readonly sasl?: KafkaSasl;
  readonly log?: BusLog;
  /** Ends waits of the start: what opens or looks for something rejects with `BusClosedError`, `subscribe` goes on in the background. */
  readonly signal?: AbortSignal;
}

export interface KafkaBusOptions extends DeliveryOptions, KafkaConnectionOptions {
  /** How long a publish is tried before it is rejected; 30,000. */
  readonly publishWithinMs?: number;
  /** Most bytes of one message, key and headers included, sent or received; 2 MiB. Topics must allow a little more: see `ensureTopics`. */
  readonly maxMessageBytes?: number;
  /** Most messages that wait to be published, beyond which publishing is refused; 20,000. */
  readonly waitingMessages?: number;
  /** Most bytes that wait to be published; 64 MiB. */
  readonly waitingBytes?: number;
  /** After so long without a sign of life a member's partitions go to the others; 6,000, which is the brokers' own minimum. */
  readonly sessionTimeoutMs?: number;
  /** How long `connect` and `subscribe` wait for a broker before they go on in the background; 5,000. */
  readonly startPatienceMs?: number;
  /** Least pause between two commits of a subscription: what was handled within it comes again after a crash; 100. */
  readonly commitIntervalMs?: number;
  readonly onHealth?: (health: BusHealth) => void;
}

const DEFAULTS = {
  batchSize: 500,
  attempts: 5,
  backoffMs: 50,
  publishWithinMs: 30_000,
  maxMessageBytes: 2 * 1024 * 1024,
  waitingMessages: 20_000,
  waitingBytes: 64 * 1024 * 1024,
  sessionTimeoutMs: 6_000,
  startPatienceMs: 5_000,
  commitIntervalMs: 100,
};

export type KafkaBusSettings = KafkaBusOptions & typeof DEFAULTS;

/** The options with the defaults where nothing, or undefined, is told. */
export function settingsOf(options: KafkaBusOptions): KafkaBusSettings {
  const told = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(told) as unknown as KafkaBusOptions) } as KafkaBusSettings;
}

export const silent: BusLog = () => undefined;
