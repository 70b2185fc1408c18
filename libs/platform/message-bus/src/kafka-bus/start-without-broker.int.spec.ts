import { afterEach, describe, expect, it } from 'vitest';
import { BusClosedError } from '../bus/message-bus.js';
import { checkTopics } from './ensure-topics.js';
import { KafkaMessageBus } from './kafka-message-bus.js';

const nobody = async (): Promise<void> => await Promise.resolve();
/** An address where nothing listens. */
const AWAY = { brokers: ['127.0.0.1:9'], clientId: 'spec' };
const LONG_MS = 600_000;

describe('a start without a broker', () => {
  const buses: KafkaMessageBus[] = [];
  afterEach(async () => {
    await Promise.all(buses.splice(0).map(async (bus) => await bus.close()));
  });

  it('waits in connecting alone: subscriptions go on in the background at once', async () => {
    const bus = await KafkaMessageBus.connect({ ...AWAY, startPatienceMs: 100 });
    buses.push(bus);
    const begun = performance.now();
    for (const group of ['a', 'b', 'c', 'd']) await bus.subscribe('topic', group, nobody, { everyProcess: true });
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(bus.health().connected).toBe(false);
  });

  it('ends as soon as it is told to, however patient it is', async () => {
    const stopping = new AbortController();
    const options = { ...AWAY, startPatienceMs: LONG_MS, signal: stopping.signal };
    const connecting = KafkaMessageBus.connect(options);
    const looking = checkTopics(options, [], { withinMs: LONG_MS });
    setImmediate(() => stopping.abort());
    await Promise.all([
      expect(connecting).rejects.toThrow(BusClosedError),
      expect(looking).rejects.toThrow(BusClosedError),
    ]);
    await expect(KafkaMessageBus.connect(options)).rejects.toThrow(BusClosedError);
  });
});
