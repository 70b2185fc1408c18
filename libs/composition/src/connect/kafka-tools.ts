import { BusUnreachableError, DeadLetterBox, KafkaMessageBus } from '@heddle/platform-message-bus/kafka';
import type { MessageBus } from '@heddle/platform-message-bus';
import type { Settings } from '../settings/settings.js';
import { kafkaConnection } from './kafka-connection.js';
import { PrefixedBus } from './prefixed-bus.js';
import { desiredTopics } from './topics.js';

export { BusRefusedError, BusUnreachableError } from '@heddle/platform-message-bus/kafka';
export type { KeptLetter } from '@heddle/platform-message-bus/kafka';

/** The dead letters of every topic in the settings. */
export function deadLetterBox(settings: Settings): DeadLetterBox {
  return new DeadLetterBox(
    kafkaConnection('dead-letters', settings),
    desiredTopics(settings).map(({ name }) => name),
  );
}

/**
 * A bus for publishing, for a command; `close` it. Fails with `BusUnreachableError` if no broker answers, or with
 * `BusRefusedError`.
 */
export async function publisherOf(settings: Settings): Promise<MessageBus> {
  const bus = await KafkaMessageBus.connect(kafkaConnection('replay', settings));
  const { waitingFor } = bus.health();
  if (waitingFor !== null) {
    await bus.close();
    throw new BusUnreachableError(waitingFor);
  }
  return settings.kafkaPrefix === '' ? bus : new PrefixedBus(bus, settings.kafkaPrefix);
}
