import type { KafkaMessage } from 'kafkajs';
import type { OutgoingRecord } from './message-record.js';
import { sizeOf } from './message-record.js';

/** Dead-letter topic of a topic, for all groups. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dlq`;
}

/** Header of a marker record in a dead-letter topic: the offset of the letter that was sent again. */
export const RETRIED = 'heddle-dead-retried';

interface DeadLetterCause {
  readonly topic: string;
  readonly partition: number;
  readonly group: string;
  readonly attempts: number;
  readonly reason: string;
}

const MAX_REASON_CHARACTERS = 500;

/** The record of a dead letter: key, bytes and headers of the original, plus reason, group and origin. */
export function deadLetterRecord(original: KafkaMessage, cause: DeadLetterCause): OutgoingRecord {
  const headers = {
    ...original.headers,
    'heddle-dead-reason': cause.reason.slice(0, MAX_REASON_CHARACTERS),
    'heddle-dead-attempts': String(cause.attempts),
    'heddle-dead-group': cause.group,
    'heddle-dead-topic': cause.topic,
    'heddle-dead-partition': String(cause.partition),
    'heddle-dead-offset': original.offset,
  };
  return {
    topic: deadLetterTopic(cause.topic),
    key: original.key,
    value: original.value,
    headers,
    bytes: sizeOf(original) + MAX_REASON_CHARACTERS,
  };
}
