import {
  choice,
  declareSettings,
  flag,
  list,
  optionalText,
  positiveSeconds,
  text,
  wholeNumber,
} from '@heddle/platform-settings';

const DAY = 86_400;

/** How to reach the brokers. */
export const KAFKA_SETTINGS = declareSettings('kafka', {
  kafkaBrokers: list('KAFKA_BROKERS', {
    unit: 'a,b',
    meaning: 'host:port each; standalone without any has an in-memory bus, recovered from the log',
  }),
  kafkaPrefix: text('KAFKA_PREFIX', '', {
    meaning: 'prefix of topic and group names, if clusters share brokers',
  }),
  kafkaTls: flag('KAFKA_TLS', false, { meaning: 'encrypt connections to the brokers' }),
  kafkaTlsCa: optionalText('KAFKA_TLS_CA', { unit: 'file', meaning: "PEM that signs the brokers' certificates" }),
  kafkaTlsCert: optionalText('KAFKA_TLS_CERT', { unit: 'file', meaning: "PEM of the client's certificate" }),
  kafkaTlsKey: optionalText('KAFKA_TLS_KEY', { unit: 'file', meaning: "PEM of the client's key" }),
  kafkaSaslMechanism: choice('KAFKA_SASL_MECHANISM', 'none', ['none', 'plain', 'scram-sha-256', 'scram-sha-512'], {
    meaning: 'SASL mechanism with which this process authenticates to the brokers',
  }),
  kafkaSaslUsername: optionalText('KAFKA_SASL_USERNAME', { meaning: 'with KAFKA_SASL_MECHANISM', fromFile: true }),
  kafkaSaslPassword: optionalText('KAFKA_SASL_PASSWORD', { meaning: 'with KAFKA_SASL_MECHANISM', secret: true }),
  kafkaPartitions: wholeNumber(
    'KAFKA_PARTITIONS',
    12,
    { min: 1, max: 10_000 },
    {
      unit: 'partitions',
      meaning: 'number of partitions of each topic; an existing topic with another number is refused',
    },
  ),
  kafkaReplication: wholeNumber(
    'KAFKA_REPLICATION',
    1,
    { min: 1, max: 100 },
    {
      unit: 'copies',
      meaning: 'replicas of a created topic; an existing topic with fewer is refused',
    },
  ),
  kafkaRetention: positiveSeconds('KAFKA_RETENTION_S', 7 * DAY, { meaning: 'how long brokers keep messages' }),
});
