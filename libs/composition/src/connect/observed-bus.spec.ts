import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { describeMessageBus } from '@heddle/platform-message-bus/message-bus-suite';
import { MetricsRegistry } from '@heddle/platform-telemetry';
import { describe, expect, it } from 'vitest';
import { ObservedBus } from './observed-bus.js';

const message = (id: string): BusMessage => ({ key: 'k', id, type: 't', payload: 1, headers: { traceparent: 'x' } });

describeMessageBus(
  'a bus that is observed',
  async (options) => await Promise.resolve(new ObservedBus(new MemoryMessageBus(options), new MetricsRegistry(), null)),
);

describe('a bus that is observed, beyond what every bus does', () => {
  it('counts what was taken and handled, each by its topic, and hands headers on as they are', async () => {
    const metrics = new MetricsRegistry();
    const bus = new ObservedBus(new MemoryMessageBus(), metrics, null);
    const seen: BusMessage[] = [];
    await bus.subscribe('topic', 'group', (batch) => {
      seen.push(...batch);
      return Promise.resolve();
    });
    await bus.publish('topic', [message('1'), message('2')]);
    await bus.close();
    expect(seen.map(({ headers }) => headers)).toEqual([{ traceparent: 'x' }, { traceparent: 'x' }]);
    const text = await metrics.metrics();
    expect(text).toContain('heddle_bus_published_total{topic="topic"} 2\n');
    expect(text).toContain('heddle_bus_handled_total{topic="topic",group="group"} 2\n');
  });

  it('counts what was refused and tells who published', async () => {
    const metrics = new MetricsRegistry();
    const full: MessageBus = {
      publish: () => Promise.reject(new Error('full')),
      subscribe: () => Promise.resolve({ close: () => Promise.resolve() }),
      close: () => Promise.resolve(),
    };
    const bus = new ObservedBus(full, metrics, null);
    await expect(bus.publish('topic', [message('1')])).rejects.toThrow('full');
    expect(await metrics.metrics()).toContain('heddle_bus_publish_failures_total{topic="topic"} 1\n');
    expect(await metrics.metrics()).not.toContain('heddle_bus_published_total{');
  });
});
