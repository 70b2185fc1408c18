import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS } from '../known-accounts.fake.js';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

describe('a publisher', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme');
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('is shown to everybody, without addresses', async () => {
    const { body } = await registry.call('GET', '/publishers/acme');
    expect(body).toMatchObject({ id: 'acme', name: 'acme', status: 'PublisherStatusActive' });
    expect(body.members).toMatchObject([{ role: 'owner', user: { id: ACCOUNTS.ann, email: '' } }]);
    await expected(registry.call('GET', '/publishers/nobody'), 404, 'not_found');
    await expected(registry.call('GET', '/publishers/a%00b'), 400, 'invalid_request');
  });
});
