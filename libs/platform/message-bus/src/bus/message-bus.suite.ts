import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BusMessage, DeadLetter, DeliveryOptions, DeliveryWait, MessageBus } from './message-bus.js';

/** A bus on which this topic exists and is empty. */
export type MakeBus = (options: DeliveryOptions, topic: string) => Promise<MessageBus>;

export function aMessage(key: string, id: string | number, payload: unknown = {}): BusMessage {
  return { key, id: String(id), type: 'SampleHappened', payload, headers: { source: 'test' } };
}

/** A promise that the test resolves. */
export function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export async function until(what: string, condition: () => boolean, withinMs = 20_000): Promise<void> {
  for (const deadline = Date.now() + withinMs; !condition();) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

class Outage extends Error {}

let topics = 0;

/** The contract of every message bus; each implementation runs this suite. */
export function describeMessageBus(name: string, makeBus: MakeBus): void {
  describe(name, () => {
    let topic: string;
    let bus: MessageBus;
    let letters: DeadLetter[];
    let waits: DeliveryWait[];

    beforeEach(async () => {
      letters = [];
      waits = [];
      topic = `heddle.sample-${++topics}.events.v1`;
      const options = {
        attempts: 3,
        backoffMs: 2,
        batchSize: 50,
        onDeadLetter: (letter: DeadLetter) => letters.push(letter),
        isOutage: (failure: unknown) => failure instanceof Outage,
        onOutage: (wait: DeliveryWait) => waits.push(wait),
      };
      bus = await makeBus(options, topic);
    });
    afterEach(async () => {
      await bus.close();
    });

    const ids = (batch: readonly BusMessage[]): string[] => batch.map(({ id }) => id);

    it('gives every group every message, as it was published', async () => {
      const got: Record<string, BusMessage[]> = { one: [], two: [] };
      for (const group of ['one', 'two']) {
        await bus.subscribe(topic, group, async (batch) => {
          got[group]?.push(...batch);
          await Promise.resolve();
        });
      }
      const message = aMessage('job', 1, { text: 'é\u0000', nested: [1, { deep: null }] });
      await bus.publish(topic, [message]);
      await until('both have it', () => got['one']?.length === 1 && got['two']?.length === 1);
      expect(got).toEqual({ one: [message], two: [message] });
    });

    it('keeps the order of each key', async () => {
      const seed = randomInt(1_000);
      const got = new Map<string, string[]>();
      await bus.subscribe(topic, 'group', async (batch) => {
        for (const { key, id } of batch) {
          got.set(key, [...(got.get(key) ?? []), id]);
          if ((id.length + seed) % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
      const sent = Array.from({ length: 600 }, (_, i) => aMessage(keys[(i * 7 + seed) % keys.length] ?? 'a', i));
      const published: Promise<void>[] = [];
      for (let i = 0; i < sent.length; i += 30) published.push(bus.publish(topic, sent.slice(i, i + 30)));
      await Promise.all(published);
      await until('all came', () => [...got.values()].flat().length === 600);
      for (const key of keys)
        expect(got.get(key), `seed ${seed}`).toEqual(ids(sent.filter((message) => message.key === key)));
    });

    it('hands over in batches what arrived meanwhile, never more than the limit', async () => {
      const sizes: number[] = [];
      const first = gate();
      await bus.subscribe(topic, 'group', async (batch) => {
        sizes.push(batch.length);
        await first.opened;
      });
      const published = [bus.publish(topic, [aMessage('job', 0)])];
      await until('the handler is busy', () => sizes.length === 1);
      published.push(
        bus.publish(
          topic,
          Array.from({ length: 120 }, (_, i) => aMessage('job', i + 1)),
        ),
      );
      first.open();
      await Promise.all(published);
      await until('all came', () => sizes.reduce((a, b) => a + b, 0) === 121);
      expect(Math.max(...sizes)).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
    });

    it('repeats what a handler refused, without letting later messages of the key pass', async () => {
      const handled: string[] = [];
      let refusals = 0;
      await bus.subscribe(topic, 'group', async (batch) => {
        for (const { id } of batch) {
          if (id === '2' && refusals < 2) {
            refusals++;
            throw new Error('not now');
          }
          handled.push(id);
        }
        await Promise.resolve();
      });
      await bus.publish(
        topic,
        [1, 2, 3].map((id) => aMessage('job', id)),
      );
      await until('all came', () => handled.includes('3'));
      expect(handled.filter((id, i) => handled.indexOf(id) === i)).toEqual(['1', '2', '3']);
      expect(letters).toEqual([]);
    });

    it('gives a message up after the last attempt, says why, and goes on behind it', async () => {
      const handled: string[] = [];
      let refusals = 0;
      await bus.subscribe(topic, 'group', async (batch) => {
        if (batch.some(({ id }) => id === 'poison')) {
          if (batch.length === 1) refusals++;
          throw new Error('cannot be read');
        }
        handled.push(...ids(batch));
        await Promise.resolve();
      });
      const poison = aMessage('job', 'poison');
      await bus.publish(topic, [aMessage('job', 1), poison, aMessage('job', 2), aMessage('other', 3)]);
      await until('the others came', () => ['1', '2', '3'].every((id) => handled.includes(id)));
      await until('the letter came', () => letters.length === 1);
      expect(letters).toEqual([{ topic, group: 'group', message: poison, attempts: 3, reason: 'cannot be read' }]);
      expect(refusals).toBe(3);
    });

    it('waits out whatever is no fault of the message, beyond every attempt, and says so', async () => {
      const handled: string[] = [];
      let refusals = 0;
      await bus.subscribe(topic, 'group', async (batch) => {
        // More refusals than the maximum attempts of a faulty message.
        if (refusals++ < 11) throw new Outage('the database is away');
        handled.push(...ids(batch));
        await Promise.resolve();
      });
      const sent = [1, 2, 3].map((id) => aMessage('job', id));
      await bus.publish(topic, sent);
      await until('all came', () => handled.length >= 3);
      expect([...new Set(handled)]).toEqual(['1', '2', '3']);
      expect(letters).toEqual([]);
      expect(waits.some((wait) => wait.topic === topic && wait.reason === 'the database is away')).toBe(true);
      expect(waits.at(-1)).toEqual({ topic, group: 'group', reason: null });
    });

    it('lets no group wait for the failures of another', async () => {
      const handled: string[] = [];
      await bus.subscribe(topic, 'failing', async () => await Promise.reject(new Error('always')));
      await bus.subscribe(topic, 'working', async (batch) => {
        handled.push(...ids(batch));
        await Promise.resolve();
      });
      const published = bus.publish(
        topic,
        Array.from({ length: 20 }, (_, i) => aMessage('job', i)),
      );
      await until('the working group has all', () => handled.length === 20);
      await published;
      await until('all letters came', () => letters.length === 20);
      expect(new Set(letters.map(({ group }) => group))).toEqual(new Set(['failing']));
    });

    it('shares a group’s keys between its subscribers, each message with one of them', async () => {
      const handled: string[][] = [[], []];
      for (const mine of handled) {
        await bus.subscribe(topic, 'group', async (batch) => {
          mine.push(...ids(batch));
          await Promise.resolve();
        });
      }
      await bus.publish(
        topic,
        Array.from({ length: 200 }, (_, i) => aMessage(`key ${i % 20}`, i)),
      );
      await until('all came', () => handled.flat().length === 200);
      expect(new Set(handled.flat()).size).toBe(200);
      expect(handled.every((mine) => mine.length > 0)).toBe(true);
    });

    it('gives every process every message of an own subscription, beside the groups that share', async () => {
      const handled: string[][] = [[], [], []];
      for (const [i, mine] of handled.entries()) {
        const handle = async (batch: readonly BusMessage[]): Promise<void> => {
          mine.push(...ids(batch));
          await Promise.resolve();
        };
        await bus.subscribe(topic, 'group', handle, { everyProcess: i > 0 });
      }
      const sent = Array.from({ length: 40 }, (_, i) => aMessage(`key ${i % 8}`, i));
      await bus.publish(topic, sent);
      await until('all came to all', () => handled.every((mine) => mine.length === 40));
      for (const mine of handled) expect(new Set(mine)).toEqual(new Set(ids(sent)));
    });

    it('gives up poison between other messages of its key and of others, and each of those comes in order', async () => {
      const handled = new Map<string, number[]>();
      await bus.subscribe(topic, 'group', async (batch) => {
        if (batch.some(({ id }) => Number(id) % 10 === 3)) throw new Error('poison');
        for (const { key, id } of batch) handled.set(key, [...(handled.get(key) ?? []), Number(id)]);
        await Promise.resolve();
      });
      const published: Promise<void>[] = [];
      for (let i = 0; i < 60; i++) published.push(bus.publish(topic, [aMessage(`key ${i % 3}`, i)]));
      await Promise.all(published);
      await until('all came', () => [...handled.values()].flat().length === 54 && letters.length === 6);
      for (const [key, numbers] of handled) expect(numbers, key).toEqual([...numbers].sort((a, b) => a - b));
      expect(letters.map(({ message }) => message.id).sort()).toEqual(['13', '23', '3', '33', '43', '53']);
    });

    it('keeps the order of each key while subscribers come and go, and loses nothing', async () => {
      const seed = randomInt(1_000);
      const handled: string[] = [];
      const handle = async (batch: readonly BusMessage[]): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        handled.push(...batch.map(({ key, id }) => `${key}/${id}`));
      };
      let subscription = await bus.subscribe(topic, 'group', handle);
      const published = (async () => {
        for (let i = 0; i < 400; i += 10) {
          const some = Array.from({ length: 10 }, (_, n) => aMessage(`key ${(i + n + seed) % 7}`, i + n));
          // The in-memory bus refuses messages without a subscriber; publishers retry.
          while ((await bus.publish(topic, some).catch((error: unknown) => error)) !== undefined);
        }
      })();
      for (const share of [80, 160, 240]) {
        await until(`${share} came`, () => new Set(handled).size >= share);
        const [next] = await Promise.all([bus.subscribe(topic, 'group', handle), subscription.close()]);
        subscription = next;
      }
      await published;
      await until('all came', () => new Set(handled).size === 400);
      const firsts = handled.filter((one, i) => handled.indexOf(one) === i);
      for (let key = 0; key < 7; key++) {
        const numbers = firsts.filter((one) => one.startsWith(`key ${key}/`)).map((one) => Number(one.split('/')[1]));
        expect(numbers, `seed ${seed}, key ${key}`).toEqual([...numbers].sort((a, b) => a - b));
      }
    });

    it('waits at its end for the batch in flight, and takes nothing afterwards', async () => {
      const begun = gate();
      const finish = gate();
      let finished = false;
      await bus.subscribe(topic, 'group', async () => {
        begun.open();
        await finish.opened;
        finished = true;
      });
      const published = bus.publish(topic, [aMessage('job', 1)]).catch(() => undefined);
      await begun.opened;
      const closed = bus.close();
      finish.open();
      await closed;
      expect(finished).toBe(true);
      await published;
      await expect(bus.publish(topic, [aMessage('job', 2)])).rejects.toThrow('closed');
    });
  });
}
