import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { DeadLetter, DeliveryWait, MessageBus } from '@heddle/platform-message-bus';
import { parseTraceparent, traceIdOf } from '@heddle/platform-telemetry';
import type { ServiceProcess } from '../process/service-process.js';
import { isDependencyAway } from './is-dependency-away.js';
import { ObservedBus } from './observed-bus.js';
import { PROCESS_METRICS } from '../metrics.js';

interface OpenedBus {
  readonly bus: MessageBus;
  /** No messages arrive at present: a waiting caller should poll. */
  isAway(): boolean;
}

/** The configured bus: Kafka if brokers are named, otherwise memory. */
export async function openBus(service: ServiceProcess): Promise<OpenedBus> {
  const { settings, logger, metrics } = service;
  const letters = metrics.counter(PROCESS_METRICS.deadLetters);
  const onDeadLetter = ({ topic, group, message, attempts, reason }: DeadLetter): void => {
    letters.inc({ topic, group });
    const context = parseTraceparent(message.headers['traceparent']);
    const trace = context === null ? {} : { trace_id: traceIdOf(context) };
    logger.error({ topic, group, message: message.id, ...trace, attempts, reason }, 'a message was given up');
  };
  const waits = new Map<string, string>();
  const onOutage = ({ topic, group, reason }: DeliveryWait): void => {
    const place = `${topic} as ${group}`;
    if (reason === null) {
      if (waits.delete(place)) logger.info({ topic, group }, 'message delivery resumed');
      return;
    }
    if (!waits.has(place))
      logger.warn({ topic, group, reason }, 'message delivery is paused: a dependency is unavailable');
    waits.set(place, reason);
  };
  metrics.gauge(PROCESS_METRICS.busWaits, () => waits.size);
  service.addReadiness({ name: 'messages', optional: true, check: () => waitOf(waits) });
  const delivery = { onDeadLetter, isOutage: isDependencyAway, onOutage };
  if (settings.kafkaBrokers.length === 0) {
    const bus = new MemoryMessageBus(delivery);
    service.onStop('message bus', () => bus.close());
    metrics.gauge(PROCESS_METRICS.busConnected, () => 1);
    // A hop within the process takes no measurable time.
    return { bus: new ObservedBus(bus, metrics, null), isAway: () => false };
  }
  const tracer = await service.openTracer();
  const { openKafkaBus } = await import('./open-kafka-bus.js');
  const { bus, isAway } = await openKafkaBus(service, delivery);
  return { bus: new ObservedBus(bus, metrics, tracer), isAway };
}

function waitOf(waits: ReadonlyMap<string, string>): string | null {
  const [first] = waits;
  return first === undefined ? null : `${first[0]}: ${first[1]}`;
}
