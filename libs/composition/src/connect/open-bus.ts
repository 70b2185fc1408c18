import { KafkaMessageBus, MemoryMessageBus } from '@heddle/platform-message-bus';
import type { DeadLetter, KafkaConnectionOptions, MessageBus } from '@heddle/platform-message-bus';
import { METRICS } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';
import { SettingRefused } from '../settings/setting-kinds.js';
import type { Settings } from '../settings/settings.js';

/** The bus of the settings: Kafka where brokers are named, else memory. */
export async function openBus(service: ServiceProcess): Promise<MessageBus> {
  const { settings, logger, metrics } = service;
  const letters = metrics.counter(...METRICS.deadLetters);
  const onDeadLetter = ({ topic, group, message, attempts, reason }: DeadLetter): void => {
    letters.add({ topic, group });
    logger.error({ topic, group, message: message.id, attempts, reason }, 'a message was given up');
  };
  if (settings.kafkaBrokers.length === 0) {
    const bus = new MemoryMessageBus({ onDeadLetter });
    service.onStop(() => bus.close());
    return bus;
  }
  const bus = await KafkaMessageBus.connect({ ...kafkaConnection(service), onDeadLetter });
  service.onStop(() => bus.close());
  // Jobs run and end without it: progress comes late then, nothing else.
  service.readiness.push({ name: 'kafka', optional: true, check: () => bus.health().waitingFor });
  metrics.gauge(...METRICS.busConnected, () => (bus.health().connected ? 1 : 0));
  return bus;
}

/** How the brokers of the settings are reached, for the bus and for the topics' own set-up. */
export function kafkaConnection({ name, settings, logger }: ServiceProcess): KafkaConnectionOptions {
  return {
    brokers: settings.kafkaBrokers,
    clientId: `heddle-${name}`,
    ...(settings.kafkaTls ? { tls: tlsOf(settings) } : {}),
    ...(settings.kafkaSaslMechanism === 'none' ? {} : { sasl: saslOf(settings) }),
    log: (level, line, details) => logger[level]({ ...details }, line),
  };
}

function tlsOf(settings: Settings): NonNullable<KafkaConnectionOptions['tls']> {
  const { kafkaTlsCa: caFile, kafkaTlsCert: certFile, kafkaTlsKey: keyFile } = settings;
  if ((certFile === null) !== (keyFile === null)) {
    throw new SettingRefused('HEDDLE_KAFKA_TLS_CERT and HEDDLE_KAFKA_TLS_KEY come together: set both, or neither');
  }
  return { caFile: caFile ?? undefined, certFile: certFile ?? undefined, keyFile: keyFile ?? undefined };
}

function saslOf({
  kafkaSaslMechanism,
  kafkaSaslUsername,
  kafkaSaslPassword,
}: Settings): KafkaConnectionOptions['sasl'] {
  if (kafkaSaslMechanism === 'none' || kafkaSaslUsername === null || kafkaSaslPassword === null) {
    throw new SettingRefused(
      'HEDDLE_KAFKA_SASL_MECHANISM needs HEDDLE_KAFKA_SASL_USERNAME and HEDDLE_KAFKA_SASL_PASSWORD',
    );
  }
  return { mechanism: kafkaSaslMechanism, user: kafkaSaslUsername, password: kafkaSaslPassword };
}
