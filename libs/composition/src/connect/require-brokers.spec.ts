import { expect, it } from 'vitest';
import { requireBrokers } from './require-brokers.js';

it.each(['gateway', 'jobs', 'assets', 'logs'])('refuses a separate %s service without brokers', (name) => {
  expect(() => requireBrokers(name, { kafkaBrokers: [] })).toThrow(
    `HEDDLE_KAFKA_BROKERS is unset: the ${name} service exchanges messages`,
  );
  expect(() => requireBrokers(name, { kafkaBrokers: ['127.0.0.1:9092'] })).not.toThrow();
});

it.each(['validation', 'worker', 'standalone'])('lets %s start without them', (name) => {
  expect(() => requireBrokers(name, { kafkaBrokers: [] })).not.toThrow();
});
