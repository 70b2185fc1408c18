import type { KafkaConnectionOptions } from '@heddle/platform-message-bus/kafka';
import { SettingRefused } from '@heddle/platform-settings';
import type { Settings } from '../settings/settings.js';

/** Connection options of the brokers in the settings, for the bus and for topic set-up. */
export function kafkaConnection(name: string, settings: Settings): KafkaConnectionOptions {
  return {
    brokers: settings.kafkaBrokers,
    clientId: `heddle-${name}`,
    ...(settings.kafkaTls ? { tls: tlsOf(settings) } : {}),
    ...(settings.kafkaSaslMechanism === 'none' ? {} : { sasl: saslOf(settings) }),
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
