import { describe, expect, it } from 'vitest';
import { BusClosedError, BusFullError, type BusMessage } from '../bus/message-bus.js';
import { aMessage, describeMessageBus, gate, until } from '../bus/message-bus.suite.js';
import { MemoryMessageBus } from './memory-message-bus.js';

describeMessageBus('the bus in memory', async (options) => await Promise.resolve(new MemoryMessageBus(options)));

const TOPIC = 'topic';

describe('the bus in memory, beyond what every bus does', () => {
  it('confirms a publish only when every group has handled it, so that a crash before leaves it with the publisher', async () => {
    const bus = new MemoryMessageBus();
    const slow = gate();
    let confirmed = false;
    let fast = 0;
    await bus.subscribe(TOPIC, 'fast', async (batch) => {
      fast += batch.length;
      await Promise.resolve();
    });
    await bus.subscribe(TOPIC, 'slow', async () => await slow.opened);
    const published = bus.publish(TOPIC, [aMessage('job', 1)]).then(() => (confirmed = true));
    await until('the fast one is done', () => fast === 1);
    expect(confirmed).toBe(false);
    slow.open();
    await published;
  });

  it('lets publishers wait in line when a group is full, in order, and refuses those beyond the line', async () => {
    const bus = new MemoryMessageBus({ capacity: 3, waitingPublishers: 2 });
    const handled: string[] = [];
    const first = gate();
    await bus.subscribe(TOPIC, 'group', async (batch) => {
      await first.opened;
      handled.push(...batch.map(({ id }) => id));
    });
    const published = [
      bus.publish(TOPIC, [aMessage('job', 1), aMessage('job', 2)]),
      bus.publish(TOPIC, [aMessage('job', 3), aMessage('job', 4)]),
      bus.publish(TOPIC, [aMessage('job', 5)]),
    ];
    await expect(bus.publish(TOPIC, [aMessage('job', 6)])).rejects.toThrow(BusFullError);
    first.open();
    await Promise.all(published);
    expect(handled).toEqual(['1', '2', '3', '4', '5']);
  });

  it('takes nothing for a group that everybody has left, until somebody is back', async () => {
    const bus = new MemoryMessageBus();
    const handled: string[] = [];
    const handle = async (batch: readonly BusMessage[]): Promise<void> => {
      handled.push(...batch.map(({ id }) => id));
      await Promise.resolve();
    };
    await bus.subscribe(TOPIC, 'stays', async () => await Promise.resolve());
    await bus.subscribe(TOPIC, 'own', handle, { everyProcess: true }).then(async (own) => await own.close());
    const subscription = await bus.subscribe(TOPIC, 'leaves', handle);
    await bus.publish(TOPIC, [aMessage('job', 1)]);
    await subscription.close();
    await expect(bus.publish(TOPIC, [aMessage('job', 2)])).rejects.toThrow(BusClosedError);
    await bus.subscribe(TOPIC, 'leaves', handle);
    await bus.publish(TOPIC, [aMessage('job', 2)]);
    expect(handled).toEqual(['1', '2']);
  });

  it('takes a publish that is larger than its capacity when it is empty', async () => {
    const bus = new MemoryMessageBus({ capacity: 3 });
    let handled = 0;
    await bus.subscribe(TOPIC, 'group', async (batch) => {
      handled += batch.length;
      await Promise.resolve();
    });
    await bus.publish(
      TOPIC,
      Array.from({ length: 50 }, (_, i) => aMessage('job', i)),
    );
    expect(handled).toBe(50);
  });

  it('gives what it still holds back to the publishers when it ends', async () => {
    const bus = new MemoryMessageBus({ batchSize: 1, capacity: 2 });
    const begun = gate();
    const finish = gate();
    await bus.subscribe(TOPIC, 'group', async () => {
      begun.open();
      await finish.opened;
    });
    const published = [1, 2, 3].map(
      async (id) =>
        await bus.publish(TOPIC, [aMessage('job', id)]).then(
          () => 'safe',
          (error: unknown) => error,
        ),
    );
    await begun.opened;
    const closed = bus.close();
    finish.open();
    await closed;
    expect(await Promise.all(published)).toEqual(['safe', expect.any(BusClosedError), expect.any(BusClosedError)]);
  });

  it('handles other keys while one waits to be repeated', async () => {
    const bus = new MemoryMessageBus({ lanes: 2, attempts: 2, backoffMs: 300 });
    const handled: string[] = [];
    const subscription = await bus.subscribe(TOPIC, 'group', async (batch) => {
      if (batch.some(({ key }) => key === 'a')) throw new Error('not a');
      handled.push(...batch.map(({ key }) => key));
      await Promise.resolve();
    });
    const stuck = bus.publish(TOPIC, [aMessage('a', 1)]);
    await bus.publish(TOPIC, [aMessage('b', 2)]);
    expect(handled).toEqual(['b']);
    await stuck;
    await subscription.close();
  });
});
