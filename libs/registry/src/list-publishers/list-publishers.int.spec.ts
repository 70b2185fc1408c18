import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const PATH = '/users/publishers';

describe('the publishers of an account', () => {
  let registry: ManagedRegistry;
  let token: string;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    token = await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('are those of which it is a member', async () => {
    expect((await registry.call('GET', PATH, ANN)).body).toMatchObject([{ id: 'acme' }]);
    expect((await registry.call('GET', PATH, BOB)).body).toEqual([]);
  });

  it('are shown to an account alone', async () => {
    await expected(registry.call('GET', PATH), 401, 'unauthorized');
    await expected(registry.call('GET', PATH, token), 401, 'invalid_token');
  });
});
