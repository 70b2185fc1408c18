import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];
const TOKENS = '/publishers/acme/tokens';

describe('a token of a publisher', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme');
    await registry.publisher('other', BOB);
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('is ended by an owner, and is good for nothing from then on', async () => {
    const { body: made } = await registry.call('POST', TOKENS, ANN, { name: 'second' });
    expect((await registry.call('DELETE', `${TOKENS}/${made.id}`, ANN)).status).toBe(204);
    expect((await registry.call('GET', TOKENS, ANN)).body).toHaveLength(1);
    await expected(registry.publish('acme', 'pack-a', '1.0.0', made.token), 401, 'invalid_token');
    await expected(registry.call('GET', '/publishers/acme', made.token), 401, 'invalid_token');
  });

  it('is not ended by strangers, nor by an id that the publisher does not have', async () => {
    const { body: made } = await registry.call('POST', TOKENS, ANN, { name: 'third' });
    await expected(registry.call('DELETE', `${TOKENS}/${made.id}`, BOB), 403, 'forbidden');
    await expected(registry.call('DELETE', `/publishers/other/tokens/${made.id}`, BOB), 404, 'not_found');
    const { message } = await expected(registry.call('DELETE', `${TOKENS}/nonsense`, ANN), 404, 'not_found');
    expect(message).toContain('"nonsense"');
  });
});
