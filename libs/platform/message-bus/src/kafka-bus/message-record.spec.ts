import type { KafkaMessage } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { aMessage } from '../bus/message-bus.suite.js';
import { readRecord, recordOf, type OutgoingRecord } from './message-record.js';

const MOST = 40_000;

function asReceived({ key, value, headers }: OutgoingRecord): KafkaMessage {
  const buffers = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(String(text))]));
  return { key, value, headers: buffers, timestamp: '0', attributes: 0, offset: '7' };
}

function received(change: Partial<KafkaMessage> = {}): KafkaMessage {
  return { ...asReceived(recordOf('topic', aMessage('job', 1, { text: 'é' }), MOST)), ...change } as KafkaMessage;
}

function withHeader(name: string, value: Buffer | Buffer[] | undefined): KafkaMessage {
  const record = received();
  return { ...record, headers: { ...record.headers, [name]: value } } as KafkaMessage;
}

describe('a message as a record', () => {
  it('comes back as it was, its headers with it', () => {
    const message = {
      ...aMessage('job', 'id', { text: 'é\u0000 ', nested: [1, null] }),
      headers: { traceparent: '00-1-2-01', 'x-request-id': 'r' },
    };
    expect(readRecord(asReceived(recordOf('topic', message, MOST)), MOST)).toEqual({ message, malformed: null });
  });

  it.each([
    ['without a key', { ...aMessage('', 1) }, 'key'],
    ['with a key beyond the limit', { ...aMessage('k'.repeat(1025), 1) }, 'key'],
    ['without an id', { ...aMessage('job', '') }, 'an id and a type'],
    ['beyond the limit', { ...aMessage('job', 1, 'x'.repeat(MOST)) }, `more than the limit of ${MOST}`],
    ['with a header of the bus', { ...aMessage('job', 1), headers: { 'heddle-id': '2' } }, 'begins with heddle-'],
    ['with headers beyond the limit', { ...aMessage('job', 1), headers: { long: 'x'.repeat(20_000) } }, 'headers'],
  ])('is refused %s', (_, message, why) => {
    expect(() => recordOf('topic', message, MOST)).toThrow(why);
  });

  it.each([
    ['truncated', received({ value: Buffer.from('{"text":"é') }), 'not valid JSON'],
    ['empty', received({ value: Buffer.alloc(0) }), 'not valid JSON'],
    ['without content', received({ value: null }), 'no content'],
    ['without a key', received({ key: null }), 'no key'],
    ['without headers', received({ headers: undefined }), 'version is missing'],
    ['of another version', withHeader('heddle-version', Buffer.from('2')), 'version is "2", only "1" is known'],
    ['without an id', withHeader('heddle-id', undefined), 'no id'],
    ['with two ids', withHeader('heddle-id', [Buffer.from('1'), Buffer.from('2')]), 'no id'],
    ['with headers beyond the limit', withHeader('long', Buffer.alloc(20_000)), 'too many headers'],
    ['beyond the limit', received({ value: Buffer.alloc(MOST + 1, ' ') }), `more than the limit of ${MOST}`],
  ])('is told apart when it comes %s', (_, record, why) => {
    const { malformed, message } = readRecord(record, MOST);
    expect(malformed).toContain(why);
    expect(message.payload).toBeNull();
  });
});
