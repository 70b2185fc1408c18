import type { Kafka, ProducerBatch } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { BusClosedError } from '../bus/message-bus.js';
import { HealthOfParts } from './bus-health.js';
import type { OutgoingRecord } from './message-record.js';
import { RecordSender } from './record-sender.js';

const PARTITIONS = 4;
const TOPIC = 'some.topic';

/** Records the calls of a client library whose brokers fail on request. */
class Library {
  readonly calls: { readonly partitions: readonly number[]; readonly values: readonly string[] }[] = [];
  producers = 0;
  disconnected = 0;
  /** How a new producer connects. */
  connecting: () => Promise<void> = async () => await Promise.resolve();
  /** Partitions whose next call fails. */
  readonly failing = new Set<number>();

  readonly kafka = {
    producer: () => {
      this.producers += 1;
      return {
        connect: async () => await this.connecting(),
        disconnect: async () => {
          this.disconnected += 1;
          await Promise.resolve();
        },
        sendBatch: async ({ topicMessages = [] }: ProducerBatch) => await this.#take(topicMessages),
      };
    },
    admin: () => ({
      connect: async () => await Promise.resolve(),
      disconnect: async () => await Promise.resolve(),
      fetchTopicMetadata: async ({ topics }: { topics: string[] }) =>
        await Promise.resolve({ topics: topics.map((name) => ({ name, partitions: partitionsOf() })) }),
    }),
  } as unknown as Kafka;

  async #take(topicMessages: NonNullable<ProducerBatch['topicMessages']>): Promise<void> {
    const messages = topicMessages.flatMap((one) => one.messages);
    const partitions = [...new Set(messages.map(({ partition }) => partition ?? -1))];
    this.calls.push({ partitions, values: messages.map(({ value }) => String(value)) });
    await Promise.resolve();
    if (partitions.some((partition) => this.failing.delete(partition))) throw new Error('connection closed');
  }
}

function partitionsOf() {
  return Array.from({ length: PARTITIONS }, (_, partitionId) => ({ partitionId, leader: partitionId % 3 }));
}

const records: readonly OutgoingRecord[] = Array.from({ length: 40 }, (_, at) => ({
  topic: TOPIC,
  key: Buffer.from(`key ${at % 10}`),
  value: Buffer.from(String(at)),
  headers: {},
  bytes: 10,
}));

describe('sending records', () => {
  const sender = (library: Library): RecordSender =>
    new RecordSender(library.kafka, new HealthOfParts(), () => undefined);

  it('makes a call of its own for each partition, in the order of the records', async () => {
    const library = new Library();
    await sender(library).send(records, Date.now() + 5_000);
    expect(library.calls.every(({ partitions }) => partitions.length === 1)).toBe(true);
    expect(new Set(library.calls.flatMap(({ partitions }) => partitions)).size).toBe(library.calls.length);
    for (const { values } of library.calls) expect(values).toEqual([...values].sort((a, b) => Number(a) - Number(b)));
    expect(library.calls.flatMap(({ values }) => values).length).toBe(records.length);
  });

  it('repeats a call that failed as it was, by the same producer, and no other', async () => {
    const library = new Library();
    library.failing.add(1);
    await sender(library).send(records, Date.now() + 5_000);
    const [first, second, ...more] = library.calls.filter(({ partitions }) => partitions[0] === 1);
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    expect(library.producers).toBe(1);
    const values = library.calls.flatMap((call) => call.values);
    expect(values.length).toBe(records.length + (first?.values.length ?? 0));
  });

  it('leaves no producer behind that connects after it was closed', async () => {
    const library = new Library();
    let connect: () => void = () => undefined;
    library.connecting = async () => await new Promise((resolve) => (connect = resolve));
    const closing = sender(library);
    const sent = closing.send(records, Date.now() + 5_000).catch((error: unknown) => error);
    const closed = closing.close();
    connect();
    await closed;
    expect(await sent).toBeInstanceOf(BusClosedError);
    expect(library.disconnected).toBe(library.producers);
    expect(library.calls).toEqual([]);
  });

  it('connects once for two that send at once, and anew after a connection that failed', async () => {
    const library = new Library();
    let refused = 1;
    library.connecting = async () => {
      await Promise.resolve();
      if (refused-- > 0) throw new Error('connection refused');
    };
    const sending = sender(library);
    const until = Date.now() + 5_000;
    await Promise.all([sending.send(records, until), sending.send(records, until)]);
    await sending.close();
    expect(library.producers).toBe(2);
    expect(library.disconnected).toBe(2);
  });
});
