import {
  BusRefusedError,
  BusUnreachableError,
  checkTopics,
  KafkaMessageBus,
  MemoryMessageBus,
  TopicsUnsuitableError,
} from '@heddle/platform-message-bus';
import type { DeadLetter, KafkaConnectionOptions, MessageBus } from '@heddle/platform-message-bus';
import { METRICS, parseTraceparent, traceIdOf } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '../settings/setting-kinds.js';
import type { Settings } from '../settings/settings.js';
import { kafkaConnection } from './kafka-connection.js';
import { ObservedBus } from './observed-bus.js';
import { PrefixedBus } from './prefixed-bus.js';
import { topicWishes } from './topics.js';

const LOOK_WITHIN_MS = 3_000;

export interface OpenedBus {
  readonly bus: MessageBus;
  /** Messages do not arrive at present: who waits for one should look for itself. */
  isAway(): boolean;
}

/** The bus of the settings: Kafka where brokers are named, else memory. */
export async function openBus(service: ServiceProcess): Promise<OpenedBus> {
  const { settings, logger, metrics } = service;
  const tracer = await service.openTracer();
  const letters = metrics.counter(...METRICS.deadLetters);
  const onDeadLetter = ({ topic, group, message, attempts, reason }: DeadLetter): void => {
    letters.add({ topic, group });
    const context = parseTraceparent(message.headers['traceparent']);
    const trace = context === null ? {} : { trace_id: traceIdOf(context) };
    logger.error({ topic, group, message: message.id, ...trace, attempts, reason }, 'a message was given up');
  };
  if (settings.kafkaBrokers.length === 0) {
    const bus = new MemoryMessageBus({ onDeadLetter });
    service.onStop(() => bus.close());
    metrics.gauge(...METRICS.busConnected, () => 1);
    return { bus: new ObservedBus(bus, metrics, tracer), isAway: () => false };
  }
  const connection = { ...kafkaConnection(service.name, settings), signal: service.stopping };
  const bus = await named(() =>
    KafkaMessageBus.connect({
      ...connection,
      log: (level, line, details) => logger[level]({ ...details }, line),
      onDeadLetter,
    }),
  );
  service.onStop(() => bus.close());
  // Brokers that did not answer just now need not be waited for once more.
  if (bus.health().connected) await named(() => topicsAreThere(connection, settings));
  // Jobs run and end without it: progress comes late then, nothing else.
  service.readiness.push({ name: 'kafka', optional: true, check: () => bus.health().waitingFor });
  metrics.gauge(...METRICS.busConnected, () => (bus.health().connected ? 1 : 0));
  const isAway = (): boolean => !bus.health().connected;
  const prefixed = settings.kafkaPrefix === '' ? bus : new PrefixedBus(bus, settings.kafkaPrefix);
  return { bus: new ObservedBus(prefixed, metrics, tracer), isAway };
}

const REFUSED_BY: Readonly<Record<BusRefusedError['subject'], string>> = {
  credentials: 'HEDDLE_KAFKA_SASL_MECHANISM, HEDDLE_KAFKA_SASL_USERNAME or HEDDLE_KAFKA_SASL_PASSWORD is wrong',
  tls: 'HEDDLE_KAFKA_TLS, HEDDLE_KAFKA_TLS_CA, HEDDLE_KAFKA_TLS_CERT or HEDDLE_KAFKA_TLS_KEY is wrong',
  rights: 'the user of HEDDLE_KAFKA_SASL_USERNAME lacks a right',
};

/** Says which settings to look at. */
async function named<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BusRefusedError) throw new SettingRefused(`${REFUSED_BY[error.subject]}: ${error.message}`);
    if (error instanceof TopicsUnsuitableError) {
      throw new SettingRefused(
        `${error.message} heddle migrate makes them with HEDDLE_KAFKA_PARTITIONS and HEDDLE_KAFKA_REPLICATION`,
      );
    }
    throw error;
  }
}

/** A broker that is away is waited for in the background; one that answers must have the topics. */
async function topicsAreThere(connection: KafkaConnectionOptions, settings: Settings): Promise<void> {
  try {
    await checkTopics(connection, topicWishes(settings), { withinMs: LOOK_WITHIN_MS });
  } catch (error) {
    if (!(error instanceof BusUnreachableError)) throw error;
  }
}
