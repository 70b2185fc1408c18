import type { DeliveryOptions } from '../bus/message-bus.js';
import type { BusHealth } from './bus-health.js';

/**
 * Paths of PEM files. Without `caFile` the system's certificate authorities are trusted; `certFile` and `keyFile` need
 * each other.
 */
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

/** Logs one line, never with a credential or message content. */
export type BusLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  line: string,
  details?: Record<string, unknown>,
) => void;

/** How to reach the brokers; topic administration needs no more than this. */
export interface KafkaConnectionOptions {
  /** `host:port` of some brokers of the cluster; the others are discovered. */
  readonly brokers: readonly string[];
  /** The name of this process in broker logs. */
  readonly clientId: string;
  readonly tls?: KafkaTls;
  readonly sasl?: KafkaSasl;
  readonly log?: BusLog;
  /**
   * Cancels the start: pending opens and lookups reject with `BusClosedError`; `subscribe` continues in the background.
   */
  readonly signal?: AbortSignal;
}

export interface KafkaBusOptions extends DeliveryOptions, KafkaConnectionOptions {
  /** How long a publish is retried before it is rejected; default 30,000. */
  readonly publishWithinMs?: number;
  /**
   * Maximum size of one message in bytes, key and headers included, sent or received; default 2 MiB. Topics must allow
   * a little more: see `ensureTopics`.
   */
  readonly maxMessageBytes?: number;
  /** Maximum messages waiting to be published; beyond it publishing is refused; default 20,000. */
  readonly waitingMessages?: number;
  /** Maximum bytes waiting to be published; default 64 MiB. */
  readonly waitingBytes?: number;
  /** Without a heartbeat for this long, a member's partitions go to others; default 6,000, the brokers' minimum. */
  readonly sessionTimeoutMs?: number;
  /** How long `connect` and `subscribe` wait for a broker before they continue in the background; default 5,000. */
  readonly startPatienceMs?: number;
  /**
   * Minimum interval between two commits of a subscription: messages handled within it are redelivered after a crash;
   * default 100.
   */
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

/** The options with defaults for undefined values. */
export function settingsOf(options: KafkaBusOptions): KafkaBusSettings {
  const told = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(told) as unknown as KafkaBusOptions) } as KafkaBusSettings;
}

export const silent: BusLog = () => undefined;
