import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.publisher('acme', ANN);
    await registry.publisher('other', BOB);
    const make = (body: object) => registry.call('POST', '/publishers/acme/nodes', ANN, body);
    await make({ id: 'pack-a', repository: 'https://github.com/acme/pack-a.git' });
    await make({ id: 'pack-v' });
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };

  it('is changed in the fields that are given', async () => {
    const put = (body: unknown, key = ANN, node = 'pack-v') =>
      registry.call('PUT', `/publishers/acme/nodes/${node}`, key, body);
    expect((await put({ description: 'd', tags: ['t'] })).body).toMatchObject({
      name: 'pack-v',
      description: 'd',
      tags: ['t'],
    });
    expect((await put({ id: 'PACK-V', tags: [] })).body).toMatchObject({ description: 'd', tags: [] });
    await expected(put({ id: 'pack-w' }), 400, 'invalid_request');
    await expected(put({ repository: 'https://github.com/acme/pack-a' }), 409, 'repository_taken');
    await expected(put({}, BOB), 403, 'forbidden');
    await expected(put({}, ANN, 'nothing'), 404, 'not_found');
    await expected(registry.call('PUT', '/publishers/other/nodes/pack-v', BOB, {}), 403, 'forbidden');
  });

  it('takes no text that cannot be stored, and no deep object', async () => {
    const path = '/publishers/acme/nodes/pack-v';
    let deep: object = {};
    for (let level = 0; level < 9; level++) deep = { a: deep };
    for (const body of [
      { name: '\ud800' },
      { tags: ['x\udfff'] },
      { translations: deep },
      { translations: { a: '\ud800' } },
    ])
      await expected(registry.call('PUT', path, ANN, body), 400, 'invalid_request');
    await expected(registry.call('PUT', path, ANN, { translations: { de: { name: 'Paket' } } }), 200);
  });
});
