import { describe, expect, it } from 'vitest';
import { BusClosedError, BusFullError } from '../bus/message-bus.js';
import { aMessage, gate } from '../bus/message-bus.suite.js';
import { recordOf } from './message-record.js';
import { PublishQueue, type SendRecords } from './publish-queue.js';

const LIMITS = { waitingMessages: 100, waitingBytes: 10_000_000, publishWithinMs: 30_000 };
const records = (count: number, payload: unknown = null) =>
  Array.from({ length: count }, (_, i) => recordOf('topic', aMessage('job', i, payload), 4_000_000));

function recorded(send: SendRecords): { sizes: number[]; send: SendRecords } {
  const sizes: number[] = [];
  return {
    sizes,
    send: async (batch, deadline) => {
      sizes.push(batch.length);
      await send(batch, deadline);
    },
  };
}

describe('batches in front of the client', () => {
  it('send a lone record at once, and what comes meanwhile together', async () => {
    const first = gate();
    const { sizes, send } = recorded(async () => await first.opened);
    const queue = new PublishQueue(send, LIMITS);
    const published = [queue.add(records(1)), queue.add(records(2))];
    await Promise.resolve();
    await Promise.resolve();
    published.push(queue.add(records(3)), queue.add(records(4)));
    first.open();
    await Promise.all(published);
    expect(sizes).toEqual([3, 7]);
  });

  it('are bounded in bytes, a larger record going alone', async () => {
    const { sizes, send } = recorded(async () => await Promise.resolve());
    const queue = new PublishQueue(send, LIMITS);
    await queue.add([...records(4, 'x'.repeat(300_000)), ...records(1, 'x'.repeat(2_000_000)), ...records(1)]);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  it('refuse what would pass the bound, and take it when there is room', async () => {
    const first = gate();
    const queue = new PublishQueue(async () => await first.opened, LIMITS);
    const published = [queue.add(records(1))];
    await Promise.resolve();
    await Promise.resolve();
    published.push(queue.add(records(90)));
    await expect(queue.add(records(11))).rejects.toThrow(BusFullError);
    published.push(queue.add(records(10)));
    first.open();
    await Promise.all(published);
    await queue.add(records(500));
  });

  it('fail a publish as a whole, and only it', async () => {
    let calls = 0;
    const queue = new PublishQueue(async () => {
      await Promise.resolve();
      if (++calls === 1) throw new Error('no broker');
    }, LIMITS);
    const first = queue.add(records(1));
    await Promise.resolve();
    await Promise.resolve();
    const second = queue.add(records(2));
    await expect(first).rejects.toThrow('no broker');
    await second;
    expect(calls).toBe(2);
  });

  it('reject what waited past its time together with the request that failed', async () => {
    const first = gate();
    let calls = 0;
    const queue = new PublishQueue(
      async () => {
        calls++;
        await first.opened;
        throw new Error('no broker');
      },
      { ...LIMITS, publishWithinMs: 0 },
    );
    const publishing = [queue.add(records(1)), queue.add(records(1))].map(async (one) => await one.catch(String));
    await Promise.resolve();
    await Promise.resolve();
    publishing.push(queue.add(records(1)).catch(String) as Promise<string>);
    first.open();
    expect(await Promise.all(publishing)).toEqual([
      'Error: no broker',
      'Error: no broker',
      'BusUnreachableError: No broker took the message in time.',
    ]);
    expect(calls).toBe(1);
  });

  it('refuse what comes after the end, and what is not under way by then', async () => {
    const queue = new PublishQueue(async () => await new Promise(() => undefined), LIMITS);
    void queue.add(records(1));
    await Promise.resolve();
    await Promise.resolve();
    const waiting = queue.add(records(1)).catch((error: unknown) => error);
    await queue.close(0);
    expect(await waiting).toBeInstanceOf(BusClosedError);
    await expect(queue.add(records(1))).rejects.toThrow(BusClosedError);
  });
});
