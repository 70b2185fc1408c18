import { REGISTRY_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { RegistryMessage } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import type { BusMessage, MessageBus } from '@heddle/platform-message-bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER, testRegistry } from '../registry.fixture.js';
import type { TestRegistry } from '../registry.fixture.js';

/** A bus whose broker goes away when the test says so, also after it has taken a batch. */
class UnsteadyBus implements MessageBus {
  readonly #memory = new MemoryMessageBus();
  isAway = false;
  losesAnswers = 0;

  async publish(topic: string, messages: readonly BusMessage[]): Promise<void> {
    if (this.isAway) throw new Error('no broker');
    await this.#memory.publish(topic, messages);
    if (this.losesAnswers > 0) {
      this.losesAnswers -= 1;
      throw new Error('no answer');
    }
  }

  subscribe(...given: Parameters<MessageBus['subscribe']>): ReturnType<MessageBus['subscribe']> {
    return this.#memory.subscribe(...given);
  }

  async close(): Promise<void> {
    await this.#memory.close();
  }
}

describe('the events of the registry on the bus', () => {
  const bus = new UnsteadyBus();
  const got: BusMessage<RegistryMessage>[] = [];
  let registry: TestRegistry;

  beforeAll(async () => {
    await bus.subscribe(REGISTRY_EVENTS_TOPIC, 'follower', (batch) => {
      got.push(...(batch as readonly BusMessage<RegistryMessage>[]));
      return Promise.resolve();
    });
    registry = await testRegistry({}, [], bus);
  });
  afterAll(async () => {
    await registry.close();
    await bus.close();
  });

  const call = async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${OWNER}` };
    const answer = await fetch(registry.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  /** The log by number: events of one commit that are of two streams have any order between them. */
  const logged = async (): Promise<{ id: string; type: string; key: string; seq: number }[]> => {
    const { rows } = await registry.database.owner.query<{ id: string; type: string; key: string; seq: number }>(
      `select e.event_id as id, e.type, e.stream_id as key, s.seq::integer as seq
       from registry.event e left join registry.event_seq s using (txid, position) order by s.seq nulls last, position`,
    );
    return rows;
  };
  /** By number: the bus keeps the order of one key alone. */
  const inOrder = (): BusMessage<RegistryMessage>[] =>
    [...new Map(got.map((message) => [message.payload.seq, message])).values()].sort(
      (one, other) => one.payload.seq - other.payload.seq,
    );
  const numbersOfKeys = (): number[][] =>
    [...Map.groupBy(new Map(got.map((message) => [message.id, message])).values(), ({ key }) => key).values()].map(
      (messages) => messages.map(({ payload }) => payload.seq),
    );
  const untilAll = async (): Promise<void> => {
    const seen = (): unknown[] => inOrder().map(({ id, type, key, payload: { seq } }) => ({ id, type, key, seq }));
    await expect.poll(async () => (await logged()).map(({ seq }) => seq), { timeout: 10_000 }).not.toContain(null);
    const all = await logged();
    await expect.poll(seen, { timeout: 10_000 }).toEqual(all);
    expect(inOrder().map(({ payload }) => payload.seq)).toEqual(all.map((_, at) => at + 1));
    for (const numbers of numbersOfKeys()) expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  };

  it('are those of the log, those of a stream in its order and by its key', async () => {
    await call('POST', '/publishers', { id: 'acme', name: 'Acme' });
    const { token } = await call('POST', '/publishers/acme/tokens', { name: 'ci' });
    await call('POST', '/publishers/acme/nodes/Pack-A/versions', {
      node: {},
      node_version: { version: '1.0.0' },
      personal_access_token: token,
    });
    await call('POST', '/nodes/Pack-A/reports', { reason: 'spam', message: 'for the operator alone' });
    await untilAll();
    const about = inOrder().map(({ type, payload }) => [type, payload.publisher, payload.nodeId, payload.nodeVersion]);
    expect(about).toHaveLength(4);
    expect(about).toEqual(
      expect.arrayContaining([
        ['PublisherCreated', 'acme', '', ''],
        ['NodeCreated', '', 'Pack-A', ''],
        ['VersionPublished', '', 'Pack-A', '1.0.0'],
        ['NodeReported', '', 'Pack-A', ''],
      ]),
    );
    const text = JSON.stringify(got);
    for (const secret of ['for the operator alone', 'account:', 'token:', 'hdr_', String(token)])
      expect(text).not.toContain(secret);
  });

  it('come after an outage, and again when the broker did not say that it has them', async () => {
    bus.isAway = true;
    for (let at = 0; at < 3; at += 1) await call('PUT', '/publishers/acme/nodes/Pack-A', { description: `d${at}` });
    bus.isAway = false;
    await untilAll();
    bus.losesAnswers = 1;
    await call('PUT', '/publishers/acme/nodes/Pack-A', { description: 'again' });
    const last = (await logged()).length;
    await expect.poll(() => got.filter(({ payload }) => payload.seq === last).length).toBe(2);
    await untilAll();
  });

  it('are told to lag while no broker takes them', async () => {
    const lag = async (): Promise<number> =>
      Number(/^heddle_registry_relay_lag_seconds(?:\{\})? (\S+)$/m.exec(await registry.metrics.metrics())?.[1]);
    bus.isAway = true;
    await call('PUT', '/publishers/acme/nodes/Pack-A', { description: 'late' });
    // The lag is read every 5 s.
    await expect.poll(lag, { timeout: 20_000, interval: 200 }).toBeGreaterThan(2);
    bus.isAway = false;
    await untilAll();
    await expect.poll(lag, { timeout: 20_000, interval: 200 }).toBe(0);
  });
});
