import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { DeadLetter, MessageBus } from '@heddle/platform-message-bus';
import { METRICS, parseTraceparent, traceIdOf } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';
import { ObservedBus } from './observed-bus.js';

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
  const { openKafkaBus } = await import('./open-kafka-bus.js');
  const { bus, isAway } = await openKafkaBus(service, onDeadLetter);
  return { bus: new ObservedBus(bus, metrics, tracer), isAway };
}
