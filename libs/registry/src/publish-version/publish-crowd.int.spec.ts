import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';

/** Their connections and their lock on the node are waited for longer than a request may wait. */
const CROWD = 300;

describe('many publishes at once', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ versionsDay: 10_000, newNodesDay: 10_000 });
    token = await registry.publisher('acme');
    await registry.publish('acme', 'pack-a', '0.0.1', token);
  });
  afterAll(() => registry.close());

  /** A transaction that keeps the node locked, as a crowd before this one would. */
  async function holdNode(): Promise<() => Promise<void>> {
    const client = await registry.database.owner.connect();
    await client.query('begin');
    await client.query("select from registry.node where node_key = 'pack-a' for update");
    return async () => {
      await client.query('rollback');
      client.release();
    };
  }

  const publish = (at: number) => registry.publish('acme', 'pack-a', `1.0.${at}`, token);

  it('end as versions or are told to come again: none of them fails, and what was refused is not there', async () => {
    const letGo = await holdNode();
    const crowd = Promise.all(Array.from({ length: CROWD }, (_, at) => publish(at)));
    await new Promise((done) => setTimeout(done, 2_500)); // longer than the lock timeout of the role
    await letGo();
    const answers = await crowd;
    const made = answers.filter(({ status }) => status === 201).length;
    const told = answers.filter(({ status }) => status === 429);
    expect(made + told.length).toBe(CROWD);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map(({ body, retryAfter }) => `${body.error} ${retryAfter}`))).toEqual(
      new Set(['rate_limited 1']),
    );
    const { rows } = await registry.database.owner.query('select count(*)::int as stored from registry.version');
    expect(rows).toEqual([{ stored: made + 1 }]);
  });
});
