import { Controller, Module, UseFilters, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusClosedError, type BusMessage, type DeadLetter, type MessageBus } from '../bus/message-bus.js';
import { aMessage, gate, until } from '../bus/message-bus.suite.js';
import { MemoryMessageBus } from '../memory-bus/memory-message-bus.js';
import { BusContext, MessageBusStrategy } from './message-bus-strategy.js';
import { MessageFailureFilter } from './message-failure.filter.js';

const TOPIC = 'heddle.sample.events.v1';
const heard: string[] = [];
let refuse = 0;

@Controller()
@UseFilters(MessageFailureFilter)
class Readers {
  @EventPattern<string>(TOPIC, { group: 'first' })
  async first(@Payload() batch: BusMessage[], @Ctx() context: BusContext): Promise<void> {
    await Promise.resolve();
    if (refuse-- > 0) throw new Error('first cannot');
    heard.push(`${context.group} of ${context.topic}: ${batch.map(({ id }) => id).join(' ')}`);
  }

  @EventPattern(TOPIC)
  second(batch: BusMessage[]): void {
    heard.push(`second: ${batch.map(({ id }) => id).join(' ')}`);
  }
}

@Module({ controllers: [Readers] })
class Sample {}

describe('handlers of the message bus', () => {
  let app: INestMicroservice;
  let bus: MemoryMessageBus;
  let letters: DeadLetter[];

  beforeEach(async () => {
    heard.length = 0;
    letters = [];
    bus = new MemoryMessageBus({ attempts: 2, backoffMs: 1, onDeadLetter: (letter) => letters.push(letter) });
    app = await NestFactory.createMicroservice(Sample, {
      strategy: new MessageBusStrategy(bus, 'default'),
      logger: false,
    });
    await app.listen();
  });
  afterEach(async () => {
    await app.close();
    await bus.close();
  });

  it('each get whole batches, and their context', async () => {
    await bus.publish(TOPIC, [aMessage('job', 1), aMessage('job', 2)]);
    expect(heard.sort()).toEqual([`first of ${TOPIC}: 1 2`, 'second: 1 2']);
  });

  it('repeat alone when they fail, and the bus waits for them', async () => {
    refuse = 1;
    await bus.publish(TOPIC, [aMessage('job', 1)]);
    expect(heard.sort()).toEqual([`first of ${TOPIC}: 1`, 'second: 1']);
  });

  it('leave their reason in the dead letter', async () => {
    refuse = 2;
    await bus.publish(TOPIC, [aMessage('job', 1)]);
    await until('the letter came', () => letters.length === 1);
    expect(letters[0]).toMatchObject({ group: 'first', reason: 'first cannot', attempts: 2 });
    expect(heard).toEqual(['second: 1']);
  });

  it('end with their application, after what is in hand', async () => {
    await app.close();
    // Later messages stay with the publisher for the next application.
    await expect(bus.publish(TOPIC, [aMessage('job', 1)])).rejects.toThrow(BusClosedError);
    expect(heard).toEqual([]);
  });
});

describe('a strategy', () => {
  it('lets messages wait for a batch as long as their handler says, and not at all in a hurry', async () => {
    const asked = new Map<string, () => number>();
    const bus: MessageBus = {
      publish: async () => await Promise.resolve(),
      subscribe: async (_, group, __, { batchWaitMs } = {}) => {
        asked.set(group, batchWaitMs ?? (() => NaN));
        return await Promise.resolve({ close: async () => await Promise.resolve() });
      },
      close: async () => await Promise.resolve(),
    };
    let isHurried = false;
    const strategy = new MessageBusStrategy(bus, 'default', () => isHurried);
    const handler = async (): Promise<void> => await Promise.resolve();
    strategy.addHandler(TOPIC, handler, true, { group: 'patient', batchWaitMs: 100 });
    strategy.addHandler(TOPIC, handler, true, { group: 'prompt' });
    await new Promise((resolve) => strategy.listen(resolve));
    const told = (): (number | undefined)[] => ['patient', 'prompt'].map((group) => asked.get(group)?.());
    expect(told()).toEqual([100, 0]);
    isHurried = true;
    expect(told()).toEqual([0, 0]);
  });

  it('subscribes handlers that every process needs as such, and the others as members of their group', async () => {
    const bus = new MemoryMessageBus();
    const got: string[] = [];
    const strategies = ['a', 'b'].map((process) => {
      const strategy = new MessageBusStrategy(bus, 'default');
      const note = (kind: string) => async () => await Promise.resolve(void got.push(`${kind} ${process}`));
      strategy.addHandler(TOPIC, note('every'), true, { group: 'live', everyProcess: true });
      strategy.addHandler(TOPIC, note('shared'), true, { group: 'shared' });
      return strategy;
    });
    for (const strategy of strategies) {
      await new Promise<void>((resolve, reject) =>
        strategy.listen((error) => (error ? reject(error as Error) : resolve())),
      );
    }
    await bus.publish(TOPIC, [aMessage('job', 1)]);
    expect(got.filter((one) => one.startsWith('every')).sort()).toEqual(['every a', 'every b']);
    expect(got.filter((one) => one.startsWith('shared'))).toHaveLength(1);
    await bus.close();
  });

  it('subscribes its handlers side by side, so that they share the wait for a broker that is away', async () => {
    const memory = new MemoryMessageBus();
    const all = gate();
    let asked = 0;
    const slow: MessageBus = {
      publish: async (...args) => await memory.publish(...args),
      subscribe: async (...args) => {
        if (++asked === 3) all.open();
        await all.opened;
        return await memory.subscribe(...args);
      },
      close: async () => await memory.close(),
    };
    const strategy = new MessageBusStrategy(slow, 'default');
    const handler = async (): Promise<void> => await Promise.resolve();
    for (const group of ['a', 'b', 'c']) strategy.addHandler(TOPIC, handler, true, { group });
    await new Promise<void>((resolve, reject) =>
      strategy.listen((error) => (error ? reject(error as Error) : resolve())),
    );
    await strategy.close();
    await slow.close();
  });

  it('refuses two handlers of one topic in one group, and patterns that are no topic', () => {
    const strategy = new MessageBusStrategy(new MemoryMessageBus(), 'default');
    const handler = async (): Promise<void> => await Promise.resolve();
    strategy.addHandler(TOPIC, handler, true);
    expect(() => strategy.addHandler(TOPIC, handler, true)).toThrow('each would see half');
    expect(() => strategy.addHandler({ cmd: 'x' }, handler, true)).toThrow('named topics only');
    expect(() => strategy.addHandler(TOPIC, handler, false)).toThrow('named topics only');
  });
});
