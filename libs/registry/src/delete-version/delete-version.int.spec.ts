import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const ANN = 'key-ann';
const VERSION = '/publishers/acme/nodes/pack-a/versions/1.0.0';

describe('a version', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme', ANN, { actions: ['publish', 'delete'] });
    await registry.active('acme', 'pack-a', '1.0.0', token);
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('is not deleted by a token without the action', async () => {
    const { body } = await registry.call('POST', '/publishers/acme/tokens', ANN, { name: 'w', actions: ['publish'] });
    await expected(registry.call('DELETE', VERSION, body.token), 403, 'forbidden');
  });

  it('is deleted once; its number is never free again', async () => {
    for (const bearer of [token, ANN]) expect((await registry.call('DELETE', VERSION, bearer)).status).toBe(204);
    await expected(registry.call('PUT', VERSION, ANN, { deprecated: true }), 404, 'not_found');
    await expected(registry.publish('acme', 'pack-a', '1.0.0', token), 409, 'version_exists');
  });
});
