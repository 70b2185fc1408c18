import type { deadLetterBox, KeptLetter } from '@heddle/composition/kafka-tools';
import type { CommandCall, Option } from '../command-line/command.js';
import { clusterSettings } from '../cluster-settings.js';
import { failed, unreachable, wrongUsage } from '../failure.js';

export const KAFKA_NOTES: readonly string[] = [
  'Uses the settings of the services: HEDDLE_KAFKA_BROKERS, HEDDLE_KAFKA_PREFIX, and those for TLS and SASL.',
];

export const TOPIC_OPTION: Option = { value: 'TOPIC', meaning: 'only letters of this topic' };

/** The dead-letter box for the settings in the environment. */
export async function openBox({ env }: CommandCall, command: string): Promise<ReturnType<typeof deadLetterBox>> {
  const settings = await clusterSettings(env, command);
  const tools = await import('@heddle/composition/kafka-tools');
  return tools.deadLetterBox(settings);
}

/** The result, or a failure with exit code 3 if Kafka does not answer or refuses. */
export async function answered<T>(work: Promise<T>): Promise<T> {
  const { BusRefusedError, BusUnreachableError } = await import('@heddle/composition/kafka-tools');
  try {
    return await work;
  } catch (error) {
    if (error instanceof BusUnreachableError || error instanceof BusRefusedError) {
      throw unreachable(error.message, 'check HEDDLE_KAFKA_BROKERS');
    }
    throw error;
  }
}

/** Parses a letter's id, `TOPIC@OFFSET`; anything else is wrong usage. */
export function letterId(word: string): string {
  if (/^[\w.-]+@\d+$/.test(word)) return word;
  throw wrongUsage(
    `"${word}" is not a letter id`,
    'an id is TOPIC@OFFSET, for example heddle.jobs.events.v1@12; heddle dead-letters list prints them',
  );
}

export function oneLetter(letters: readonly KeptLetter[], id: string): KeptLetter {
  const letter = letters.find((candidate) => candidate.id === id);
  if (letter === undefined) throw failed(`no dead letter ${id}`, 'heddle dead-letters list lists them');
  return letter;
}

/** The JSON line of a letter, without its content. */
export function letterLine(letter: KeptLetter): object {
  return {
    id: letter.id,
    topic: letter.topic,
    group: letter.group,
    type: letter.type,
    key: letter.key,
    message_id: letter.messageId,
    reason: letter.reason,
    attempts: letter.attempts,
    partition: letter.partition,
    offset: letter.offset,
    dead_at: letter.deadAt,
    retried_at: letter.retriedAt,
  };
}
