import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedRegistry } from '../managed-registry.fixture.js';
import type { Answered } from '../managed-registry.fixture.js';

const [ANN, BOB] = ['key-ann', 'key-bob'];

describe('a node', () => {
  let registry: ManagedRegistry;

  beforeAll(async () => {
    registry = await ManagedRegistry.open();
    await registry.active('acme', 'pack-v', '1.0.0', await registry.publisher('acme', ANN, { actions: ['publish'] }));
  });
  afterAll(() => registry.close());

  const expected = async (sent: Promise<Answered>, status: number, error?: string) => {
    const answer = await sent;
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    return answer.body;
  };
  it('is rated once by an account, the last time counts', async () => {
    const star = (key: string, query: string, node = 'pack-v') =>
      registry.call('POST', `/nodes/${node}/reviews${query}`, key);
    expect((await star(ANN, '?star=1')).body.rating).toBe(1);
    expect((await star(BOB, '?star=2')).body.rating).toBe(1.5);
    expect((await star(ANN, '?star=4')).body.rating).toBe(3);
    for (const query of ['', '?star=', '?star=0', '?star=6', '?star=1.5', '?star=01']) {
      const { message } = await expected(star(ANN, query), 400, 'invalid_parameter');
      expect(message).toBe('The parameter star must be a whole number from 1 to 5.');
    }
    await expected(star(ANN, '?star=1&star=2'), 400, 'invalid_parameter');
    await expected(star('', '?star=6'), 401, 'unauthorized');
    await expected(star('', '?star=1'), 401, 'unauthorized');
    await expected(star(ANN, '?star=1', 'nothing'), 404, 'not_found');
  });
});
