import {
  BusRefusedError,
  BusUnreachableError,
  checkTopics,
  KafkaMessageBus,
  TopicsUnsuitableError,
} from '@heddle/platform-message-bus/kafka';
import type { KafkaConnectionOptions } from '@heddle/platform-message-bus/kafka';
import type { DeliveryOptions, MessageBus } from '@heddle/platform-message-bus';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';
import { kafkaConnection } from './kafka-connection.js';
import { PrefixedBus } from './prefixed-bus.js';
import { desiredTopics } from './topics.js';
import { PROCESS_METRICS } from '../metrics.js';

const LOOK_WITHIN_MS = 3_000;
const MAKE_TOPICS =
  'Run heddle migrate: it makes missing topics with HEDDLE_KAFKA_PARTITIONS and HEDDLE_KAFKA_REPLICATION';

/** Connects to the brokers, or continues without them until they are available. Fails if they refuse. */
export async function openKafkaBus(
  service: ServiceProcess,
  delivery: Pick<DeliveryOptions, 'onDeadLetter' | 'isOutage' | 'onOutage'>,
): Promise<{ readonly bus: MessageBus; isAway(): boolean }> {
  const { settings, logger, metrics } = service;
  service.addRefusals(BusRefusedError, TopicsUnsuitableError);
  const connection = { ...kafkaConnection(service.name, settings), signal: service.stopping };
  const bus = await named(() =>
    KafkaMessageBus.connect({
      ...connection,
      log: (level, line, details) => logger[level]({ ...details }, line),
      ...delivery,
    }),
  );
  service.onStop('Kafka', () => bus.close());
  // Brokers that did not answer just now are not waited for again.
  const missing = bus.health().connected ? await named(() => missingTopics(connection, settings)) : [];
  // As if a broker failed while services run: publications wait, everything else continues.
  if (missing.length > 0)
    logger.warn({ topics: missing }, `Kafka topics do not exist: ${missing.join(', ')}. ${MAKE_TOPICS}`);
  // Jobs run and end without it; only progress is late.
  service.addReadiness({ name: 'kafka', optional: true, check: () => bus.health().waitingFor });
  metrics.gauge(PROCESS_METRICS.busConnected, () => (bus.health().connected ? 1 : 0));
  const isAway = (): boolean => !bus.health().connected;
  const prefixed = settings.kafkaPrefix === '' ? bus : new PrefixedBus(bus, settings.kafkaPrefix);
  return { bus: prefixed, isAway };
}

const REFUSED_BY: Readonly<Record<BusRefusedError['subject'], string>> = {
  credentials: 'HEDDLE_KAFKA_SASL_MECHANISM, HEDDLE_KAFKA_SASL_USERNAME or HEDDLE_KAFKA_SASL_PASSWORD is wrong',
  tls: 'HEDDLE_KAFKA_TLS, HEDDLE_KAFKA_TLS_CA, HEDDLE_KAFKA_TLS_CERT or HEDDLE_KAFKA_TLS_KEY is wrong',
  rights: 'the user of HEDDLE_KAFKA_SASL_USERNAME lacks a right',
};

/** Adds the settings to check. */
async function named<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BusRefusedError) throw new SettingRefused(`${REFUSED_BY[error.subject]}: ${error.message}`);
    if (error instanceof TopicsUnsuitableError) {
      throw new SettingRefused(
        `${error.message} Set HEDDLE_KAFKA_PARTITIONS in every service to what the topics have, or move to more partitions (docs/architecture/10-capacity.md)`,
      );
    }
    throw error;
  }
}

/** An unreachable broker is waited for in the background; the topics of one that answers must match. */
async function missingTopics(connection: KafkaConnectionOptions, settings: Settings): Promise<readonly string[]> {
  try {
    return await checkTopics(connection, desiredTopics(settings), { withinMs: LOOK_WITHIN_MS });
  } catch (error) {
    if (!(error instanceof BusUnreachableError)) throw error;
    return [];
  }
}
