import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import type { BusMessage, DeadLetter } from '../bus/message-bus.js';
import { aMessage, gate, until } from '../bus/message-bus.suite.js';
import { deadLetterTopic } from './dead-letter-record.js';
import { ensureTopics } from './ensure-topics.js';
import type { KafkaBusOptions } from './kafka-bus-options.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { bareClient, freshGroup, kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';

const ids = (batch: readonly BusMessage[]): string[] => batch.map(({ id }) => id);
const nobody = async (): Promise<void> => await Promise.resolve();

describe.skipIf(await kafkaIsSkipped())('the bus over Kafka, beyond what every bus does', () => {
  let kafka: RunningKafka;
  let topics = 0;
  const buses: KafkaMessageBus[] = [];

  const connection = () => ({ brokers: kafka.brokers, clientId: 'spec' });
  const connected = async (options: Partial<KafkaBusOptions> = {}): Promise<KafkaMessageBus> => {
    const bus = await KafkaMessageBus.connect({
      ...connection(),
      attempts: 2,
      backoffMs: 5,
      // Wait until the subscription has joined.
      startPatienceMs: 30_000,
      ...options,
    });
    buses.push(bus);
    return bus;
  };
  const freshTopic = async (partitions = 2): Promise<string> => {
    const name = `heddle.spec-${++topics}.events.v1`;
    await ensureTopics(connection(), [{ name, partitions, replicas: 1, retentionMs: 3_600_000 }]);
    return name;
  };

  beforeAll(async () => {
    kafka = await startedKafka();
  });
  afterEach(async () => {
    await Promise.all(buses.splice(0).map(async (bus) => await bus.close()));
  });
  afterAll(async () => {
    await kafka.stop();
  });

  /** The content of a topic's dead-letter topic, as text. */
  async function letters(topic: string, count: number): Promise<{ value: string; headers: Record<string, string> }[]> {
    const found: { value: string; headers: Record<string, string> }[] = [];
    const consumer = bareClient(kafka.brokers).consumer({ groupId: freshGroup() });
    await consumer.connect();
    await consumer.subscribe({ topic: deadLetterTopic(topic), fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message }) => {
        const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
        found.push({ value: String(message.value), headers: Object.fromEntries(headers) as Record<string, string> });
        await Promise.resolve();
      },
    });
    await until('the letters came', () => found.length >= count);
    await consumer.disconnect();
    return found;
  }

  it('leaves no connection behind, however soon it is closed: such a one would keep the process alive', async () => {
    const connections = (): number => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;
    await until('nothing of others is connected', () => connections() === 0);
    for (let round = 0; round < 60; round++) {
      const bus = await KafkaMessageBus.connect({ ...connection(), startPatienceMs: 30_000 });
      // Some are closed while their first heartbeat is pending.
      await delay(round / 10);
      await bus.close();
    }
    await until('all are closed', () => connections() === 0);
  });

  it('waits for a batch as long as its reader says, asked again meanwhile', async () => {
    const topic = await freshTopic(1);
    const bus = await connected();
    const got: string[][] = [];
    let batchWaitMs = 600_000;
    const take = async (batch: readonly BusMessage[]): Promise<void> =>
      await Promise.resolve(void got.push(ids(batch)));
    await bus.subscribe(topic, freshGroup(), take, { batchWaitMs: () => batchWaitMs });
    await bus.publish(topic, [aMessage('job', 1)]);
    await until('the first came', () => got.length === 1);
    for (const n of [2, 3, 4]) await bus.publish(topic, [aMessage('job', n)]);
    expect(got).toEqual([['1']]);
    batchWaitMs = 0;
    await until('the others came', () => got.length > 1);
    expect(got).toEqual([['1'], ['2', '3', '4']]);
  });

  it('does not wait for more where a whole batch came', async () => {
    const topic = await freshTopic(1);
    const bus = await connected({ batchSize: 10 });
    const got: string[] = [];
    const take = async (batch: readonly BusMessage[]): Promise<void> =>
      await Promise.resolve(void got.push(...ids(batch)));
    const messages = Array.from({ length: 10 }, (_, n) => aMessage('job', n));
    await bus.subscribe(topic, freshGroup(), take, { batchWaitMs: () => 600_000 });
    await bus.publish(topic, messages);
    await bus.publish(topic, messages);
    await until('all came', () => got.length === 20);
  });

  it('ends while messages wait for a batch', async () => {
    const topic = await freshTopic(1);
    const bus = await connected();
    let got = 0;
    const take = async (batch: readonly BusMessage[]): Promise<void> =>
      await Promise.resolve(void (got += batch.length));
    const group = freshGroup();
    const subscription = await bus.subscribe(topic, group, take, { batchWaitMs: () => 600_000 });
    await bus.publish(topic, [aMessage('job', 1)]);
    await until('it came', () => got === 1);
    await subscription.close();
    // A member that takes too long to leave stays in the group until its session expires.
    const admin = bareClient(kafka.brokers).admin();
    await admin.connect();
    const { groups } = await admin.describeGroups([group]);
    await admin.disconnect();
    expect(groups.map(({ members }) => members)).toEqual([[]]);
  });

  it('keeps what is no message in the dead-letter topic, byte for byte and with the reason, and hands on the rest', async () => {
    const topic = await freshTopic(1);
    const told: DeadLetter[] = [];
    const bus = await connected({ onDeadLetter: (letter) => told.push(letter) });
    const got: string[] = [];
    await bus.publish(topic, [aMessage('job', 1)]);
    const stranger = bareClient(kafka.brokers).producer();
    await stranger.connect();
    const known = { 'heddle-id': 'x', 'heddle-type': 'T', 'heddle-version': '1' };
    const forged = [
      { key: 'job', value: '{"half":', headers: known },
      { key: 'job', value: '{}', headers: { ...known, 'heddle-version': '9' } },
      { key: null, value: '{}', headers: known },
      { key: 'job', value: null, headers: known },
      { key: 'job', value: Buffer.from([0xff, 0xfe, 0x00]) },
    ];
    await stranger.send({ topic, messages: forged });
    await stranger.disconnect();
    await bus.publish(topic, [aMessage('job', 2)]);
    await bus.subscribe(topic, 'group', async (batch) => {
      got.push(...ids(batch));
      await Promise.resolve();
    });
    await until('the good ones came', () => got.length === 2);
    expect(got).toEqual(['1', '2']);
    expect(told).toHaveLength(5);
    expect(told.every(({ attempts }) => attempts === 0)).toBe(true);
    expect(bus.counters()).toMatchObject({ delivered: 2, deadLetters: 5, malformed: 5 });
    const kept = await letters(topic, 5);
    expect(kept.map(({ headers }) => headers['heddle-dead-reason'])).toEqual(told.map(({ reason }) => reason));
    expect(kept[0]?.value).toBe('{"half":');
    expect(kept[0]?.headers).toMatchObject({
      ...known,
      'heddle-dead-attempts': '0',
      'heddle-dead-group': 'group',
      'heddle-dead-topic': topic,
      'heddle-dead-offset': '1',
    });
  });

  it('keeps what the handler refused with its attempts, headers and content', async () => {
    const topic = await freshTopic();
    const bus = await connected();
    await bus.subscribe(topic, 'group', async () => await Promise.reject(new Error('cannot be used')));
    await bus.publish(topic, [{ ...aMessage('job', 1, { text: 'é' }), headers: { traceparent: '00-1-2-01' } }]);
    const [letter] = await letters(topic, 1);
    expect(letter).toMatchObject({
      value: '{"text":"é"}',
      headers: { traceparent: '00-1-2-01', 'heddle-dead-reason': 'cannot be used', 'heddle-dead-attempts': '2' },
    });
  });

  it('handles other partitions while one waits, longer than a session lasts, and keeps its place in the group', async () => {
    const topic = await freshTopic(2);
    const sessionTimeoutMs = 5_000;
    const bus = await connected({ sessionTimeoutMs });
    const handled: string[] = [];
    const slow = gate();
    await bus.subscribe(topic, 'group', async (batch) => {
      if (batch.some(({ key }) => key === 'slow')) await slow.opened;
      handled.push(...ids(batch));
    });
    await bus.publish(topic, [aMessage('slow', 'first')]);
    // Some of these keys share the slow one's partition; the others must arrive, for longer than the session time-out.
    let sent = 0;
    for (const end = Date.now() + sessionTimeoutMs + 1_500; Date.now() < end; sent++) {
      await bus.publish(topic, [aMessage(`key ${sent % 50}`, sent)]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until('others came', () => handled.length > sent / 5);
    expect(handled).not.toContain('first');
    slow.open();
    await until('all came', () => handled.length === sent + 1);
    expect(new Set(handled).size).toBe(sent + 1);
    expect(bus.counters().newMembers).toBe(0);
  });

  it('stops fetching where a handler does not keep up, and loses nothing when it does again', async () => {
    const topic = await freshTopic(1);
    const bus = await connected({ batchSize: 20 });
    const handled: string[] = [];
    const slow = gate();
    await bus.subscribe(topic, 'group', async (batch) => {
      await slow.opened;
      handled.push(...ids(batch));
    });
    const sent = Array.from({ length: 2_000 }, (_, i) => aMessage('job', i, 'x'.repeat(2_000)));
    for (let i = 0; i < sent.length; i += 100) await bus.publish(topic, sent.slice(i, i + 100));
    slow.open();
    await until('all came', () => handled.length >= 2_000);
    expect(handled).toEqual(ids(sent));
  });

  it('begins where its group ended, and with the oldest where that never was', async () => {
    const topic = await freshTopic();
    const bus = await connected();
    await bus.publish(topic, [aMessage('job', 1)]);
    const got: string[] = [];
    const take = async (batch: readonly BusMessage[]): Promise<void> =>
      await Promise.resolve(void got.push(...ids(batch)));
    const first = await bus.subscribe(topic, 'group', take);
    await until('the old one came', () => got.length === 1);
    await first.close();
    await bus.publish(topic, [aMessage('job', 2)]);
    await bus.subscribe(topic, 'group', take);
    await until('the next came', () => got.length === 2);
    expect(got).toEqual(['1', '2']);
  });

  it('gives a process nothing of what was before its own subscription, and everything after', async () => {
    const topic = await freshTopic();
    const bus = await connected();
    await bus.publish(topic, [aMessage('job', 1), aMessage('other', 2)]);
    const got: string[] = [];
    const take = async (batch: readonly BusMessage[]): Promise<void> =>
      await Promise.resolve(void got.push(...ids(batch)));
    await bus.subscribe(topic, 'group', take, { everyProcess: true });
    await bus.publish(topic, [aMessage('job', 3), aMessage('other', 4)]);
    await until('both came', () => got.length === 2);
    expect(got.sort()).toEqual(['3', '4']);
  });

  it('hands over again what a process had in hand when it was killed', async () => {
    const topic = await freshTopic();
    const bus = await connected();
    await bus.publish(topic, [aMessage('job', 1), aMessage('job', 2)]);
    const script = `
      import { KafkaMessageBus } from ${JSON.stringify(fileURLToPath(new URL('../../dist/kafka.js', import.meta.url)))};
      const bus = await KafkaMessageBus.connect(${JSON.stringify({ ...connection(), sessionTimeoutMs: 2_000 })});
      await bus.subscribe(${JSON.stringify(topic)}, 'group', async () => { process.send('in hand'); await new Promise(() => {}); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = new Promise((_, reject) => child.once('exit', () => reject(new Error('it ended too early'))));
    await Promise.race([ended, new Promise((resolve) => child.once('message', resolve))]);
    ended.catch(() => undefined);
    const got: string[] = [];
    await bus.subscribe(topic, 'group', async (batch) => await Promise.resolve(void got.push(...ids(batch))));
    expect(got).toEqual([]);
    child.kill('SIGKILL');
    await until('they came again', () => got.length === 2);
    expect(got).toEqual(['1', '2']);
  });

  it('refuses a message that no reader would take, and one that the topic is too narrow for', async () => {
    const topic = await freshTopic();
    const bus = await connected({ maxMessageBytes: 8 * 1024 * 1024 });
    await expect(bus.publish(topic, [aMessage('', 1)])).rejects.toThrow('its key must have');
    await expect(bus.publish(topic, [aMessage('job', 2, 'x'.repeat(3_000_000))])).rejects.toThrow('Kafka refuses');
    await bus.publish(topic, [aMessage('job', 3)]);
  });

  it('says of a topic that does not exist that it waits for it, and reads it once it is there', async () => {
    const changes: (string | null)[] = [];
    const bus = await connected({ startPatienceMs: 1_000, onHealth: ({ waitingFor }) => changes.push(waitingFor) });
    const name = 'heddle.late.events.v1';
    let got = 0;
    await bus.subscribe(name, 'group', async (batch) => await Promise.resolve(void (got += batch.length)));
    await until('it is told', () => bus.health().waitingFor?.includes('does not exist') === true);
    expect(bus.health()).toEqual({
      connected: false,
      waitingFor: `reading ${name} as group: the topic ${name} does not exist; heddle migrate creates it`,
    });
    await ensureTopics(connection(), [{ name, partitions: 1, replicas: 1, retentionMs: 3_600_000 }]);
    await until('it is joined', () => bus.health().connected);
    await bus.publish(name, [aMessage('job', 1)]);
    await until('it came', () => got === 1);
    expect(changes.at(-1)).toBeNull();
  });

  it('lets a subscription that waits for its topic go when it is closed', async () => {
    const bus = await connected({ startPatienceMs: 600_000 });
    const subscribing = bus.subscribe('heddle.never.events.v1', 'group', nobody);
    await until('it waits', () => bus.health().waitingFor?.includes('does not exist') === true);
    await bus.close();
    await subscribing;
  });

  it('refuses topics with other partitions or too few replicas, and names and makes those that are missing', async () => {
    const { checkTopics } = await import('./ensure-topics.js');
    const desired = { name: 'heddle.wish.events.v1', partitions: 2, replicas: 1, retentionMs: 3_600_000 };
    expect(await checkTopics(connection(), [desired])).toEqual(['heddle.wish.events.v1', 'heddle.wish.events.v1.dlq']);
    await Promise.all([ensureTopics(connection(), [desired]), ensureTopics(connection(), [desired])]);
    expect(await checkTopics(connection(), [desired])).toEqual([]);
    const larger = { ...desired, partitions: 4 };
    await expect(ensureTopics(connection(), [larger])).rejects.toThrow('has 2 partitions instead of 4');
    await expect(checkTopics(connection(), [larger])).rejects.toThrow('has 2 partitions instead of 4');
    const wider = { ...desired, name: 'heddle.wider.events.v1', replicas: 3 };
    await expect(ensureTopics(connection(), [wider], { withinMs: 500 })).rejects.toThrow(/replica/i);
  });

  it('begins and ends without a broker, refuses in time what it cannot publish, and says what it waits for', async () => {
    const bus = await KafkaMessageBus.connect({
      brokers: ['127.0.0.1:9'],
      clientId: 'spec',
      startPatienceMs: 200,
      publishWithinMs: 500,
    });
    buses.push(bus);
    expect(bus.health().connected).toBe(false);
    expect(bus.health().waitingFor).toContain('the Kafka brokers 127.0.0.1:9');
    await bus.subscribe('topic', 'group', nobody);
    await bus.subscribe('topic', 'group', nobody, { everyProcess: true });
    await expect(bus.publish('topic', [aMessage('job', 1)])).rejects.toThrow('No broker took the messages in time');
    const waiting = bus.publish('topic', [aMessage('job', 2)]).catch((error: Error) => error.name);
    const closing = Date.now();
    await bus.close();
    expect(Date.now() - closing).toBeLessThan(15_000);
    expect(['BusClosedError', 'BusUnreachableError']).toContain(await waiting);
  });
});
