import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme', ANN);
    await registry.publisher('other', BOB);
    await registry.call('POST', '/publishers/acme/nodes', ANN, { id: 'pack-v' });
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('that is deleted stays so, and its id is never free again', async () => {
    const path = '/publishers/acme/nodes/pack-v';
    await expected(registry.call('DELETE', path, BOB), 403, 'forbidden');
    expect((await registry.call('DELETE', path, ANN)).status).toBe(204);
    expect((await registry.call('DELETE', path, ANN)).status).toBe(204);
    await expected(registry.call('DELETE', '/publishers/acme/nodes/nothing', ANN), 404, 'not_found');
    await expected(registry.call('GET', '/nodes/pack-v'), 404, 'not_found');
    await expected(registry.call('PUT', path, ANN, {}), 404, 'not_found');
    await expected(registry.call('POST', '/publishers/acme/nodes', ANN, { id: 'pack-v' }), 409, 'node_exists');
    await expected(registry.publish('acme', 'pack-v', '9.0.0', token), 409, 'node_exists');
  });
});
