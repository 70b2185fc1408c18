import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import { aMessage, until } from '../bus/message-bus.suite.js';
import { DeadLetterBox } from './dead-letter-box.js';
import { ensureTopics } from './ensure-topics.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';

const TOPIC = 'heddle.dying.events.v1';

describe.skipIf(await kafkaIsSkipped())('the box of dead letters', () => {
  let kafka: RunningKafka;
  let bus: KafkaMessageBus;

  beforeAll(async () => {
    kafka = await startedKafka();
    const connection = { brokers: kafka.brokers, clientId: 'spec' };
    await ensureTopics(connection, [{ name: TOPIC, partitions: 2, replicas: 1, retentionMs: 3_600_000 }]);
    bus = await KafkaMessageBus.connect({ ...connection, attempts: 2, backoffMs: 1, startPatienceMs: 30_000 });
  });
  afterAll(async () => {
    await bus.close();
    await kafka.stop();
  });

  it('has every letter with its reason, sends it again as it was, and knows that it did', async () => {
    const box = new DeadLetterBox({ brokers: kafka.brokers, clientId: 'spec' }, [TOPIC, 'heddle.absent.events.v1']);
    expect(await box.letters()).toEqual([]);
    let refusing = true;
    const handled: unknown[] = [];
    await bus.subscribe(TOPIC, 'readers', async (batch) => {
      if (refusing) throw new Error('cannot be applied');
      handled.push(...batch);
      await Promise.resolve();
    });
    const sent = [aMessage('job-1', 'event-1', { text: 'é' }), aMessage('job-2', 'event-2')];
    await bus.publish(TOPIC, sent);
    await until('both letters are kept', () => bus.counters().deadLetters === 2);
    const letters = await box.letters();
    expect(letters.map(({ id }) => id).sort()).toEqual([`${TOPIC}@0`, `${TOPIC}@1`]);
    const first = letters.find(({ messageId }) => messageId === 'event-1')!;
    expect(first).toMatchObject({
      topic: TOPIC,
      group: 'readers',
      key: 'job-1',
      type: 'SampleHappened',
      reason: 'cannot be applied',
      attempts: 2,
      retriedAt: null,
    });
    expect(JSON.parse(String(first.value))).toEqual({ text: 'é' });
    refusing = false;
    await box.retry([first]);
    await until('it is handled', () => handled.length === 1);
    expect(handled).toEqual([sent[0]]);
    const after = await box.letters();
    expect(after).toHaveLength(2);
    expect(after.filter(({ retriedAt }) => retriedAt !== null).map(({ id }) => id)).toEqual([first.id]);
  });

  it('says so where no broker answers', async () => {
    const box = new DeadLetterBox({ brokers: ['127.0.0.1:9'], clientId: 'spec' }, [TOPIC]);
    await expect(box.letters()).rejects.toMatchObject({ name: 'BusUnreachableError' });
  });
});
