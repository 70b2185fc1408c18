import { KafkaMessageBus, MemoryMessageBus } from '@heddle/platform-message-bus';
import type { DeadLetter, MessageBus } from '@heddle/platform-message-bus';
import { METRICS } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';
import { kafkaConnection } from './kafka-connection.js';
import { PrefixedBus } from './prefixed-bus.js';

export interface OpenedBus {
  readonly bus: MessageBus;
  /** Messages do not arrive at present: who waits for one should look for itself. */
  isAway(): boolean;
}

/** The bus of the settings: Kafka where brokers are named, else memory. */
export async function openBus(service: ServiceProcess): Promise<OpenedBus> {
  const { settings, logger, metrics } = service;
  const letters = metrics.counter(...METRICS.deadLetters);
  const onDeadLetter = ({ topic, group, message, attempts, reason }: DeadLetter): void => {
    letters.add({ topic, group });
    logger.error({ topic, group, message: message.id, attempts, reason }, 'a message was given up');
  };
  if (settings.kafkaBrokers.length === 0) {
    const bus = new MemoryMessageBus({ onDeadLetter });
    service.onStop(() => bus.close());
    return { bus, isAway: () => false };
  }
  const bus = await KafkaMessageBus.connect({
    ...kafkaConnection(service.name, settings),
    log: (level, line, details) => logger[level]({ ...details }, line),
    onDeadLetter,
  });
  service.onStop(() => bus.close());
  // Jobs run and end without it: progress comes late then, nothing else.
  service.readiness.push({ name: 'kafka', optional: true, check: () => bus.health().waitingFor });
  metrics.gauge(...METRICS.busConnected, () => (bus.health().connected ? 1 : 0));
  const isAway = (): boolean => !bus.health().connected;
  return { bus: settings.kafkaPrefix === '' ? bus : new PrefixedBus(bus, settings.kafkaPrefix), isAway };
}
