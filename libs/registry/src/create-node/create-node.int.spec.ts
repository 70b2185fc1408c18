import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open({ reserved: new Set(['core-pack']), newNodesDay: 6 });
    token = await registry.publisher('acme', ANN);
    await registry.publisher('other', BOB);
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };
  const make = (body: unknown, key = ANN, publisher = 'acme') =>
    registry.call('POST', `/publishers/${publisher}/nodes`, key, body);

  it('is made by an owner, once for ever, and never to look like another one', async () => {
    const repository = 'https://github.com/acme/pack-a.git';
    expect(await expected(make({ id: 'Pack-A', repository }), 201)).toMatchObject({ id: 'Pack-A', name: 'Pack-A' });
    await expected(make({ id: 'pack-a' }), 409, 'node_exists');
    await expected(make({ id: 'pack-a' }, BOB, 'other'), 409, 'node_exists');
    await expected(make({ id: 'pack_A' }), 409, 'name_too_similar');
    await expected(make({ id: 'x1', repository: 'http://github.com/ACME/pack-a/' }), 409, 'repository_taken');
    await expected(make({ id: 'Core-Pack' }), 403, 'forbidden');
    await expected(registry.publish('acme', 'core-pack', '1.0.0', token), 403, 'forbidden');
    for (const body of [
      {},
      { id: '_x' },
      { id: 'x-' },
      { id: 'a'.repeat(101) },
      { id: 7 },
      { id: 'y', icon: 'javascript:1' },
    ]) {
      await expected(make(body), 400, 'invalid_request');
    }
    await expected(make({ id: 'y' }, ''), 401, 'unauthorized');
    await expected(make({ id: 'y' }, token), 401, 'invalid_token');
    await expected(make({ id: 'y' }, BOB), 403, 'forbidden');
  });

  it('is one of two that are made at once', async () => {
    const made = await Promise.all([make({ id: 'pack-r' }), make({ id: 'PACK_R' }), make({ id: 'Pack-R' })]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const at = { repository: 'https://gitlab.com/acme/once' };
    const named = await Promise.all([make({ id: 'one-a', ...at }), make({ id: 'one-b', ...at })]);
    expect(named.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('of a publisher with as many new nodes as a day may have waits', async () => {
    const refused: number[] = [];
    for (const id of ['more-q', 'more-w', 'more-e', 'more-z']) refused.push((await make({ id })).status);
    expect(refused).toContain(429);
    await expected(make({ id: 'more-u' }), 429, 'rate_limited');
  });
});
