import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a publisher', () => {
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

  it('is changed by an owner alone, in the fields that are given', async () => {
    const put = (key: string, body: unknown, id = 'acme') => registry.call('PUT', `/publishers/${id}`, key, body);
    expect((await put(ANN, { website: 'https://acme.example' })).body).toMatchObject({
      name: 'acme',
      website: 'https://acme.example',
    });
    expect((await put(ANN, { name: 'Acme', website: null })).body).toMatchObject({
      name: 'Acme',
      website: 'https://acme.example',
    });
    await expected(put('', { name: 'x' }), 401, 'unauthorized');
    await expected(put('key-nobody', { name: 'x' }), 401, 'unauthorized');
    await expected(put(token, { name: 'x' }), 401, 'invalid_token');
    await expected(put(BOB, { name: 'x' }), 403, 'forbidden');
    await expected(put(ANN, { name: 'x' }, 'nobody'), 404, 'not_found');
    await expected(put(ANN, []), 400, 'invalid_request');
    const { message } = await expected(
      put(ANN, { name: 7, logo: 'javascript:1', support: 'a\0' }),
      400,
      'invalid_request',
    );
    for (const field of ['name', 'logo', 'support']) expect(message).toContain(field);
  });
});
